/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcasting, which repeats elements without copying them, by a stride of 0: one view to a shape,
 * several to a common shape, aligned on the right.
 */
#include "stria/broadcast.h"
#include "view/view.h"

/* Refuses a size that is neither the old size nor -1, unless the old size is 1. */
static stria_status check_size(const struct geometry *a, int ndim, const int64_t *shape, int d,
                               bool keep, const char *op)
{
    const int from = d - (ndim - a->ndim);
    if (shape[d] == -1 && keep && from >= 0) return STRIA_OK;
    if (shape[d] == -1 && keep)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: shape[%d] = -1 in %s is a new dim, there is no size to keep", op, d,
                           stria__dims_text(ndim, shape).text);
    if (shape[d] < 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: shape[%d] = %lld is negative in %s", op, d,
                           (long long)shape[d], stria__dims_text(ndim, shape).text);
    return stria__fail(
        STRIA_ERR_BROADCAST,
        "%s: dim %d of size %lld cannot become %lld (dim %d of %s); only a size of 1 repeats", op,
        from, (long long)a->shape[from], (long long)shape[d], d,
        stria__dims_text(ndim, shape).text);
}

static stria_status check_expand(bool *repeats, const struct geometry *a, int ndim,
                                 const int64_t *shape, bool keep, const char *op)
{
    STRIA_TRY(stria__check_ndim(ndim, shape, op));
    if (ndim < a->ndim)
        return stria__fail(STRIA_ERR_BROADCAST,
                           "%s: shape %s has fewer dims than the view's %s; squeeze or select "
                           "those that are to go",
                           op, stria__dims_text(ndim, shape).text,
                           stria__dims_text(a->ndim, a->shape).text);
    int64_t numel = 1;
    bool longer = false, empty = false;
    for (int d = 0, from = a->ndim - ndim; d < ndim; d++, from++) {
        const int64_t old = from < 0 ? 1 : a->shape[from];
        int64_t size = shape[d];
        if (size != old) {
            if (old != 1 || size < 0) {
                STRIA_TRY(check_size(a, ndim, shape, d, keep, op));
                size = old;
            }
            longer |= size > old;
        }
        empty |= size == 0;
        if (size > 0 && mul_overflows(numel, size, &numel))
            return stria__refuse_numel(ndim, shape, op);
    }
    *repeats = longer && !empty;
    return STRIA_OK;
}

/* Makes the layout for a shape that a is known to expand to, -1 where it keeps a size. */
static void repeat(struct layout *out, const struct geometry *a, int ndim, const int64_t *shape)
{
    const int more = ndim - a->ndim;
    out->ndim = ndim;
    for (int d = ndim - 1; d >= more; d--) {
        const int64_t old = a->shape[d - more], size = shape[d];
        const bool kept = size == old || size == -1;
        layout_put(out, d, kept ? old : size, kept ? a->strides[d - more] : 0);
    }
    /* The stride is that of unsqueeze, then the dim is repeated. */
    for (int d = more - 1; d >= 0; d--) {
        const int64_t size = shape[d];
        const int64_t stride =
            a->ndim > 0 ? scaled_stride(out->strides[d + 1], out->shape[d + 1]) : 0;
        layout_put(out, d, size, size == 1 ? stride : 0);
    }
}

/*
 * Repeats sizes of 1 of a shape aligned on the right; -1 keeps a size where `keep` allows it.
 * *repeats tells whether the result has more elements than a.
 */
static stria_status expand(stria_view *out, bool *repeats, const stria_view *a, int ndim,
                           const int64_t *shape, bool keep, const char *op)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, op));
    STRIA_TRY(check_expand(repeats, &draft.from, ndim, shape, keep, op));
    repeat(&draft.to, &draft.from, ndim, shape);
    return view_finish(&draft, out, a);
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

/* Broadcasts a shape, in place, with that of view i: BROADCAST. shape has room for 64. */
static stria_status broadcast_with(int *ndim, int64_t *shape, const struct geometry *a, int i,
                                   const char *op)
{
    const int wider = a->ndim > *ndim ? a->ndim : *ndim;
    const int shift = wider - *ndim, from = wider - a->ndim;
    for (int d = *ndim - 1; d >= 0 && shift > 0; d--)
        shape[d + shift] = shape[d];
    for (int d = 0; d < shift; d++)
        shape[d] = 1;
    *ndim = wider;
    for (int d = from; d < wider; d++) {
        const int64_t size = a->shape[d - from];
        if (size == shape[d] || size == 1) continue;
        if (shape[d] != 1)
            return stria__fail(STRIA_ERR_BROADCAST,
                               "%s: size %lld of dim %d of view %d meets %lld in the views before "
                               "it, which broadcast to %s",
                               op, (long long)size, d - from, i, (long long)shape[d],
                               stria__dims_text(wider, shape).text);
        shape[d] = size;
    }
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

stria_status stria__common_shape(int *ndim, int64_t *shape, int n, const stria_view *const *views,
                                 const char *op)
{
    *ndim = 0;
    for (int i = 0; i < n; i++) {
        const struct geometry g = view_geometry(views[i]);
        STRIA_TRY(broadcast_with(ndim, shape, &g, i, op));
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
    STRIA_TRY(stria__common_shape(&common_ndim, common, n, views, "broadcast_shape"));
    *ndim = common_ndim;
    memcpy(shape, common, (size_t)common_ndim * sizeof *shape);
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
        STRIA_TRY(broadcast_with(&common_ndim, common, &g, i, op));
    }
    STRIA_TRY(stria__check_shape(common_ndim, common, op));
    *ndim = common_ndim;
    memcpy(shape, common, (size_t)common_ndim * sizeof *shape);
    return STRIA_OK;
}

stria_status stria__broadcast_views(stria_view *out, int n, const stria_view *const *views,
                                    const char *op)
{
    int ndim = 0;
    int64_t shape[STRIA_MAX_NDIM];
    STRIA_TRY(check_views(out, n, views, op));
    STRIA_TRY(stria__common_shape(&ndim, shape, n, views, op));
    for (int i = 0; i < n; i++) {
        struct draft draft;
        STRIA_TRY(view_begin(&draft, &out[i], views[i], op));
        repeat(&draft.to, &draft.from, ndim, shape);
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
            return stria__fail(
                STRIA_ERR_SHAPE,
                "meshgrid: view %d has shape %s; coordinates are vectors, or points of 0 dims", i,
                stria__dims_text(a->ndim, a->shape).text);
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
        draft.to.ndim = n;
        for (int d = 0; d < n; d++)
            if (d != i) layout_put(&draft.to, d, sparse ? 1 : shape[d], 0);
        layout_put(&draft.to, i, shape[i], draft.from.ndim ? draft.from.strides[0] : 0);
        view_finish(&draft, &out[i], views[i]);
        if (flags & STRIA_MESH_XY && n > 1) STRIA_TRY(stria_transpose(&out[i], &out[i], 0, 1));
    }
    return STRIA_OK;
}
