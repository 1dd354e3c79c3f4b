/* SPDX-License-Identifier: BSD-3-Clause */
/* The orders of up to 4 dims, by number. */
#pragma once

#include <string.h>

enum { ORDERS_NDIM = 4 };

static inline int count_orders(int ndim)
{
    int n = 1;
    for (int d = 2; d <= ndim; d++)
        n *= d;
    return n;
}

/* Sets dims to order number k < count_orders(ndim); number 0 is 0, 1, 2, ... */
static inline void order_dims(int dims[ORDERS_NDIM], int ndim, int k)
{
    int left[ORDERS_NDIM] = {0, 1, 2, 3};
    for (int d = 0; d < ndim; d++) {
        const int i = k % (ndim - d);
        k /= ndim - d;
        dims[d] = left[i];
        memmove(left + i, left + i + 1, (size_t)(ORDERS_NDIM - 1 - i) * sizeof *left);
    }
}
