/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An integer and a float are compared by the whole part of the float, which is an integer where it
 * is within the range, and where they are equal by what was cut off. Comparisons with NaN are
 * false.
 */
#include "ops/elementwise/less_mixed.h"

#include <string.h>

static bool i64_below_u64(int64_t a, uint64_t b)
{
    return a < 0 || (uint64_t)a < b;
}

static bool u64_below_i64(uint64_t a, int64_t b)
{
    return b > 0 && a < (uint64_t)b;
}

static bool i64_below_f64(int64_t a, double b)
{
    const bool within = b >= -0x1p63 && b < 0x1p63;
    const int64_t whole = within ? (int64_t)b : 0;
    return within ? a < whole || (a == whole && (double)whole < b) : b >= 0x1p63;
}

static bool f64_below_i64(double a, int64_t b)
{
    const bool within = a >= -0x1p63 && a < 0x1p63;
    const int64_t whole = within ? (int64_t)a : 0;
    return within ? whole < b || (whole == b && a < (double)whole) : a < -0x1p63;
}

static bool u64_below_f64(uint64_t a, double b)
{
    const bool within = b >= 0 && b < 0x1p64;
    const uint64_t whole = within ? (uint64_t)b : 0;
    return within ? a < whole || (a == whole && (double)whole < b) : b >= 0x1p64;
}

static bool f64_below_u64(double a, uint64_t b)
{
    const bool within = a >= 0 && a < 0x1p64;
    const uint64_t whole = within ? (uint64_t)a : 0;
    return within ? whole < b : a < 0;
}

#define NAME i64_u64
#define A    int64_t
#define B    uint64_t
#define LESS i64_below_u64
#include "ops/elementwise/less_mixed.inc"
#define NAME u64_i64
#define A    uint64_t
#define B    int64_t
#define LESS u64_below_i64
#include "ops/elementwise/less_mixed.inc"
#define NAME i64_f64
#define A    int64_t
#define B    double
#define LESS i64_below_f64
#include "ops/elementwise/less_mixed.inc"
#define NAME f64_i64
#define A    double
#define B    int64_t
#define LESS f64_below_i64
#include "ops/elementwise/less_mixed.inc"
#define NAME u64_f64
#define A    uint64_t
#define B    double
#define LESS u64_below_f64
#include "ops/elementwise/less_mixed.inc"
#define NAME f64_u64
#define A    double
#define B    uint64_t
#define LESS f64_below_u64
#include "ops/elementwise/less_mixed.inc"

map_loop *stria__less_mixed(stria_kind a, stria_kind b)
{
    if (a == STRIA_F64) return b == STRIA_I64 ? f64_i64 : f64_u64;
    if (b == STRIA_F64) return a == STRIA_I64 ? i64_f64 : u64_f64;
    return a == STRIA_I64 ? i64_u64 : u64_i64;
}
