/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: what puts elements in order. PyTorch's functions give indices, too.
 */
#include <string.h>

#include "lang/rows/rows.h"

/* Flattens the array in C order if there is no dim, which is argument i. NumPy's functions make a
 * number a line, too. */
stria_status stria__row_line(struct invocation *c, int i)
{
    if (GIVEN(i) || c->self->ndim == 1 || (c->self->ndim == 0 && !c->numpy)) return STRIA_OK;
    return stria__call_flat(c, &ARRAY(0), c->self);
}

/* ---- sorting --------------------------------------------------------------------------------- */

/* Makes the sorted values, or the indices that would sort. */
static stria_status sort_dim(stria_array *out, struct invocation *c, bool values,
                             const stria_view *a, int dim, bool descending)
{
    return (values ? stria_sort_new : stria_argsort_new)(out, a, dim, descending, EXEC);
}

stria_status stria__row_sort(struct invocation *c, bool values)
{
    const bool descending = TRUTH(3);
    const int dim = DIM(1);
    if (GIVEN(2)) /* Every kind is a stable sort here. */
        STRIA_TRY(stria__call_choice(c, 2, "quicksort|heapsort|mergesort|stable",
                                     "there is no kind '%.40s'"));
    if (!values && c->self->ndim == 0)
        STRIA_TRY(stria__call_flat(c, &ARRAY(0), c->self));
    else
        STRIA_TRY(stria__row_line(c, 1));
    if (c->tells && ARRAY(0) == c->self && !descending) /* can be run once more */
        stria__folding_keep(c, (struct folding){.kind = values ? FOLDING_SORTS : FOLDING_ARGSORTS},
                            1, &dim);
    return sort_dim(NEW, c, values, ARRAY(0), dim, descending);
}

/* Takes the elements that indices name; an array of no dims is copied. */
static stria_status take_along(stria_array *out, const stria_view *a, const stria_view *index,
                               int dim)
{
    return a->ndim ? stria_take_along_dim_new(out, a, index, dim, NULL)
                   : stria_clone_new(out, a, NULL);
}

stria_status stria__row_sort_torch(struct invocation *c)
{
    stria_array indices = {0}, values = {0};
    const int dim = DIM(1);
    STRIA_TRY(stria__call_pieces(c, 2));
    STRIA_TRY(sort_dim(&indices, c, false, c->self, dim, TRUTH(2)));
    STRIA_TRY(stria__call_piece(c, 1, indices));
    STRIA_TRY(take_along(&values, c->self, &c->pieces[1], dim));
    return stria__call_piece(c, 0, values);
}

stria_status stria__row_lexsort(struct invocation *c)
{
    const struct arg *const keys = &c->args[0];
    if (keys->count > INT16_MAX)
        return REFUSE(ARGUMENT, "lexsort: %lld keys, at most %d", (long long)keys->count,
                      INT16_MAX);
    return stria_lexsort_new(NEW, (int)keys->count, keys->views, DIM(1), EXEC);
}

/* ---- parts of lines -------------------------------------------------------------------------- */

/* Makes values and indices of the first k elements along a dim. */
stria_status stria__row_first_of(struct invocation *c, int64_t k, int dim, bool largest)
{
    stria_array made[2] = {{.owned = NULL}, {.owned = NULL}};
    return stria__call_give(c, 2, made,
                            stria_topk_new(&made[0], &made[1], c->self, k, dim, largest, EXEC));
}

/* Finds the k-th smallest element of each line, counted from 1, and its index. */
stria_status stria__row_kthvalue(struct invocation *c)
{
    const int dim = DIM(2);
    stria_array order = {0}, values = {0};
    stria_view one;
    if (INT(1) < 1)
        return REFUSE(ARGUMENT, "kthvalue: k is %lld, counts from 1", (long long)INT(1));
    STRIA_TRY(stria__call_pieces(c, 2));
    STRIA_TRY(stria_argpartition_new(&order, c->self, INT(1) - 1, dim, EXEC));
    STRIA_TRY(stria__call_piece(c, 1, order));
    one = c->pieces[1];
    if (one.ndim > 0) STRIA_TRY(stria_narrow(&one, &one, dim, INT(1) - 1, 1));
    c->pieces[1] = one;
    STRIA_TRY(take_along(&values, c->self, &one, dim));
    STRIA_TRY(stria__call_piece(c, 0, values));
    for (int i = 0; i < 2 && !TRUTH(3) && one.ndim > 0; i++)
        STRIA_TRY(stria_squeeze_dims(&c->pieces[i], &c->pieces[i], 1, &dim, true));
    return STRIA_OK;
}

stria_status stria__row_rankdata(struct invocation *c)
{
    STRIA_TRY(
        stria__call_choice(c, 1, "average|min|max|dense|ordinal", "there is no method '%.40s'"));
    STRIA_TRY(stria__row_line(c, 2));
    return stria_rank_new(NEW, ARRAY(0), DIM(2), (stria_rank_method)INT(1), EXEC);
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* Finds distinct values and what else is wanted; a single result is no tuple. With a `dim`, slices
 * along it are compared. */
stria_status stria__row_unique(struct invocation *c, int wanted, bool equal_nan,
                               const struct arg *dim)
{
    stria_array made[4] = {{.owned = NULL}, {.owned = NULL}, {.owned = NULL}, {.owned = NULL}};
    stria_array *to[4];
    int count = 0;
    for (int i = 0; i < 4; i++)
        to[i] = wanted >> i & 1 ? &made[count++] : NULL;
    const stria_status status =
        dim && dim->given
            ? stria_unique_dim_new(to[0], to[1], to[2], to[3], c->self, dim->dim, equal_nan, NULL)
            : (wanted & AS_SEEN ? stria_unique_in_order_new : stria_unique_new)(
                  to[0], to[1], to[2], to[3], c->self, equal_nan, NULL);
    if (count > 1) return stria__call_give(c, count, made, status);
    c->out = made[0];
    return status;
}
