/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlap between two views, and between the elements of one. */
#include "stria/overlap.h"

#include "layout/overlap.h"
#include "view/view.h"

/*
 * Tells whether the two cannot share memory, whatever their addresses: one of them is no view, or
 * lies in a meta buffer, whose addresses are meaningless outside that buffer.
 */
static bool apart(const stria_view *a, const stria_view *b)
{
    if (!view_has_dims(a) || !view_has_dims(b)) return true;
    return a->buffer != b->buffer &&
           (stria_buffer_is_meta(a->buffer) || stria_buffer_is_meta(b->buffer));
}

stria_overlap stria_shares_memory(const stria_view *a, const stria_view *b, int64_t max_work)
{
    if (apart(a, b)) return STRIA_OVERLAP_NO;
    const struct geometry g = view_geometry(a), h = view_geometry(b);
    return stria__overlap((uintptr_t)a->data, &g, (uintptr_t)b->data, &h, max_work);
}

bool stria_may_share_memory(const stria_view *a, const stria_view *b)
{
    if (apart(a, b)) return false;
    const struct geometry g = view_geometry(a), h = view_geometry(b);
    return stria__bounds_overlap((uintptr_t)a->data, &g, (uintptr_t)b->data, &h);
}

stria_overlap stria_overlaps_itself(const stria_view *a, int64_t max_work)
{
    if (!view_has_dims(a)) return STRIA_OVERLAP_NO;
    const struct geometry g = view_geometry(a);
    return stria__overlaps_itself(&g, max_work);
}
