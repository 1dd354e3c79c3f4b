/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a view. */
#include "view/view.h"

stria_status stria_index(stria_view *out, const stria_view *a, int count,
                         const stria_index_item *items)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "index"));
    STRIA_TRY(stria__layout_index(&draft.to, &draft.from, count, items, "index"));
    view_finish(&draft, out, a);
    if (view_class(out) == STRIA_CLASS_MATRIX) stria__index_matrix(out, count, items);
    return STRIA_OK;
}

stria_status stria_select(stria_view *out, const stria_view *a, int dim, int64_t index)
{
    struct draft draft;
    int d = 0;
    STRIA_TRY(view_begin(&draft, out, a, "select"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "select"));
    STRIA_TRY(stria__check_index(index, a->shape[d], d, "select"));
    const int64_t i = wrapped_index(index, a->shape[d]);
    stria__layout_select(&draft.to, &draft.from, d, i);
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_narrow(stria_view *out, const stria_view *a, int dim, int64_t start,
                          int64_t length)
{
    struct draft draft;
    int d = 0;
    STRIA_TRY(view_begin(&draft, out, a, "narrow"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "narrow"));
    const int64_t size = a->shape[d];
    if (start < -size || start > size)
        return stria__fail(STRIA_ERR_INDEX, "narrow: start %lld is outside %lld .. %lld of dim %d",
                           (long long)start, (long long)-size, (long long)size, d);
    const int64_t from = start < 0 ? start + size : start;
    if (length < 0 || length > size - from)
        return stria__fail(STRIA_ERR_INDEX,
                           "narrow: length %lld from %lld on does not lie in dim "
                           "%d of size %lld",
                           (long long)length, (long long)from, d, (long long)size);
    stria__layout_slice(&draft.to, &draft.from, d,
                        (struct range){.start = from, .length = length, .step = 1});
    view_finish(&draft, out, a);
    return STRIA_OK;
}

stria_status stria_slice(stria_view *out, const stria_view *a, int dim, int64_t start, int64_t stop,
                         int64_t step)
{
    struct draft draft;
    int d = 0;
    STRIA_TRY(view_begin(&draft, out, a, "slice"));
    STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "slice"));
    STRIA_TRY(stria__check_step(step, "slice"));
    stria__layout_slice(&draft.to, &draft.from, d, resolved_slice(start, stop, step, a->shape[d]));
    view_finish(&draft, out, a);
    return STRIA_OK;
}
