/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views that visit addresses in other patterns: backwards, along diagonals, in windows, by any
 * strides.
 */
#include "stria/window.h"

#include "view/view.h"

/* Reverses the dims of the set: they start at the last element, and the stride is negated. */
static void flip(struct layout *out, const struct geometry *a, uint64_t dims)
{
    struct layout l = *out; /* A local copy, which writes to sizes and strides cannot change. */
    const struct geometry from = *a;
    l.ndim = from.ndim;
    for (int d = 0; d < from.ndim; d++, dims >>= 1) {
        layout_put(&l, d, from.shape[d], from.strides[d]);
        if (dims & 1) layout_reverse_dim(&l, d);
    }
    *out = l;
}

stria_status stria_flip(stria_view *out, const stria_view *a, int count, const int *dims)
{
    struct draft draft;
    uint64_t flipped = 0;
    STRIA_TRY(view_begin(&draft, out, a, "flip"));
    STRIA_TRY(stria__dim_set(&flipped, a->ndim, count, dims, "flip"));
    flip(&draft.to, &draft.from, flipped);
    return view_finish(&draft, out, a);
}

stria_status stria_fliplr(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "fliplr"));
    if (a->ndim < 2)
        return stria__fail(STRIA_ERR_DIM, "fliplr: a view of %d dims has no columns", (int)a->ndim);
    return stria_flip(out, a, 1, (const int[]){1});
}

stria_status stria_flipud(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "flipud"));
    if (a->ndim < 1) return stria__fail(STRIA_ERR_DIM, "flipud: a view of 0 dims has no rows");
    return stria_flip(out, a, 1, (const int[]){0});
}

/* Rotates by quarter turns: an odd number of them is a transpose and a flip, two are two flips. */
stria_status stria_rot90(stria_view *out, const stria_view *a, int64_t k, int dim0, int dim1)
{
    struct draft draft;
    int d[2] = {0, 0};
    STRIA_TRY(view_begin(&draft, out, a, "rot90"));
    STRIA_TRY(stria__wrap_dims(d, a->ndim, 2, (const int[]){dim0, dim1}, "rot90"));
    const int64_t turns = (k % 4 + 4) % 4;
    if (turns % 2) {
        stria__layout_swap(&draft.to, &draft.from, d[0], d[1]);
        layout_reverse_dim(&draft.to, d[turns == 3]);
    } else {
        const uint64_t both = UINT64_C(1) << d[0] | UINT64_C(1) << d[1];
        flip(&draft.to, &draft.from, turns == 2 ? both : 0);
    }
    return view_finish(&draft, out, a);
}

/*
 * Makes the diagonal of dims i != j the last dim, whose stride is the sum of theirs; a negative
 * offset moves along i, a positive one along j.
 */
stria_status stria_diagonal(stria_view *out, const stria_view *a, int64_t offset, int dim1,
                            int dim2)
{
    struct draft draft;
    int d[2] = {0, 1};
    STRIA_TRY(view_begin(&draft, out, a, "diagonal"));
    STRIA_TRY(stria__wrap_dims(d, a->ndim, 2, (const int[]){dim1, dim2}, "diagonal"));
    const int i = d[0], j = d[1];
    const int64_t n = a->shape[i], m = a->shape[j], s = a->strides[i], t = a->strides[j];
    const int64_t length = offset >= 0 ? least(n, m - offset) : least(n + offset, m);
    int64_t sum;
    /* It may not fit: NOTE [Products that cannot matter]. */
    if (add_overflows(s, t, &sum)) sum = s;
    draft.to.ndim = 0;
    for (int k = 0; k < a->ndim; k++)
        if (k != i && k != j) layout_put(&draft.to, draft.to.ndim++, a->shape[k], a->strides[k]);
    layout_put(&draft.to, draft.to.ndim++, length > 0 ? length : 0, sum);
    if (length > 0) layout_move(&draft.to, offset >= 0 ? offset : -offset, offset >= 0 ? t : s);
    return view_finish(&draft, out, a);
}

/*
 * Windows: a dim of n becomes a dim of the (n - size) / step + 1 positions of a window, and one of
 * the elements in it, both over the same addresses. Elements repeat, so their number is checked.
 */

static stria_status refuse_places(int d, const char *op)
{
    return stria__fail(STRIA_ERR_OVERFLOW, "%s: dim %d has 2^63 places for windows of 0", op, d);
}

/* Computes the sizes that are left of a's dims. SHAPE when a window does not fit. */
static stria_status slide(int64_t *places, const stria_view *a, int count, const int64_t *window,
                          const int *dims)
{
    for (int d = 0; d < a->ndim; d++)
        places[d] = a->shape[d];
    for (int i = 0; i < count; i++) {
        const int d = dims[i];
        if (window[i] < 0 || window[i] > places[d])
            return stria__fail(STRIA_ERR_SHAPE,
                               "sliding_window_view: window[%d] = %lld does not fit in dim %d, "
                               "where %lld places are left",
                               i, (long long)window[i], d, (long long)places[d]);
        if (add_overflows(places[d] - window[i], 1, &places[d]))
            return refuse_places(d, "sliding_window_view");
    }
    return STRIA_OK;
}

stria_status stria_unfold(stria_view *out, const stria_view *a, int dim, int64_t size, int64_t step)
{
    struct draft draft;
    int d = 0;
    STRIA_TRY(view_begin(&draft, out, a, "unfold"));
    STRIA_TRY(stria__wrap_dim(&d, dim, at_least_1(a->ndim), "unfold"));
    const int64_t n = a->ndim > 0 ? a->shape[d] : 1,
                  s = a->ndim > 0 ? a->strides[d] : a->dtype.itemsize;
    STRIA_TRY(stria__check_more_dims(&draft.from, 1, "unfold"));
    if (size < 0 || size > n)
        return stria__fail(STRIA_ERR_SHAPE,
                           "unfold: a window of %lld does not fit in dim %d of size %lld",
                           (long long)size, d, (long long)n);
    if (step <= 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "unfold: step %lld must be at least 1",
                           (long long)step);
    int64_t places;
    if (add_overflows((n - size) / step, 1, &places)) return refuse_places(d, "unfold");
    STRIA_TRY(stria__check_replaced(&draft.from, d, places, size, "unfold"));
    layout_start(&draft.to, &draft.from);
    if (a->ndim > 0) layout_put(&draft.to, d, places, scaled_stride(s, step));
    layout_put(&draft.to, draft.to.ndim++, size, s);
    return view_finish(&draft, out, a);
}

stria_status stria_sliding_window_view(stria_view *out, const stria_view *a, int count,
                                       const int64_t *window, const int *dims, bool writable)
{
    struct draft draft;
    int wrapped[STRIA_MAX_NDIM];
    int64_t shape[STRIA_MAX_NDIM];
    STRIA_TRY(view_begin(&draft, out, a, "sliding_window_view"));
    if (count < 0 || (!window && count > 0) || (!dims && count != a->ndim))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "sliding_window_view: %d window sizes%s for %d dims%s", count,
                           window || count <= 0 ? "" : " at NULL", (int)a->ndim,
                           dims ? "" : " without a list of dims");
    STRIA_TRY(stria__check_more_dims(&draft.from, count, "sliding_window_view"));
    for (int i = 0; i < count; i++)
        STRIA_TRY(stria__wrap_dim(&wrapped[i], dims ? dims[i] : i, a->ndim, "sliding_window_view"));
    STRIA_TRY(slide(shape, a, count, window, wrapped));
    for (int i = 0; i < count; i++)
        shape[a->ndim + i] = window[i];
    draft.to.ndim = a->ndim + count;
    STRIA_TRY(stria__check_shape(draft.to.ndim, shape, "sliding_window_view"));
    for (int d = 0; d < draft.to.ndim; d++)
        layout_put(&draft.to, d, shape[d], a->strides[d < a->ndim ? d : wrapped[d - a->ndim]]);
    view_finish(&draft, out, a);
    if (!writable) out->flags |= STRIA_READONLY;
    return STRIA_OK;
}

/* Returns the bytes that a view of a's memory may cover, counted from where stria_offset counts. */
static struct extent room_of(const stria_view *a, const struct geometry *g)
{
    struct extent room = {0, 0};
    if (a->buffer)
        room.high = stria_buffer_size(a->buffer);
    else
        (void)stria__extent(&room, g); /* The extent fits, which was checked when a was made. */
    return room;
}

stria_status stria_as_strided(stria_view *out, const stria_view *a, int ndim, const int64_t *shape,
                              const int64_t *strides, int64_t offset)
{
    STRIA_TRY(view_check(out, a, "as_strided"));
    STRIA_TRY(stria__check_shape(ndim, shape, "as_strided"));
    if (!strides && ndim > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "as_strided: strides are NULL for ndim %d", ndim);
    const struct geometry g = {ndim, shape, strides, a->dtype.itemsize};
    const struct geometry old = view_geometry(a);
    const struct extent room = room_of(a, &old);
    if (offset > room.high && is_empty(ndim, shape))
        offset = room.high; /* An empty view may begin anywhere. */
    STRIA_TRY(stria__check_bounds(&g, offset, room, "as_strided"));
    char *origin = a->buffer ? stria_buffer_data(a->buffer) : a->data;
    view_set(out, offset ? origin + offset : origin, a->buffer, a->dtype, a->flags, ndim, shape,
             strides);
    return STRIA_OK;
}

stria_status stria_as_strided_from(stria_view *out, const stria_view *a, int ndim,
                                   const int64_t *shape, const int64_t *strides, int64_t offset)
{
    int64_t from_start;
    STRIA_TRY(view_check(out, a, "as_strided"));
    if (add_overflows(stria_offset(a), offset, &from_start))
        return stria__fail(STRIA_ERR_OVERFLOW, "as_strided: offset %lld from %lld",
                           (long long)offset, (long long)stria_offset(a));
    return stria_as_strided(out, a, ndim, shape, strides, from_start);
}
