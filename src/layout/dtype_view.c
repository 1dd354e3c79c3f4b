/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views the same bytes as items of another size along one dim, which must be dense in bytes. All
 * other strides and the first byte stay, whatever they are divisible by, as in NumPy.
 */
#include "layout/layout.h"

#include "status.h"

stria_status stria__layout_resize_items(struct layout *out, const struct geometry *a, int d,
                                        int64_t itemsize, const char *op)
{
    const int64_t n = a->shape[d];
    int64_t bytes;
    if (n != 1 && a->strides[d] != a->itemsize && !is_empty(a->ndim, a->shape))
        return stria__fail(STRIA_ERR_STRIDE,
                           "%s: items of %lld bytes become items of %lld along "
                           "dim %d, whose stride is %lld bytes and would have to be %lld; "
                           "contiguous() first copies %lld bytes",
                           op, (long long)a->itemsize, (long long)itemsize, d,
                           (long long)a->strides[d], (long long)a->itemsize,
                           (long long)stria__nbytes(a));
    if (mul_overflows(n, a->itemsize, &bytes))
        return stria__fail(STRIA_ERR_OVERFLOW, "%s: dim %d has %lld items of %lld bytes", op, d,
                           (long long)n, (long long)a->itemsize);
    if (itemsize == 0 || bytes % itemsize != 0 ||
        (itemsize < a->itemsize && a->itemsize % itemsize != 0))
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: %lld items of %lld bytes in dim %d are no whole "
                           "number of items of %lld bytes%s",
                           op, (long long)n, (long long)a->itemsize, d, (long long)itemsize,
                           itemsize > 0 && bytes % itemsize == 0 ? " each" : "");
    STRIA_TRY(stria__check_replaced(a, d, bytes / itemsize, 1, op));
    layout_start(out, a);
    layout_put(out, d, bytes / itemsize, itemsize);
    return STRIA_OK;
}
