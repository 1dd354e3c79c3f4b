/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: what puts elements in order. PyTorch's functions give indices, too. */
#include <string.h>

#include "lang/registry.h"
#include "stria/indexing.h"
#include "stria/sort.h"

/* An array and a dim of it; without a dim all elements in C order are one line. */
struct line_of {
    const stria_view *view;
    int dim;
};

static stria_status line_of(struct line_of *out, struct invocation *c, const struct arg *dim)
{
    *out = (struct line_of){.view = c->self, .dim = dim->dim};
    return dim->given || c->self->ndim < 2 ? STRIA_OK : stria__call_flat(c, &out->view, c->self);
}

/* ---- sorting --------------------------------------------------------------------------------- */

/* What the row says: values, or indices. */
static stria_status sort_dim(stria_array *out, struct invocation *c, const stria_view *a, int dim,
                             bool descending)
{
    const stria_exec exec = stria__call_exec(c);
    return (c->row->what == FOLDING_SORTS ? stria_sort_new : stria_argsort_new)(out, a, dim,
                                                                                descending, &exec);
}

static stria_status sort(struct invocation *c)
{
    static const char kinds[] = "quicksort|heapsort|mergesort|stable"; /* each is stable here */
    const bool descending = c->args[3].truth;
    struct line_of line;
    if (c->args[2].given && stria__choice(kinds, c->args[2].text) < 0)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "there is no kind '%.40s'",
                                  c->args[2].text);
    STRIA_TRY(line_of(&line, c, &c->args[1]));
    if (line.view == c->self && !descending) /* can be run once more */
        stria__folding_keep(c, (struct folding){.kind = (enum folding_kind)c->row->what}, 1,
                            &line.dim);
    return sort_dim(&c->out, c, line.view, line.dim, descending);
}

static stria_status msort(struct invocation *c)
{
    return sort_dim(&c->out, c, c->self, 0, false);
}

static stria_status argsort_torch(struct invocation *c)
{
    return sort_dim(&c->out, c, c->self, c->args[1].dim, c->args[2].truth);
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
    const int dim = c->args[1].dim;
    STRIA_TRY(stria__call_pieces(c, 2));
    STRIA_TRY(sort_dim(&indices, c, c->self, dim, c->args[2].truth));
    STRIA_TRY(stria__call_piece(c, 1, indices));
    STRIA_TRY(take_along(&values, c->self, &c->pieces[1], dim));
    return stria__call_piece(c, 0, values);
}

static stria_status lexsort(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    const struct arg *const keys = &c->args[0];
    if (keys->count > INT16_MAX)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "lexsort: %lld keys, at most %d",
                                  (long long)keys->count, INT16_MAX);
    return stria_lexsort(&c->out, (int)keys->count, keys->views, c->args[1].dim, &exec);
}

/* ---- parts of lines -------------------------------------------------------------------------- */

typedef stria_status partitioner(stria_array *out, const stria_view *a, int64_t k, int dim,
                                 const stria_exec *exec);

static stria_status partition(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    struct line_of line;
    STRIA_TRY(line_of(&line, c, &c->args[2]));
    return ((partitioner *)c->row->function)(&c->out, line.view, c->args[1].integer, line.dim,
                                             &exec);
}

/* The first k, values and indices. */
static stria_status first_of(struct invocation *c, int64_t k, int dim, bool largest)
{
    const stria_exec exec = stria__call_exec(c);
    const stria_view *const a = c->self;
    stria_array values = {0}, indices = {0};
    stria_view shape = *a;
    const int at = dim < 0 ? dim + a->ndim : dim;
    if (at >= 0 && at < a->ndim) shape.shape[at] = k < 0 ? 0 : k;
    STRIA_TRY(stria__call_pieces(c, 2));
    STRIA_TRY(stria_empty(&values, a->dtype, shape.ndim, shape.shape));
    STRIA_TRY(stria__call_piece(c, 0, values));
    STRIA_TRY(stria_empty(&indices, stria_dtype_of(STRIA_I64), shape.ndim, shape.shape));
    STRIA_TRY(stria__call_piece(c, 1, indices));
    return stria_topk(&c->pieces[0], &c->pieces[1], a, k, dim, largest, &exec);
}

static stria_status topk(struct invocation *c)
{
    return first_of(c, c->args[1].integer, c->args[2].dim, c->args[3].truth);
}

static stria_status top_k(struct invocation *c)
{
    const char *const mode = c->args[3].text;
    const bool largest = !strcmp(mode, "largest");
    if (!largest && strcmp(mode, "smallest") != 0)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "top_k: there is no mode '%.40s'", mode);
    return first_of(c, c->args[1].integer, c->args[2].dim, largest);
}

/* Element k of sorted lines, counted from 1, and where it is. */
static stria_status kthvalue(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    const int dim = c->args[2].dim;
    stria_array order = {0}, values = {0};
    stria_view one;
    if (c->args[1].integer < 1)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "kthvalue: k is %lld, counts from 1",
                                  (long long)c->args[1].integer);
    STRIA_TRY(stria__call_pieces(c, 2));
    STRIA_TRY(stria_argpartition_new(&order, c->self, c->args[1].integer - 1, dim, &exec));
    STRIA_TRY(stria__call_piece(c, 1, order));
    one = c->pieces[1];
    if (one.ndim > 0) STRIA_TRY(stria_narrow(&one, &one, dim, c->args[1].integer - 1, 1));
    c->pieces[1] = one;
    STRIA_TRY(take_along(&values, c->self, &one, dim));
    STRIA_TRY(stria__call_piece(c, 0, values));
    for (int i = 0; i < 2 && !c->args[3].truth && one.ndim > 0; i++)
        STRIA_TRY(stria_squeeze_dims(&c->pieces[i], &c->pieces[i], 1, &dim, true));
    return STRIA_OK;
}

static stria_status rankdata(struct invocation *c)
{
    const stria_exec exec = stria__call_exec(c);
    const char *const method = c->args[1].text;
    const int by = stria__choice("average|min|max|dense|ordinal", method);
    struct line_of line;
    if (by < 0)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "there is no method '%.40s'", method);
    STRIA_TRY(line_of(&line, c, &c->args[2]));
    return stria_rank_new(&c->out, line.view, line.dim, (stria_rank_method)by, &exec);
}

/* ---- sets ------------------------------------------------------------------------------------ */

enum { VALUES = 1, INDICES = 2, INVERSE = 4, COUNTS = 8 };

/* Values, and of the rest what is wanted; one result is no tuple. Slices along a dim, or NULL. */
static stria_status unique_of(struct invocation *c, int wanted, bool equal_nan,
                              const struct arg *dim)
{
    stria_array made[4] = {{0}, {0}, {0}, {0}}, *to[4];
    int64_t count = 0;
    for (int i = 0; i < 4; i++) {
        to[i] = wanted >> i & 1 ? &made[i] : NULL;
        count += to[i] != NULL;
    }
    if (count > 1) STRIA_TRY(stria__call_pieces(c, count));
    stria_status status =
        dim && dim->given
            ? stria_unique_dim(to[0], to[1], to[2], to[3], c->self, dim->dim, equal_nan)
            : stria_unique(to[0], to[1], to[2], to[3], c->self, equal_nan);
    if (count == 1) c->out = made[0];
    if (count == 1 || status != STRIA_OK) return status;
    for (int i = 0, k = 0; i < 4; i++)
        if (to[i]) {
            if (status == STRIA_OK)
                status = stria__call_piece(c, k++, made[i]);
            else
                stria_array_release(&made[i]);
        }
    return status;
}

static stria_status unique(struct invocation *c)
{
    return unique_of(c, c->row->what, false, NULL);
}

static int wanted_if(const struct arg *flag, int what)
{
    return flag->truth ? what : 0;
}

static stria_status unique_numpy(struct invocation *c)
{
    return unique_of(c,
                     VALUES | wanted_if(&c->args[1], INDICES) | wanted_if(&c->args[2], INVERSE) |
                         wanted_if(&c->args[3], COUNTS),
                     c->args[5].truth, &c->args[4]);
}

static stria_status unique_torch(struct invocation *c)
{
    return unique_of(c, VALUES | wanted_if(&c->args[2], INVERSE) | wanted_if(&c->args[3], COUNTS),
                     false, &c->args[4]);
}

static stria_status isin(struct invocation *c)
{
    const stria_view *const a = c->args[0].view;
    STRIA_TRY(stria_result_empty(&c->out, stria_dtype_of(STRIA_BOOL), 1, &a));
    return stria_isin(&c->out.view, a, c->args[1].view, c->args[3].truth);
}

#define NUMPY_SORT                                                                                 \
    "(self|a|x, axis:dim?=-1, kind:text?=None, descending:bool=False, stable:bool?=None)"
#define TORCH_SORT "(self|input, dim:dim=-1, descending:bool=False, stable:bool=False)"

static const struct function ops[] = {
    ROW_AS(
        TORCH, "sort" TORCH_SORT, sort_torch, FOLDING_ARGSORTS, argsort,
        "Sorts along a dim, equal elements in their order, NaN last; returns values and indices."),
    ROW_AS(NUMPY, "sort" NUMPY_SORT, sort, FOLDING_SORTS, sort,
           "Sorts along a dim, equal elements in their order, NaN last."),
    ROW_AS(ANY, "msort(self|input)", msort, FOLDING_SORTS, sort, "Sorts along the first dim."),
    ROW_AS(TORCH, "argsort" TORCH_SORT, argsort_torch, FOLDING_ARGSORTS, argsort,
           "Finds the indices that sort along a dim."),
    ROW_AS(NUMPY, "argsort" NUMPY_SORT, sort, FOLDING_ARGSORTS, argsort,
           "Finds the indices that sort along a dim."),
    ROW_BY(ANY, "lexsort(keys:arrays, axis:dim=-1)", lexsort, lexsort,
           "Finds the indices that sort by several keys, of which the last one decides first."),
    ROW_OF(ANY, "partition(self|a, kth:int, axis:dim?=-1)", partition, stria_partition_new,
           partition,
           "Puts the element of place kth there, smaller ones before it, in their order."),
    ROW_OF(ANY, "argpartition(self|a, kth:int, axis:dim?=-1)", partition, stria_argpartition_new,
           argpartition, "Finds the indices that put the element of place kth there."),
    ROW_BY(ANY, "topk(self|input, k:int, dim:dim=-1, largest:bool=True, sorted:bool=True)", topk,
           topk,
           "Finds the largest or smallest k elements along a dim, in order; values and indices."),
    ROW_BY(ANY, "top_k(self|x, k:int, axis:dim=-1, mode:text='largest')", top_k, topk,
           "Finds the largest or smallest k elements along a dim, in order; values and indices."),
    ROW_BY(ANY, "kthvalue(self|input, k:int, dim:dim=-1, keepdim:bool=False)", kthvalue,
           argpartition, "Finds the k-th element along a dim, from 1 on; values and indices."),
    ROW_BY(ANY, "rankdata(self|a, method:text='average', axis:dim?=None)", rankdata, rank,
           "Ranks elements from 1 on; method says what equal ones get."),
    ROW_BY(
        TORCH,
        "unique(self|input, sorted:bool=True, return_inverse:bool=False, return_counts:bool=False, "
        "dim:dim?=None)",
        unique_torch, unique_dim,
        "Finds the different elements or slices, in order; on demand the inverse and counts."),
    ROW_BY(
        NUMPY,
        "unique(self|ar, return_index:bool=False, return_inverse:bool=False, "
        "return_counts:bool=False, axis:dim?=None, equal_nan:bool=True)",
        unique_numpy, unique_dim,
        "Finds the different elements or slices, in order; on demand indices, inverse and counts."),
    ROW_AS(ANY, "unique_all(self|x)", unique, VALUES | INDICES | INVERSE | COUNTS, unique,
           "Finds the different elements, in order, their indices, the inverse and counts."),
    ROW_AS(ANY, "unique_counts(self|x)", unique, VALUES | COUNTS, unique,
           "Finds the different elements, in order, and how often each occurs."),
    ROW_AS(ANY, "unique_inverse(self|x)", unique, VALUES | INVERSE, unique,
           "Finds the different elements, in order, and which of them each element is."),
    ROW_AS(ANY, "unique_values(self|x)", unique, VALUES, unique,
           "Finds the different elements, in order."),
    ROW_BY(ANY,
           "isin(self|elements|element|x1:data, test_elements|x2:data, assume_unique:bool=False, "
           "invert:bool=False)",
           isin, isin, "Tells of each element if it occurs in another array."),
};

const struct function_group stria__rows_sort = {ops, sizeof ops / sizeof *ops};
