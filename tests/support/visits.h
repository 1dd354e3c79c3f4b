/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The visits of an iteration: the list of its pointer tuples, one pointer per operand. The list of
 * a set of views comes from index arithmetic alone (divide and modulo for every element), so that
 * it can judge plans; the list of a plan is read off its dims in order.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stria/plan.h"

struct visits {
    int nops;
    int64_t count, room;
    uintptr_t (*at)[STRIA_MAX_OPERANDS];
};

struct visits visits_new(int nops, int64_t room);
void visits_free(struct visits *v);
void visits_add(struct visits *v, char *const *ptr);
/* Adds all elements of one call of a loop. */
void visits_add_all(struct visits *v, char *const *ptr, const stria_dim *d);

/* Lists the elements of views broadcast to views[0], in C order of its indices. */
struct visits visits_of_views(int nops, const stria_view *const *views);
/* Lists the elements of a plan; dims[0] is the fastest. */
struct visits visits_of_plan(const stria_plan *plan);

bool visits_same_sequence(const struct visits *a, const struct visits *b);
bool visits_same_multiset(struct visits *a, struct visits *b); /* sorts both lists */

/* Random operands that broadcast to the first; the views lie in no memory. */
struct operands {
    int nops;
    stria_view view[STRIA_MAX_OPERANDS];
    const stria_view *list[STRIA_MAX_OPERANDS];
};
/*
 * Draws shapes with 0 and 1, dense in any order of dims, stepped, flipped, or any strides at all
 * (zero, odd, overlapping); strides that must not matter are garbage.
 */
void operands_random(struct operands *out, uint64_t seed);
void operands_print(const struct operands *o); /* writes to cmocka's error stream */

/* Makes a view of f32 items in foreign memory, without checks. */
stria_view view_by_hand(char *data, int ndim, const int64_t *shape, const int64_t *strides);
