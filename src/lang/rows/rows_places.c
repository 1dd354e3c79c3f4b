/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def that name places of elements: by integers, conditions and parts. */
#include "lang/rows/rows.h"
#include "ops/expr/formula.h"
#include "stria/indexing.h"
#include "stria/sort.h"
#include "view/view.h"

static stria_status read_order(struct invocation *c, int i, stria_order *out)
{
    STRIA_TRY(stria__call_choice(c, i, "C|F", "order '%.40s': there are C and F"));
    *out = INT(i) ? STRIA_ORDER_F : STRIA_ORDER_C;
    return STRIA_OK;
}

/* Gives an array of indices for each dim. */
stria_status stria__row_unravel_index(struct invocation *c)
{
    stria_array made = {0};
    stria_order order;
    const stria_view *all;
    STRIA_TRY(read_order(c, 2, &order));
    STRIA_TRY(stria_unravel_index_new(&made, A, INTS(1), order, EXEC));
    STRIA_TRY(stria__call_hold(c, &all, made));
    STRIA_TRY(stria__call_pieces(c, all->shape[0]));
    for (int64_t d = 0; d < all->shape[0]; d++)
        STRIA_TRY(stria_select(&c->pieces[d], all, 0, d));
    return STRIA_OK;
}

stria_status stria__row_ravel_multi_index(struct invocation *c)
{
    stria_order order;
    STRIA_TRY(stria__call_choice(c, 2, "raise|strict|wrap|clip",
                                 "mode '%.40s': there are raise, wrap, clip"));
    STRIA_TRY(read_order(c, 3, &order));
    return stria_ravel_index_new(NEW, LIST(0), INTS(1), (stria_index_mode)INT(2), order, EXEC);
}

/* Takes the elements, or the slices along a dim, where a condition of one dim is true. */
stria_status stria__row_compress(struct invocation *c)
{
    stria_array found = {0};
    const stria_view *a = ARRAY(1), *places;
    stria_view line;
    if (A->ndim != 1) return REFUSE(SHAPE, "compress: the condition has %d dims, wants 1", A->ndim);
    STRIA_TRY(stria_nonzero_new(&found, A, EXEC));
    STRIA_TRY(stria__call_hold(c, &places, found));
    STRIA_TRY(stria_select(&line, places, 1, 0));
    if (!GIVEN(2)) return stria_take_new(NEW, a, &line, STRIA_INDEX_STRICT, EXEC);
    return stria_take_dim_new(NEW, a, &line, DIM(2), STRIA_INDEX_STRICT, EXEC);
}

/* Writes values to indices along a dim, where negative ones count from its end. */
stria_status stria__row_put_along_axis(struct invocation *c)
{
    stria_view dst = *A, index = *ARRAY(1), values;
    int64_t shape[STRIA_MAX_NDIM];
    struct formula f;
    stria_array made = {0};
    const stria_view *places;
    if (!GIVEN(3)) STRIA_TRY(stria_view_shape(&dst, A, 1, (const int64_t[]){stria_numel(A)}));
    const int dim = !GIVEN(3) ? 0 : DIM(3) < 0 ? DIM(3) + dst.ndim : DIM(3);
    if (index.ndim != dst.ndim || dim < 0 || dim >= dst.ndim)
        return REFUSE(DIM, "put_along_axis: indices of %d dims for an array of %d, dim %d",
                      index.ndim, dst.ndim, dim);
    for (int d = 0; d < dst.ndim; d++)
        shape[d] = d == dim ? index.shape[d] : dst.shape[d];
    STRIA_TRY(stria_broadcast_to(&index, &index, dst.ndim, shape));
    STRIA_TRY(stria_broadcast_to(&values, ARRAY(2), dst.ndim, shape));
    const int x = stria__formula_cast(&f, formula_of(&f, &index), STRIA_I64),
              behind = apply2(&f, STRIA_ADD, x, formula_integer(&f, dst.shape[dim]));
    (void)apply3(&f, STRIA_WHERE, apply2(&f, STRIA_LESS, x, formula_integer(&f, 0)), behind, x);
    STRIA_TRY(stria__formula_evaluate_new(&made, &f, EXEC));
    STRIA_TRY(stria__call_hold(c, &places, made));
    return stria__call_wrote(c, A,
                             stria_scatter(&dst, places, &values, dim, STRIA_REDUCE_NONE, EXEC));
}

/* Copies the array, and then the source into a view of the copy. */
static stria_status write_part(struct invocation *c, stria_view *part, stria_status found)
{
    STRIA_TRY(found);
    if (!view_same_shape(part, ARRAY(1)))
        return REFUSE(SHAPE, "%.*s: the source has not the shape of the part", NAME);
    return stria_copy(part, ARRAY(1), EXEC);
}

stria_status stria__row_select_scatter(struct invocation *c)
{
    stria_view part;
    STRIA_TRY(stria_clone_new(NEW, A, EXEC));
    return write_part(c, &part, stria_select(&part, VIEW, DIM(2), INT(3)));
}

stria_status stria__row_slice_scatter(struct invocation *c)
{
    stria_view part;
    STRIA_TRY(stria_clone_new(NEW, A, EXEC));
    return write_part(c, &part,
                      stria_slice(&part, VIEW, DIM(2), GIVEN(3) ? INT(3) : STRIA_NONE,
                                  GIVEN(4) ? INT(4) : STRIA_NONE, INT(5)));
}

stria_status stria__row_diagonal_scatter(struct invocation *c)
{
    stria_view part;
    STRIA_TRY(stria_clone_new(NEW, A, EXEC));
    return write_part(c, &part, stria_diagonal(&part, VIEW, INT(2), DIM(3), DIM(4)));
}

/* Makes a random order of n things. */
static stria_status random_order(stria_array *out, struct invocation *c, int64_t n, int seed)
{
    stria_array drawn = {0};
    const stria_random r = {.seed = (uint64_t)INT(seed), .stream = (uint32_t)INT(seed + 1)};
    if (n < 0) return REFUSE(ARGUMENT, "%.*s: %lld things", NAME, (long long)n);
    STRIA_TRY(stria_empty(&drawn, stria_dtype_of(STRIA_F64), 1, &n));
    stria_status status = stria_random_uniform(&drawn.view, &r, 0, 1, EXEC);
    if (status == STRIA_OK) status = stria_argsort_new(out, &drawn.view, 0, false, EXEC);
    stria_array_release(&drawn);
    return status;
}

stria_status stria__row_randperm(struct invocation *c)
{
    return random_order(NEW, c, INT(0), 1);
}

/* Takes the slices along the first dim in a random order. */
stria_status stria__row_permutation(struct invocation *c)
{
    stria_array order = {0};
    const stria_view *places;
    if (A->ndim < 1) return REFUSE(SHAPE, "permutation: the array has no dim");
    STRIA_TRY(random_order(&order, c, A->shape[0], 1));
    STRIA_TRY(stria__call_hold(c, &places, order));
    return stria_take_dim_new(NEW, A, places, 0, STRIA_INDEX_STRICT, EXEC);
}
