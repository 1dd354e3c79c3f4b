/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasting, which repeats elements without copying them: one view to a shape, several to a
 * common shape.
 */
#include "stria/broadcast.h"

#include "view/view.h"

static stria_status expand(stria_view *out, bool *repeats, const stria_view *a, int ndim,
                           const int64_t *shape, bool keep, const char *op)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, op));
    STRIA_TRY(stria__layout_expand(&draft.to, repeats, &draft.from, ndim, shape, keep, op));
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_expand(stria_view *out, const stria_view *a, int ndim, const int64_t *shape)
{
    bool repeats;
    return expand(out, &repeats, a, ndim, shape, true, "expand");
}

stria_status stria_expand_as(stria_view *out, const stria_view *a, const stria_view *b)
{
    bool repeats;
    STRIA_TRY(stria__check_view(b, "expand_as", "b"));
    return expand(out, &repeats, a, b->ndim, b->shape, false, "expand_as");
}

stria_status stria_broadcast_to(stria_view *out, const stria_view *a, int ndim,
                                const int64_t *shape)
{
    bool repeats;
    STRIA_TRY(expand(out, &repeats, a, ndim, shape, false, "broadcast_to"));
    if (repeats) out->flags |= STRIA_READONLY;
    return STRIA_OK;
}

static stria_status check_views(const void *out, int n, const stria_view *const *views,
                                const char *op)
{
    if (n < 0 || ((!out || !views) && n > 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d views, %s NULL", op, n,
                           out && views ? "none" : "some list is");
    return stria__check_views(n, views, op, "view");
}

static stria_status common_shape(int *ndim, int64_t *shape, int n, const stria_view *const *views,
                                 const char *op)
{
    *ndim = 0;
    for (int i = 0; i < n; i++) {
        const struct geometry g = view_geometry(views[i]);
        STRIA_TRY(stria__broadcast(ndim, shape, &g, i, op));
    }
    return stria__check_shape(*ndim, shape, op);
}

stria_status stria_broadcast_shape(int *ndim, int64_t *shape, int n, const stria_view *const *views)
{
    int common_ndim = 0;
    int64_t common[STRIA_MAX_NDIM];
    if (!ndim || !shape)
        return stria__fail(STRIA_ERR_ARGUMENT, "broadcast_shape: %s is NULL",
                           ndim ? "shape" : "ndim");
    STRIA_TRY(check_views(shape, n, views, "broadcast_shape"));
    STRIA_TRY(common_shape(&common_ndim, common, n, views, "broadcast_shape"));
    *ndim = common_ndim;
    for (int d = 0; d < common_ndim; d++)
        shape[d] = common[d];
    return STRIA_OK;
}

stria_status stria_broadcast_shapes(int *ndim, int64_t *shape, int n, const int *ndims,
                                    const int64_t *const *shapes)
{
    static const char op[] = "broadcast_shapes";
    int common_ndim = 0;
    int64_t common[STRIA_MAX_NDIM];
    if (!ndim || !shape || n < 0 || (n > 0 && (!ndims || !shapes)))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d shapes, and something is NULL", op, n);
    for (int i = 0; i < n; i++) {
        const struct geometry g = {.ndim = ndims[i], .shape = shapes[i]};
        STRIA_TRY(stria__check_shape(ndims[i], shapes[i], op));
        STRIA_TRY(stria__broadcast(&common_ndim, common, &g, i, op));
    }
    STRIA_TRY(stria__check_shape(common_ndim, common, op));
    *ndim = common_ndim;
    for (int d = 0; d < common_ndim; d++)
        shape[d] = common[d];
    return STRIA_OK;
}

stria_status stria__broadcast_views(stria_view *out, int n, const stria_view *const *views,
                                    const char *op)
{
    int ndim = 0;
    int64_t shape[STRIA_MAX_NDIM];
    STRIA_TRY(check_views(out, n, views, op));
    STRIA_TRY(common_shape(&ndim, shape, n, views, op));
    for (int i = 0; i < n; i++) {
        struct draft draft;
        STRIA_TRY(view_begin(&draft, &out[i], views[i], op));
        stria__layout_repeat(&draft.to, &draft.from, ndim, shape);
        view_finish(&draft, &out[i], views[i]);
    }
    return STRIA_OK;
}

stria_status stria_broadcast_tensors(stria_view *out, int n, const stria_view *const *views)
{
    return stria__broadcast_views(out, n, views, "broadcast_tensors");
}

/* Computes the sizes of the grid, one for each vector. */
static stria_status mesh_shape(int64_t *shape, int n, const stria_view *const *views, bool sparse)
{
    for (int i = 0; i < n; i++) {
        const stria_view *a = views[i];
        if (a->ndim > 1)
            return stria__fail(STRIA_ERR_SHAPE,
                               "meshgrid: view %d has shape %s; coordinates are "
                               "vectors, or points of 0 dims",
                               i, stria__dims_text(a->ndim, a->shape).text);
        shape[i] = a->ndim ? a->shape[0] : 1;
    }
    return sparse ? STRIA_OK : stria__check_shape(n, shape, "meshgrid");
}

stria_status stria_meshgrid(stria_view *out, int n, const stria_view *const *views, uint32_t flags)
{
    int64_t shape[STRIA_MAX_NDIM];
    const bool sparse = flags & STRIA_MESH_SPARSE;
    STRIA_TRY(check_views(out, n, views, "meshgrid"));
    if (n < 1 || n > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_SHAPE, "meshgrid: %d views; a grid has 1 .. %d dims", n,
                           STRIA_MAX_NDIM);
    if (flags & ~(uint32_t)(STRIA_MESH_XY | STRIA_MESH_SPARSE))
        return stria__fail(STRIA_ERR_ARGUMENT, "meshgrid: unknown flags %#x", (unsigned)flags);
    STRIA_TRY(mesh_shape(shape, n, views, sparse));
    for (int i = 0; i < n; i++) {
        struct draft draft;
        STRIA_TRY(view_begin(&draft, &out[i], views[i], "meshgrid"));
        stria__layout_mesh(&draft.to, &draft.from, n, shape, i, sparse);
        view_finish(&draft, &out[i], views[i]);
        if (flags & STRIA_MESH_XY && n > 1) STRIA_TRY(stria_transpose(&out[i], &out[i], 0, 1));
    }
    return STRIA_OK;
}
