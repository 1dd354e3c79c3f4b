/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers sorted by themselves, without their places. Numbers that are equal but not the same,
 * zeros, NaN and bools, keep their order.
 */
#pragma once

#include "ops/order/value_keys.h"
#include "plan/threads.h"

/* How lines of n native numbers are sorted. */
struct value_sort {
    int64_t n, rows, room; /* rows: lines that are sorted at once; room: the bytes they do it in */
    bool is_bool, counted;
    bool real; /* numbers are sorted as they are, but where there are NaN or -0 */
    struct value_form form;
    struct crew crew;
};

/* Tells whether lines of n numbers of a kind are sorted so, and how. */
bool stria__value_sort(struct value_sort *out, stria_kind kind, int64_t n, int64_t lines,
                       bool descending, struct crew crew);

/* Sorts lines, which follow each other, from `in` to `out`, which may be the same. */
void stria__sort_values(const struct value_sort *how, char *out, const char *in, int64_t lines,
                        char *room);

/* The same for one line of integers of 8 or 16 bits, or bools, that are counted: counting.c. */
int64_t stria__counting_size(const struct value_sort *how);
void stria__sort_by_counts(const struct value_sort *how, char *out, const char *in, char *room);
