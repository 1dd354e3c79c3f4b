/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: what puts elements in order. PyTorch's functions give indices, too. */
#include <string.h>

#include "lang/list_array.h"
#include "lang/registry.h"
#include "stria/indexing.h"
#include "stria/sort.h"

/* The kinds that NumPy's functions name; each is stable here. */
static stria_status check_kind(struct invocation *c, const struct arg *kind)
{
    static const char *const kinds[] = {"quicksort", "heapsort", "mergesort", "stable"};
    bool known = !kind->given;
    for (size_t i = 0; !known && i < sizeof kinds / sizeof *kinds; i++)
        known = !strcmp(kind->text, kinds[i]);
    if (known) return STRIA_OK;
    return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "there is no kind '%.40s'", kind->text);
}

/* An array and a dim of it; without a dim all elements in C order are one line. */
struct line_of {
    stria_array flat; /* {0} where it is the array itself */
    const stria_view *view;
    int dim;
};

static stria_status line_of(struct line_of *out, const struct invocation *c, const struct arg *dim)
{
    *out = (struct line_of){.view = c->self, .dim = dim->given ? dim->dim : 0};
    if (dim->given || c->self->ndim < 2) return STRIA_OK;
    STRIA_TRY(stria_reshape(&out->flat, c->self, 1, (int64_t[]){-1}, STRIA_COPY_IF_NEEDED, NULL));
    out->view = &out->flat.view;
    return STRIA_OK;
}

/* ---- sorting --------------------------------------------------------------------------------- */

static stria_status sort(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    struct line_of line;
    STRIA_TRY(check_kind(c, &c->args[2]));
    STRIA_TRY(line_of(&line, c, &c->args[1]));
    const stria_status status =
        stria_sort_new(&c->out, line.view, line.dim, c->args[3].truth, &exec);
    stria_array_release(&line.flat);
    return status;
}

static stria_status argsort(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    struct line_of line;
    STRIA_TRY(check_kind(c, &c->args[2]));
    STRIA_TRY(line_of(&line, c, &c->args[1]));
    const stria_status status =
        stria_argsort_new(&c->out, line.view, line.dim, c->args[3].truth, &exec);
    stria_array_release(&line.flat);
    return status;
}

static stria_status msort(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    return stria_sort_new(&c->out, c->self, 0, false, &exec);
}

static stria_status argsort_torch(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    return stria_argsort_new(&c->out, c->self, c->args[1].dim, c->args[2].truth, &exec);
}

/* The elements that indices name, of an array of no dims too. */
static stria_status take_along(stria_array *out, const stria_view *a, const stria_view *index,
                               int dim)
{
    return a->ndim ? stria_take_along_dim(out, a, index, dim) : stria_clone(out, a);
}

static stria_status sort_torch(struct invocation *c)
{
    stria_array indices = {0}, values = {0};
    const stria_exec exec = stria__call_exec(c);
    const int dim = c->args[1].dim;
    STRIA_TRY(stria__call_pieces(c, 2));
    STRIA_TRY(stria_argsort_new(&indices, c->self, dim, c->args[2].truth, &exec));
    STRIA_TRY(stria__call_piece(c, 1, indices));
    STRIA_TRY(take_along(&values, c->self, &c->pieces[1], dim));
    return stria__call_piece(c, 0, values);
}

#define NUMPY_SORT                                                                                 \
    "(self|a|x, axis:dim?=-1, kind:text?=None, descending:bool=False, stable:bool?=None)"
#define TORCH_SORT "(self|input, dim:dim=-1, descending:bool=False, stable:bool=False)"

static const struct function ops[] = {
    {"sort" TORCH_SORT, sort_torch, WORLD_TORCH, "stria_argsort",
     "Sorts along a dim, equal elements in their order, NaN last; returns values and indices."},
    {"sort" NUMPY_SORT, sort, WORLD_NUMPY, "stria_sort",
     "Sorts along a dim, equal elements in their order, NaN last."},
    {"msort(self|input)", msort, WORLD_ANY, "stria_sort", "Sorts along the first dim."},
    {"argsort" TORCH_SORT, argsort_torch, WORLD_TORCH, "stria_argsort",
     "Finds the indices that sort along a dim."},
    {"argsort" NUMPY_SORT, argsort, WORLD_NUMPY, "stria_argsort",
     "Finds the indices that sort along a dim."},
};

const struct function_group stria__rows_sort = {ops, sizeof ops / sizeof *ops};
