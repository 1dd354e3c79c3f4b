/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of matrix products in an order that is the same on every level: an element of the result
 * starts from +0, or from what it holds, and the products of its row of A and its column of B are
 * added to it one after the other. Every product and every sum is rounded to the type, so that
 * levels without a fused product give the same bits. Integers wrap. Those named fused round a
 * product and its sum once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The columns of B are taken in panels of so many bytes. */
enum { PANEL = 128 };

/* The most rows and columns of a B whose columns may be dense instead of its rows. */
enum { GATHERED = 32 };

/*
 * `count` products of one size, C = A B or C += A B. Distances are bytes, and items lie at any
 * address. Rows of C are dense. Element (k, j) of B lies at
 * b + j / columns * b_panel + k * b_k + j % columns * item, where a panel has PANEL / item columns;
 * in rows of B as they lie b_panel is PANEL. If `padded`, PANEL bytes of every row of every panel
 * may be read. Where b_item is not the size of an item, B has GATHERED rows and columns at most, is
 * not padded, and element (k, j) lies at b + k * b_k + j * b_item.
 */
struct product {
    int64_t m, n, k;
    char *c;
    const char *a, *b;
    int64_t c_row, a_row, a_k, b_k, b_item, b_panel, b_ahead;
    bool padded, add;
    int64_t count, c_step, a_step, b_step;
};

typedef void product_kernel(const struct product *p);

/*
 * m rows of n dense items, `a_row` bytes apart, with a vector of dense items, by fused products: y
 * = A x, whose sums do not depend on the other rows; or y = x A, or y += x A, one row after the
 * other.
 */
struct product_vector {
    int64_t m, n;
    const char *a, *x;
    char *y;
    int64_t a_row;
    double scale; /* A is multiplied by it, rounded to the type, before. */
    bool add;
};

typedef void vector_kernel(const struct product_vector *p);

/* The types of sums; other dtypes are converted to one of them. */
enum product_type { PRODUCT_F32, PRODUCT_F64, PRODUCT_U32, PRODUCT_U64, PRODUCT_TYPES };

struct product_kernels {
    int64_t tile_rows, tile_row; /* rows of C that are computed at once, and bytes of each */
    product_kernel *multiply[PRODUCT_TYPES];
    product_kernel *fused[PRODUCT_F64 + 1]; /* rounds once; NULL: the level has no such operation */
    vector_kernel *rows[PRODUCT_F64 + 1],
        *columns[PRODUCT_F64 + 1]; /* A x and x A, NULL likewise */
};
