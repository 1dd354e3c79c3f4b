/* SPDX-License-Identifier: BSD-3-Clause */
/* The product of two complex numbers in f64, for folds and scans. */
#pragma once

#include "map_ops.h"

static ALWAYS_INLINE mem_c128 product_c128(mem_c128 a, mem_c128 b)
{
    /* See NOTE [Differences of products] in map_ops.h. */
    return (mem_c128){a.re * b.re + negated_f64(a.im) * b.im, a.re * b.im + a.im * b.re};
}
