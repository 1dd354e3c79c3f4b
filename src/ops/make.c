/* SPDX-License-Identifier: BSD-3-Clause */
#include "stria/user_function.h"
#include "base/alloc.h"
#include "ops/operands.h"
#include "stria/fill.h"
#include "stria/promote.h"
#include "stria/reinterpret.h"

stria_status stria__make_of(stria_array *out, const stria_view *a, int ndim, const int64_t *shape)
{
    return stria__empty_like_memory(out, a, a->dtype, ndim, shape, STRIA_ORDER_C);
}

stria_order stria__common_order(int n, const stria_view *const *views, int ndim)
{
    stria_order order = STRIA_ORDER_C;
    for (int i = 0; i < n; i++) {
        const struct geometry g = view_geometry(views[i]);
        const stria_order suggested = stria__suggested_order(&g);
        if (views[i]->ndim != ndim || (i > 0 && suggested != order)) return STRIA_ORDER_C;
        order = suggested;
    }
    return order;
}

stria_status stria__apply_bits(const stria_view *made, uint32_t flags)
{
    const uint32_t bits = flags & (STRIA_CONJ | STRIA_NEG);
    if (!bits) return STRIA_OK;
    stria_view meant;
    view_copy(&meant, made);
    meant.flags = bits;
    return stria_copy(made, &meant, NULL);
}

stria_status stria__fill_zero(const stria_view *dst)
{
    static const char zeros[256];
    stria_view bytes;
    if (dst->dtype.itemsize <= (int)sizeof zeros) return stria_fill_item(dst, zeros, NULL);
    /* A long item is filled as a dim of bytes. */
    stria_dtype byte = stria_dtype_of(STRIA_U8);
    STRIA_TRY(stria_unsqueeze(&bytes, dst, dst->ndim));
    STRIA_TRY(stria_view_dtype(&bytes, &bytes, byte));
    return stria_fill_item(&bytes, zeros, NULL);
}

/* ---- the memory order of a result ------------------------------------------------------------ */

enum vote { ABSTAIN, KEEP, SWAP };

/* Decides whether dim `outer`, which is outside `inner` now, should be inside. */
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

/*
 * Sorts dims by insertion from C order, since dims may be incomparable and votes are not
 * transitive.
 */
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

stria_status stria__make_ordered(stria_array *out, const stria_view *near, stria_dtype dtype,
                                 int ndim, const int64_t *shape, const int *order)
{
    int back[STRIA_MAX_NDIM];
    int64_t ordered[STRIA_MAX_NDIM];
    for (int i = 0; i < ndim; i++) {
        ordered[i] = shape[order[i]];
        back[order[i]] = i;
    }
    OWNED_ARRAY(made);
    STRIA_TRY(stria__empty_like_memory(&made, near, dtype, ndim, ordered, STRIA_ORDER_C));
    return stria__deliver(out, &made, stria_permute(&made.view, &made.view, ndim, back));
}

stria_status stria__make_voted(stria_array *out, int n, const stria_view *const *views,
                               const stria_view *near, stria_dtype dtype)
{
    int order[STRIA_MAX_NDIM];
    sort_dims(order, views[0]->ndim, n, views);
    return stria__make_ordered(out, near, dtype, views[0]->ndim, views[0]->shape, order);
}

stria_status stria__make_result(stria_array *out, const char *op, int n,
                                const stria_view *const *views, stria_dtype dtype)
{
    if (n == 0) return stria_empty(out, dtype, 0, NULL);
    OWNED_MEMORY(memory, (size_t)n * (sizeof(stria_view) + sizeof(stria_view *)));
    stria_view *const wide = memory.at;
    if (!wide) return stria__fail(STRIA_ERR_MEMORY, "%s: no memory to lay out the result", op);
    const stria_view **const all = (const stria_view **)(void *)(wide + n);
    for (int i = 0; i < n; i++)
        all[i] = &wide[i];
    STRIA_TRY(stria__broadcast_views(wide, n, views, op));
    return stria__make_voted(out, n, all, view_nearest(n, views), dtype);
}

stria_status stria__make_results(int count, stria_array *out, const stria_dtype *dtypes,
                                 const char *op, int n, const stria_view *const *views,
                                 const stria_view *mask)
{
    const stria_view *all[STRIA_USER_INPUTS + 1];
    for (int i = 0; i < n; i++) {
        STRIA_TRY(stria__check_view(views[i], op, i ? "b" : "a"));
        all[i] = views[i];
    }
    if (mask) STRIA_TRY(stria__check_view(mask, op, "where"));
    all[n] = mask;
    for (int i = 0; i < count; i++) {
        STRIA_TRY(stria__make_result(&out[i], op, n + (mask != NULL), all, dtypes[i]));
        if (mask && !view_is_meta(&out[i].view)) STRIA_TRY(stria__fill_zero(&out[i].view));
    }
    return STRIA_OK;
}

/* ---- the first operand that decides ---------------------------------------------------------- */

struct operands {
    const int64_t *shape;
    int n;
    stria__stride_of *stride;
    const void *all;
};

static int larger(const void *operands, int i, int j)
{
    const struct operands *o = operands;
    for (int k = 0; k < o->n; k++) {
        const uint64_t s = magnitude(o->stride(o->all, k, i));
        const uint64_t t = magnitude(o->stride(o->all, k, j));
        if (s == 0 || t == 0) continue;
        if (s != t) return s > t ? 1 : -1;
        if (o->shape[i] > o->shape[j]) return 1;
    }
    return 0;
}

void stria__order_by_first(int *order, int ndim, const int64_t *shape, int n,
                           stria__stride_of *stride, const void *operands)
{
    const struct operands o = {shape, n, stride, operands};
    stria__insert_dims(order, ndim, larger, &o);
}
