/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views that visit addresses in other patterns: backwards, along diagonals, in windows, by any
 * strides.
 */
#include "stria/window.h"

#include "view/view.h"

stria_status stria_flip(stria_view *out, const stria_view *a, int count, const int *dims)
{
    struct draft draft;
    uint64_t flipped = 0;
    STRIA_TRY(view_begin(&draft, out, a, "flip"));
    STRIA_TRY(stria__dim_set(&flipped, a->ndim, count, dims, "flip"));
    stria__layout_flip(&draft.to, &draft.from, flipped);
    view_finish(&draft, out, a);
    return STRIA_OK;
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

/* An odd number of quarter turns is a transpose and a flip; two are two flips. */
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
        stria__layout_flip(&draft.to, &draft.from, turns == 2 ? both : 0);
    }
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_diagonal(stria_view *out, const stria_view *a, int64_t offset, int dim1,
                            int dim2)
{
    struct draft draft;
    int d[2] = {0, 1};
    STRIA_TRY(view_begin(&draft, out, a, "diagonal"));
    STRIA_TRY(stria__wrap_dims(d, a->ndim, 2, (const int[]){dim1, dim2}, "diagonal"));
    stria__layout_diagonal(&draft.to, &draft.from, offset, d[0], d[1]);
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_unfold(stria_view *out, const stria_view *a, int dim, int64_t size, int64_t step)
{
    struct draft draft;
    int d = 0;
    STRIA_TRY(view_begin(&draft, out, a, "unfold"));
    STRIA_TRY(stria__wrap_dim(&d, dim, at_least_1(a->ndim), "unfold"));
    STRIA_TRY(stria__layout_unfold(&draft.to, &draft.from, d, size, step, "unfold"));
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_sliding_window_view(stria_view *out, const stria_view *a, int count,
                                       const int64_t *window, const int *dims, bool writable)
{
    struct draft draft;
    int wrapped[STRIA_MAX_NDIM];
    STRIA_TRY(view_begin(&draft, out, a, "sliding_window_view"));
    if (count < 0 || (!window && count > 0) || (!dims && count != a->ndim))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "sliding_window_view: %d window sizes%s for %d dims%s", count,
                           window || count <= 0 ? "" : " at NULL", (int)a->ndim,
                           dims ? "" : " without a list of dims");
    STRIA_TRY(stria__check_more_dims(&draft.from, count, "sliding_window_view"));
    for (int i = 0; i < count; i++)
        STRIA_TRY(stria__wrap_dim(&wrapped[i], dims ? dims[i] : i, a->ndim, "sliding_window_view"));
    STRIA_TRY(
        stria__layout_slide(&draft.to, &draft.from, count, window, wrapped, "sliding_window_view"));
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
        (void)stria__extent(&room, g); /* fits: it was checked when a was made */
    return room;
}

static stria_status stride_freely(stria_view *out, const stria_view *a, int ndim,
                                  const int64_t *shape, const int64_t *strides, int64_t offset,
                                  const char *op)
{
    STRIA_TRY(view_check(out, a, op));
    STRIA_TRY(stria__check_shape(ndim, shape, op));
    if (!strides && ndim > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: strides are NULL for ndim %d", op, ndim);
    const struct geometry g = {ndim, shape, strides, a->dtype.itemsize};
    const struct geometry old = view_geometry(a);
    const struct extent room = room_of(a, &old);
    if (offset > room.high && is_empty(ndim, shape))
        offset = room.high; /* an empty view may begin anywhere */
    STRIA_TRY(stria__check_bounds(&g, offset, room, op));
    char *origin = a->buffer ? stria_buffer_data(a->buffer) : a->data;
    view_set(out, offset ? origin + offset : origin, a->buffer, a->dtype, a->flags, ndim, shape,
             strides);
    return STRIA_OK;
}

stria_status stria_as_strided(stria_view *out, const stria_view *a, int ndim, const int64_t *shape,
                              const int64_t *strides, int64_t offset)
{
    return stride_freely(out, a, ndim, shape, strides, offset, "as_strided");
}

stria_status stria_as_strided_from(stria_view *out, const stria_view *a, int ndim,
                                   const int64_t *shape, const int64_t *strides, int64_t offset)
{
    int64_t from_start;
    STRIA_TRY(view_check(out, a, "as_strided"));
    if (add_overflows(stria_offset(a), offset, &from_start))
        return stria__fail(STRIA_ERR_OVERFLOW, "as_strided: offset %lld from %lld",
                           (long long)offset, (long long)stria_offset(a));
    return stride_freely(out, a, ndim, shape, strides, from_start, "as_strided");
}
