/* SPDX-License-Identifier: BSD-3-Clause */
/* Weighted sums of rows, for correlations (ops/window/) and programs (ops/expr/weighted_sum.c). */
#pragma once

#include <stdint.h>

#include "convert.h"

/* Points of a window: their distance from its first one in bytes, and their weights. */
struct taps {
    int64_t count;      /* 1 or more */
    int64_t apart, row; /* offset[k] is offset[k - apart] + row, if rows are computed by two */
    const int64_t *offset;
    const void *weight; /* weights in the kernel's dtype */
};

/*
 * Computes out[i] = w[0] * in[i + o[0]] + w[1] * in[i + o[1]] + ... for n elements, added in this
 * order, each product and each sum rounded; integers wrap. out overlaps no input.
 */
typedef void taps_row(char *out, const char *in, const struct taps *t, int64_t n);

/* Computes the row of `out` and that of out + out_row, whose input lies t->row further. */
typedef void taps_two_rows(char *out, int64_t out_row, const char *in, const struct taps *t,
                           int64_t n);

enum { SUM_TERMS = 6 /* rows anywhere that are summed, at most */ };

/*
 * Computes out[i] = w[0] * in[0][i] + w[1] * in[1][i] + ... of 2 to SUM_TERMS rows, as taps_row
 * does. out may be one of them.
 */
typedef void sum_row(char *out, const char *const *in, const void *weight, int count, int64_t n);

/* Kernels for i32, i64, f32 and f64; sums for f32 and f64 only. */
struct window_kernels {
    taps_row *weighted[NUMBERS];
    taps_two_rows *two[NUMBERS];
    sum_row *sum[NUMBERS];
};
