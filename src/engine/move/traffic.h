/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bytes that an operation moves between the caches and memory if nothing of it lies in the
 * caches. It bypasses them if that is much, see machine.h.
 */
#ifndef STRIA_SRC_ENGINE_MOVE_TRAFFIC_H
#define STRIA_SRC_ENGINE_MOVE_TRAFFIC_H

#include <stdint.h>

#include "checked.h"
#include "simd/kernels.h"

/* The number of elements of an operand, with repeated ones counted once, and its smallest step. */
struct reach {
    double items;
    int64_t step;
};

static const struct reach ONE_ELEMENT = {1, INT64_MAX};

/* Adds a dim of n elements s bytes apart. */
static inline void reach_along(struct reach *reach, int64_t n, int64_t s)
{
    const int64_t step = (int64_t)magnitude(s);
    if (s == 0) return;
    reach->items *= (double)n;
    if (step < reach->step) reach->step = step;
}

/*
 * Computes the bytes of the lines that the elements lie in; overlapping windows count several
 * times.
 */
static inline double bytes_of_lines(const struct reach *reach, int64_t item)
{
    const int64_t most = item > LINE ? item : LINE;
    const int64_t each = reach->step < item ? item : least(reach->step, most);
    return reach->items * (double)(reach->items > 1 ? each : item);
}

#endif
