/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a view. */
#include "view/view.h"

stria_status stria_select(stria_view *out, const stria_view *a, int dim, int64_t index)
{
    struct layout l;
    int d;
    int64_t i;
    STRIA_TRY(view_check(out, a, "select"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "select"));
    STRIA_TRY(stria__wrap_index(&i, index, a->shape[d], d, "select"));
    stria__layout_select(&l, view_geometry(a), d, i);
    view_derive(out, a, &l);
    return STRIA_OK;
}

stria_status stria_narrow(stria_view *out, const stria_view *a, int dim, int64_t start,
                          int64_t length)
{
    struct layout l;
    int d;
    STRIA_TRY(view_check(out, a, "narrow"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "narrow"));
    const int64_t size = a->shape[d];
    if (start < -size || start > size)
        return stria__fail(STRIA_ERR_INDEX, "narrow: start %lld is outside %lld .. %lld of dim %d",
                           (long long)start, (long long)-size, (long long)size, d);
    const int64_t from = start < 0 ? start + size : start;
    if (length < 0 || length > size - from)
        return stria__fail(STRIA_ERR_INDEX, "narrow: length %lld from %lld on does not lie in dim "
                           "%d of size %lld", (long long)length, (long long)from, d,
                           (long long)size);
    stria__layout_slice(&l, view_geometry(a), d, from, length, 1);
    view_derive(out, a, &l);
    return STRIA_OK;
}

stria_status stria_slice(stria_view *out, const stria_view *a, int dim, int64_t start, int64_t stop,
                         int64_t step)
{
    struct layout l;
    struct range range;
    int d;
    STRIA_TRY(view_check(out, a, "slice"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "slice"));
    STRIA_TRY(stria__resolve_slice(&range, start, stop, step, a->shape[d], "slice"));
    stria__layout_slice(&l, view_geometry(a), d, range.start, range.length, range.step);
    view_derive(out, a, &l);
    return STRIA_OK;
}
