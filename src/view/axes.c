/* SPDX-License-Identifier: BSD-3-Clause */
/* Dims of size 1 removed and inserted. */
#include "stria/axes.h"

#include "view/view.h"

/* Drops those dims of the set (bit d for dim d) that have size 1. */
static void squeeze(struct layout *out, const struct geometry *a, uint64_t dims)
{
    int at = 0;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != 1 || !(dims >> d & 1)) layout_put(out, at++, a->shape[d], a->strides[d]);
    out->ndim = at;
}

stria_status stria_squeeze(stria_view *out, const stria_view *a)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "squeeze"));
    squeeze(&draft.to, &draft.from, UINT64_MAX);
    return view_finish(&draft, out, a);
}

stria_status stria_squeeze_dims(stria_view *out, const stria_view *a, int count, const int *dims,
                                bool strict)
{
    struct draft draft;
    uint64_t listed = 0;
    STRIA_TRY(view_begin(&draft, out, a, "squeeze"));
    STRIA_TRY(stria__dim_set(&listed, a->ndim, count, dims, "squeeze"));
    for (int d = 0; strict && d < a->ndim; d++)
        if (listed >> d & 1 && a->shape[d] != 1)
            return stria__fail(STRIA_ERR_SHAPE,
                               "squeeze: dim %d has size %lld, only a size of 1 can go; select one "
                               "of its elements",
                               d, (long long)a->shape[d]);
    squeeze(&draft.to, &draft.from, listed);
    return view_finish(&draft, out, a);
}

/* Inserts dims of size 1; dims lists their places in the result. */
static stria_status insert(stria_view *out, const stria_view *a, int count, const int *dims,
                           const char *op)
{
    struct draft draft;
    uint64_t inserted = 0;
    STRIA_TRY(view_begin(&draft, out, a, op));
    STRIA_TRY(stria__check_more_dims(&draft.from, count, op));
    STRIA_TRY(stria__dim_set(&inserted, a->ndim + count, count, dims, op));
    draft.to.ndim = a->ndim + count;
    for (int d = 0, from = 0; d < draft.to.ndim; d++) {
        if (inserted >> d & 1) {
            layout_put(&draft.to, d, 1, stria__unit_stride(&draft.from, from));
        } else {
            layout_keep(&draft.to, d, &draft.from, from, from + 1);
            from++;
        }
    }
    return view_finish(&draft, out, a);
}

stria_status stria_unsqueeze(stria_view *out, const stria_view *a, int dim)
{
    return insert(out, a, 1, &dim, "unsqueeze");
}

stria_status stria_expand_dims(stria_view *out, const stria_view *a, int count, const int *dims)
{
    return insert(out, a, count, dims, "expand_dims");
}

/* Places of new dims, by the least number of dims of the result and by the number of dims
 * before. */
static const int places[][3][3] = {{{0}}, {{0, 1}, {0}}, {{0, 1, 2}, {0, 2}, {2}}};

#define AT_LEAST(name, least)                                                                      \
    stria_status stria_##name(stria_view *out, const stria_view *a)                                \
    {                                                                                              \
        STRIA_TRY(view_check(out, a, #name));                                                      \
        if (a->ndim < (least))                                                                     \
            return insert(out, a, (least)-a->ndim, places[(least)-1][a->ndim], #name);             \
        view_copy(out, a);                                                                         \
        return STRIA_OK;                                                                           \
    }
AT_LEAST(atleast_1d, 1)
AT_LEAST(atleast_2d, 2)
AT_LEAST(atleast_3d, 3)
