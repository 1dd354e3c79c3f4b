/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers sorted by themselves, without their places. Numbers that are equal but not the same,
 * zeros, NaN and bools, keep their order.
 */
#ifndef STRIA_OPS_ORDER_VALUES_H
#define STRIA_OPS_ORDER_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/threads.h"
#include "simd/sort.h"
#include "stria/dtype.h"

/* How lines of n native numbers are sorted. */
struct value_sort {
    int64_t n, room; /* Numbers of a line, and bytes of memory in which it is sorted. */
    int size;        /* Bytes of a number. */
    bool is_bool, is_float, is_signed, same, counted;
    bool by_radix; /* The level has no kernel. */
    struct key_form form;
    struct crew crew;
};

/* Tells whether numbers of a kind are sorted so, and how. */
bool stria__value_sort(struct value_sort *out, stria_kind kind, int64_t n, bool descending,
                       struct crew crew);

/* Sorts a line from `in` to `out`, which may be the same. */
void stria__sort_values(const struct value_sort *how, char *out, const char *in, char *room);

#endif
