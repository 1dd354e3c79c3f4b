/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dense layouts: their strides, and how to recognize them. An order is the sequence of dims from
 * the fastest to the slowest. A dim of size 1 matches any stride. Empty views are dense in C and F
 * order whatever their strides, but not in the channels-last orders, as in PyTorch.
 */
#include "layout/layout.h"
#include "base/status.h"

/* Returns the i-th fastest dim of an order that fits ndim. */
static inline int fastest(stria_order order, int ndim, int i)
{
    static const int nhwc[] = {1, 3, 2, 0}, ndhwc[] = {1, 4, 3, 2, 0};
    if (order == STRIA_ORDER_C) return ndim - 1 - i;
    if (order == STRIA_ORDER_F) return i;
    return order == STRIA_ORDER_CHANNELS_LAST ? nhwc[i] : ndhwc[i];
}

/* Tells whether the order depends on the strides of an array. */
static bool is_relative(stria_order order)
{
    return order == STRIA_ORDER_A || order == STRIA_ORDER_K || order == STRIA_ORDER_PRESERVE;
}

/* Tells whether an order that does not depend on strides exists for so many dims. */
static bool fits(stria_order order, int ndim)
{
    if (order == STRIA_ORDER_CHANNELS_LAST) return ndim == 4;
    if (order == STRIA_ORDER_CHANNELS_LAST_3D) return ndim == 5;
    return order == STRIA_ORDER_C || order == STRIA_ORDER_F;
}

stria_status stria__dense_strides(int64_t *strides, int64_t *nbytes, int ndim, const int64_t *shape,
                                  int64_t itemsize, stria_order order, const char *op)
{
    if (is_relative(order))
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "%s: the order %s is that of an array, and there is none here to take it "
            "from; give C, F or channels_last",
            op,
            order == STRIA_ORDER_A   ? "A"
            : order == STRIA_ORDER_K ? "K"
                                     : "preserve");
    if ((unsigned)order > STRIA_ORDER_CHANNELS_LAST_3D)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there is no order %d", op, (int)order);
    if (!fits(order, ndim))
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: %s has %d dims, the order channels_last%s needs %d", op,
                           stria__dims_text(ndim, shape).text, ndim,
                           order == STRIA_ORDER_CHANNELS_LAST ? "" : "_3d",
                           order == STRIA_ORDER_CHANNELS_LAST ? 4 : 5);
    int dims[STRIA_MAX_NDIM];
    for (int i = 0; i < ndim; i++)
        dims[ndim - 1 - i] = fastest(order, ndim, i);
    return stria__dense_permuted(strides, nbytes, ndim, shape, itemsize, dims, op);
}

stria_status stria__dense_permuted(int64_t *strides, int64_t *nbytes, int ndim,
                                   const int64_t *shape, int64_t itemsize, const int *dims,
                                   const char *op)
{
    int64_t dense = itemsize;
    for (int i = ndim - 1; i >= 0; i--) {
        const int d = dims[i];
        strides[d] = dense;
        if (shape[d] > 0 && mul_overflows(dense, shape[d], &dense))
            return stria__fail(STRIA_ERR_OVERFLOW,
                               "%s: shape %s of items of %lld bytes takes more "
                               "than 2^63 - 1 bytes (sizes of 0 left out)",
                               op, stria__dims_text(ndim, shape).text, (long long)itemsize);
    }
    *nbytes = is_empty(ndim, shape) ? 0 : dense;
    return STRIA_OK;
}

/*
 * The order in which an array's dims lie in memory, so that another array can be laid out like it.
 * Dims with different strides are sorted by them, in NumPy as in PyTorch. The two differ where
 * strides are equal (windows) or 0 (broadcast dims), and each is followed exactly, since users
 * compare strides. The sign of a stride does not count: an array made like a reversed one has
 * positive strides.
 */

static int by_stride(const void *geometry, int i, int j)
{
    const struct geometry *a = geometry;
    const uint64_t s = magnitude(a->strides[i]), t = magnitude(a->strides[j]);
    return (s > t) - (s < t);
}

static int by_stride_unless_0(const void *geometry, int i, int j)
{
    const struct geometry *a = geometry;
    if (a->strides[i] == 0 || a->strides[j] == 0) return 0;
    const int found = by_stride(a, i, j);
    return found ? found : a->shape[i] > a->shape[j];
}

/*
 * Inserts dims from C order, fastest dim first, as PyTorch does. "Cannot be compared" is not
 * transitive, so the sequence of comparisons decides the result, and another sort would give
 * another order. A dim moves past those it cannot be compared with, which stay where they are.
 */
void stria__insert_dims(int *dims, int ndim, stria__larger *larger, const void *arg)
{
    for (int i = 0; i < ndim; i++)
        dims[i] = i;
    for (int i = ndim - 2; i >= 0; i--)
        for (int at = i, j = i + 1; j < ndim; j++) {
            const int found = larger(arg, dims[j], dims[at]);
            if (found < 0) break;
            if (found == 0) continue;
            const int d = dims[at];
            dims[at] = dims[j];
            dims[j] = d;
            at = j;
        }
}

/* Lists a's dims from the slowest to the fastest by the rule of order K or PRESERVE. */
static void physical_order(int *dims, const struct geometry *a, stria_order rule)
{
    stria__insert_dims(dims, a->ndim, rule == STRIA_ORDER_K ? by_stride : by_stride_unless_0, a);
}

/* Keeps the strides of dims of size 1 if the array is dense, as PyTorch does. */
static void keep_unit_strides(int64_t *strides, const struct geometry *a, int64_t itemsize)
{
    for (int d = 0; d < a->ndim; d++) {
        const int64_t s = a->strides[d];
        const bool whole = a->itemsize > 0 && s >= 0 && s % a->itemsize == 0;
        if (a->shape[d] == 1 && whole) strides[d] = scaled_stride(itemsize, s / a->itemsize);
    }
}

stria_status stria__dense_like(int64_t *strides, int64_t *nbytes, const struct geometry *a,
                               int64_t itemsize, stria_order order, const char *op)
{
    int dims[STRIA_MAX_NDIM];
    order = stria__resolved_order(a, order);
    if (!is_relative(order))
        return stria__dense_strides(strides, nbytes, a->ndim, a->shape, itemsize, order, op);
    physical_order(dims, a, order);
    STRIA_TRY(stria__dense_permuted(strides, nbytes, a->ndim, a->shape, itemsize, dims, op));
    if (order == STRIA_ORDER_PRESERVE && stria__is_dense(a, STRIA_ORDER_K))
        keep_unit_strides(strides, a, itemsize);
    return STRIA_OK;
}

/*
 * Tells whether each stride is what the faster dims cover. dims lists them from the slowest to the
 * fastest; NULL is C order.
 */
static inline bool dense_along(const struct geometry *a, const int *dims)
{
    int64_t dense = a->itemsize;
    for (int i = a->ndim - 1; i >= 0; i--) {
        const int d = dims ? dims[i] : i;
        if (a->shape[d] == 1) continue;
        if (a->strides[d] != dense || mul_overflows(dense, a->shape[d], &dense)) return false;
    }
    return true;
}

bool stria__is_dense(const struct geometry *a, stria_order order)
{
    int dims[STRIA_MAX_NDIM];
    if (order == STRIA_ORDER_A)
        return stria__is_dense(a, STRIA_ORDER_C) || stria__is_dense(a, STRIA_ORDER_F);
    const bool listed = order != STRIA_ORDER_C && order != STRIA_ORDER_F && !is_relative(order);
    if (listed && !fits(order, a->ndim)) return false;
    if (!listed && is_empty(a->ndim, a->shape)) return true;
    if (order == STRIA_ORDER_C) return dense_along(a, NULL);
    if (is_relative(order))
        physical_order(dims, a, STRIA_ORDER_K);
    else
        for (int i = 0; i < a->ndim; i++)
            dims[a->ndim - 1 - i] = fastest(order, a->ndim, i);
    return dense_along(a, dims);
}

stria_order stria__resolved_order(const struct geometry *a, stria_order order)
{
    if (order != STRIA_ORDER_A) return order;
    return stria__is_dense(a, STRIA_ORDER_F) && !stria__is_dense(a, STRIA_ORDER_C) ? STRIA_ORDER_F
                                                                                   : STRIA_ORDER_C;
}

/*
 * Tells whether the strides rise along the order. With one pixel, where only the channels matter,
 * the order is C.
 */
static bool follows(const struct geometry *a, stria_order order)
{
    int64_t least = 0;
    if (!fits(order, a->ndim) || a->strides[1] == 0) return false;
    for (int i = 0; i < a->ndim; i++) {
        const int d = fastest(order, a->ndim, i);
        if (a->shape[d] == 0 || a->strides[d] < least) return false;
        if (d == 0 && least == a->strides[1]) return false;
        least = a->strides[d];
        if (a->shape[d] > 1 && mul_overflows(least, a->shape[d], &least)) return false;
    }
    return true;
}

stria_order stria__suggested_order(const struct geometry *a)
{
    if (follows(a, STRIA_ORDER_CHANNELS_LAST)) return STRIA_ORDER_CHANNELS_LAST;
    if (follows(a, STRIA_ORDER_CHANNELS_LAST_3D)) return STRIA_ORDER_CHANNELS_LAST_3D;
    return STRIA_ORDER_C;
}
