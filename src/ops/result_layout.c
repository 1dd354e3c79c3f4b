/* SPDX-License-Identifier: BSD-3-Clause */
/* See result_layout.h. */
#include "ops/result_layout.h"

#include "array.h"
#include "status.h"

/* |s| of any stride, INT64_MIN included. */
static uint64_t magnitude(int64_t s)
{
    return s < 0 ? 0 - (uint64_t)s : (uint64_t)s;
}

enum vote { ABSTAIN, KEEP, SWAP };

/* Whether dim `outer`, which stands outside `inner`, should go inside. */
static enum vote vote(int n, const stria_view *const *views, int outer, int inner)
{
    enum vote result = ABSTAIN;
    for (int i = 0; i < n; i++) {
        const uint64_t so = magnitude(views[i]->strides[outer]);
        const uint64_t si = magnitude(views[i]->strides[inner]);
        if (so == 0 || si == 0 || views[i]->shape[outer] == 1 || views[i]->shape[inner] == 1)
            continue;
        if (so >= si) return KEEP;
        result = SWAP;
    }
    return result;
}

/* Insertion sort from C order: votes are no strict order, since dims may be incomparable. */
static void sort_dims(int *order, int ndim, int n, const stria_view *const *views)
{
    for (int d = 0; d < ndim; d++) {
        int place = d;
        for (int k = d - 1; k >= 0; k--) {
            const enum vote v = vote(n, views, order[k], d);
            if (v == KEEP) break;
            if (v == SWAP) place = k;
        }
        for (int k = d; k > place; k--)
            order[k] = order[k - 1];
        order[place] = d;
    }
}

stria_status stria__make_voted(stria_array *out, int n, const stria_view *const *views,
                               stria_dtype dtype)
{
    int order[STRIA_MAX_NDIM], back[STRIA_MAX_NDIM];
    int64_t shape[STRIA_MAX_NDIM];
    const int ndim = views[0]->ndim;
    sort_dims(order, ndim, n, views);
    for (int i = 0; i < ndim; i++) {
        shape[i] = views[0]->shape[order[i]];
        back[order[i]] = i;
    }
    stria_array made;
    STRIA_TRY(stria__empty_like_memory(&made, views[0], dtype, ndim, shape, STRIA_ORDER_C));
    const stria_status status = stria_permute(&made.view, &made.view, ndim, back);
    if (status == STRIA_OK)
        *out = made;
    else
        stria_array_release(&made);
    return status;
}
