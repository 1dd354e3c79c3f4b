/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection among keys (sort_keys.h), and the elements of views as numbers of one kind. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ops/order/sort_keys.h"
#include "plan/threads.h"
#include "stria/dtype.h"
#include "stria/order_statistics.h"
#include "stria/view.h"

/* A key, how many before it are the same, and the one after it, where that was found as well. */
struct nth {
    int64_t key, equal, next;
    bool has_next;
};

/* Finds key k of n in order; changes the keys. There is a spare in any case. */
struct nth stria__nth_key(const struct key_sort *s, int64_t n, int64_t k, const struct crew *crew);

/* Tells whether a method gives one of the elements, not a mean of two. */
bool stria__quantile_picks(stria_quantile_method method);

/* ---- checks ---------------------------------------------------------------------------------- */

/* Checks that a view holds real numbers in memory. */
stria_status stria__check_real(const stria_view *a, const char *op, const char *name);

/* ---- the elements of a view as numbers of one kind, in C order, piece by piece -------------- */

/* The part of a thread, and the number of its next element. */
struct numbers_at {
    int64_t part, first;
};

/* Takes the next n numbers; a status other than OK ends it. */
typedef stria_status take_numbers(const void *numbers, int64_t n, struct numbers_at at,
                                  void *context);

/*
 * kind is one of 8 bytes. a holds numbers, in memory, of which every thread of the crew takes a
 * part at the same time; NULL: one thread takes all. What fails is taken by one thread once more,
 * which fails as it would have at first.
 */
stria_status stria__numbers(const stria_view *a, stria_kind kind, take_numbers *take, void *context,
                            const struct crew *crew);
