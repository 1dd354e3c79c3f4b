/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: views, of which some copy where there is no view. */
#include "view/array.h"
#include "lang/eval.h"
#include "lang/rows/rows.h"

stria_status stria__row_movedim(struct invocation *c)
{
    if (c->args[1].count != c->args[2].count)
        return REFUSE(DIM, "movedim: %lld dims to %lld places; each needs one of its own",
                      (long long)c->args[1].count, (long long)c->args[2].count);
    return stria_movedim(VIEW, A, DIMS(1), c->args[2].dims);
}

/* Views an array in the other byte order; for a record that is another dtype. */
stria_status stria__row_newbyteorder(struct invocation *c)
{
    stria_dtype swapped;
    if (A->dtype.kind != STRIA_RECORD) return stria_newbyteorder(VIEW, A);
    STRIA_TRY(stria_record_swap(&swapped, A->dtype));
    STRIA_TRY(stria__pool_keep_dtype(c->pool, swapped));
    return stria_view_dtype(VIEW, A, swapped);
}

/* Copies the elements in that order to new memory, as one dim. */
stria_status stria__row_flat_copy(struct invocation *c, stria_order order)
{
    STRIA_TRY(stria_clone_ordered_new(NEW, A, order, NULL));
    return stria_ravel(VIEW, VIEW, order);
}

/* Reshapes in another order of NumPy's: elements are numbered in that order in both shapes. */
static stria_status reshape_in(struct invocation *c, stria_order order, stria_copy_policy policy)
{
    if (policy != STRIA_COPY_ALWAYS) {
        const stria_status status = stria_view_shape_order(VIEW, A, INTS(1), order);
        if (status != STRIA_ERR_STRIDE || policy == STRIA_COPY_NEVER) return status;
    }
    STRIA_TRY(stria_clone_ordered_new(NEW, A, order, NULL));
    return stria_view_shape_order(VIEW, VIEW, INTS(1), order);
}

stria_status stria__row_reshape(struct invocation *c)
{
    const stria_order order = ORDER(2);
    const stria_copy_policy policy = !GIVEN(3)  ? STRIA_COPY_IF_NEEDED
                                     : TRUTH(3) ? STRIA_COPY_ALWAYS
                                                : STRIA_COPY_NEVER;
    if (order != STRIA_ORDER_C) return reshape_in(c, order, policy);
    return stria_reshape(NEW, A, INTS(1), policy, NULL, NULL);
}

/* Computes numpy.ravel and torch.ravel: a view if the elements lie side by side in that order. */
stria_status stria__row_ravel(struct invocation *c)
{
    const stria_order order = ORDER(1);
    const stria_status status = stria_ravel(VIEW, A, order);
    return status == STRIA_ERR_STRIDE ? stria__row_flat_copy(c, order) : status;
}

stria_status stria__row_count_pieces(struct invocation *c)
{
    if (c->count > EVAL_MAX_ARRAYS)
        return REFUSE(UNSUPPORTED, "%lld pieces are too many; one EXPR makes at most %d arrays",
                      (long long)c->count, EVAL_MAX_ARRAYS);
    return stria__call_pieces(c, c->count);
}

/* Broadcasts as PyTorch's expand does: -1 keeps a size. */
stria_status stria__row_broadcast_keeping(struct invocation *c)
{
    const struct arg *shape = &c->args[1];
    const int64_t new_dims = shape->count - A->ndim;
    TAKE_ARRAY(int64_t, sizes, c->pool, (size_t)shape->count);
    for (int64_t d = 0; d < shape->count; d++) {
        const bool kept = shape->ints[d] == -1 && d >= new_dims && new_dims >= 0;
        sizes[d] = kept ? A->shape[d - new_dims] : shape->ints[d];
    }
    return stria_broadcast_to(VIEW, A, (int)shape->count, sizes);
}

/* Makes grids; NumPy takes arrays of several dtypes, and copies unless told not to. */
stria_status stria__row_meshgrid(struct invocation *c)
{
    const struct arg *const arrays = &c->args[0];
    const bool numpy = c->row->world == WORLD_NUMPY;
    STRIA_TRY(stria__call_choice(c, 1, "ij|xy", "indexing must be 'ij' or 'xy', not '%.40s'"));
    for (int64_t i = 1; !numpy && i < arrays->count; i++)
        if (!stria_dtype_equal(arrays->views[0]->dtype, arrays->views[i]->dtype))
            return REFUSE(DTYPE, "meshgrid: arrays 0 and %lld differ in dtype", (long long)i);
    STRIA_TRY(stria__call_pieces(c, arrays->count));
    STRIA_TRY(stria_meshgrid(c->pieces, (int)arrays->count, arrays->views,
                             (INT(1) ? STRIA_MESH_XY : 0u) |
                                 (numpy && TRUTH(2) ? STRIA_MESH_SPARSE : 0u)));
    return numpy && TRUTH(3) ? stria__call_copies(c) : STRIA_OK;
}

stria_status stria__row_flip_all(struct invocation *c)
{
    int all[STRIA_MAX_NDIM];
    for (int d = 0; d < A->ndim; d++)
        all[d] = d;
    return stria_flip(VIEW, A, A->ndim, all);
}

/* Views with strides and an offset in elements from the start of the memory, as PyTorch counts. */
stria_status stria__row_as_strided(struct invocation *c)
{
    const struct arg *size = &c->args[1], *stride = &c->args[2], *offset = &c->args[3];
    int64_t *bytes, *start;
    STRIA_TRY(stria__call_bytes(c, &bytes, stride->ints, stride->count, A->dtype));
    STRIA_TRY(stria__call_bytes(c, &start, &offset->integer, 1, A->dtype));
    if (!offset->given) *start = stria_offset(A);
    if (size->count != stride->count)
        return REFUSE(ARGUMENT, "as_strided: %lld sizes and %lld strides", (long long)size->count,
                      (long long)stride->count);
    return stria_as_strided(VIEW, A, INTS(1), bytes, *start);
}

/* Views with strides in bytes, relative to the array's first element, as NumPy counts. */
stria_status stria__row_as_strided_bytes(struct invocation *c)
{
    const struct arg *shape = &c->args[1], *strides = &c->args[2];
    const int64_t *sizes = shape->given ? shape->ints : A->shape;
    const int64_t *bytes = strides->given ? strides->ints : A->strides;
    const int64_t n = shape->given ? shape->count : A->ndim;
    if (n != (strides->given ? strides->count : A->ndim))
        return REFUSE(ARGUMENT, "as_strided: %lld sizes and %lld strides", (long long)n,
                      (long long)strides->count);
    return stria_as_strided_from(VIEW, A, (int)n, sizes, bytes, 0);
}

stria_status stria__row_rot90(struct invocation *c)
{
    static const int first_two[2] = {0, 1};
    const struct arg *k = &c->args[1], *dims = &c->args[2];
    if (dims->given && dims->count != 2)
        return REFUSE(DIM, "rot90: a plane has 2 dims, not %lld", (long long)dims->count);
    const int *plane = dims->given ? dims->dims : first_two;
    return stria_rot90(VIEW, A, k->integer, plane[0], plane[1]);
}

stria_status stria__row_sliding_window_view(struct invocation *c)
{
    const struct arg *window = &c->args[1], *axis = &c->args[2];
    if (axis->given && axis->count != window->count)
        return REFUSE(ARGUMENT, "sliding_window_view: %lld windows for %lld axes",
                      (long long)window->count, (long long)axis->count);
    return stria_sliding_window_view(VIEW, A, INTS(1), axis->dims, TRUTH(4));
}

stria_status stria__row_check_sign(struct invocation *c)
{
    return A->dtype.kind == STRIA_BOOL ? REFUSE(DTYPE, "positive: a bool has no sign") : STRIA_OK;
}

/* Views the memory of another array; the offset counts elements from its start. */
stria_status stria__row_set_at(struct invocation *c)
{
    const struct arg *source = &c->args[1], *offset = &c->args[2], *size = &c->args[3];
    const struct arg *stride = &c->args[4];
    const stria_dtype dtype = source->view->dtype;
    int64_t *start, *bytes = NULL;
    stria_view to;
    STRIA_TRY(stria__call_bytes(c, &start, &offset->integer, 1, dtype));
    if (stride->given) STRIA_TRY(stria__call_strides(c, &bytes, size, stride, dtype));
    STRIA_TRY(stria_view_make(&to, source->view->buffer, dtype, (int)size->count, size->ints, bytes,
                              *start));
    to.flags |= source->view->flags;
    c->out = stria__array_of(A);
    return stria_set(NEW, &to);
}
