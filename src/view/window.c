/* SPDX-License-Identifier: BSD-3-Clause */
/* Views that visit addresses in other patterns: backwards, diagonally, in windows, at will. */
#include "view/view.h"

stria_status stria_flip(stria_view *out, const stria_view *a, int count, const int *dims)
{
    struct draft draft;
    int wrapped[STRIA_MAX_NDIM];
    STRIA_TRY(view_begin(&draft, out, a, "flip"));
    STRIA_TRY(stria__wrap_dims(wrapped, at_least_1(a->ndim), count, dims, "flip"));
    stria__layout_flip(&draft.to, &draft.from, a->ndim ? count : 0, wrapped);
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

/* What a view of a's memory may cover, counted from where stria_offset counts. */
static struct extent room_of(const stria_view *a, const struct geometry *g)
{
    struct extent room = {0, 0};
    if (a->buffer)
        room.high = stria_buffer_size(a->buffer);
    else
        (void)stria__extent(&room, g); /* fits: it was checked when a was made */
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
    STRIA_TRY(stria__check_bounds(&g, offset, room_of(a, &old), "as_strided"));
    char *origin = a->buffer ? stria_buffer_data(a->buffer) : a->data;
    view_set(out, offset ? origin + offset : origin, a->buffer, a->dtype, a->flags, ndim, shape,
             strides);
    return STRIA_OK;
}
