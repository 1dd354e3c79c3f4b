/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The odometer: visits every index of the dims first .. ndim - 1 of a plan, the innermost of them
 * fastest, and keeps the address of each operand. A walk turns it over the dims outside the two
 * that its loop covers, and over the blocks of a plan.
 *
 *     struct odometer at;
 *     stria__odometer_start(&at, plan, 2);
 *     do
 *         loop(at.ptr, plan->dims, arg);
 *     while (stria__odometer_next(&at, plan));
 */
#ifndef STRIA_SRC_ODOMETER_H
#define STRIA_SRC_ODOMETER_H

#include <string.h>

#include "plan.h"

struct odometer {
    int first;
    char *ptr[STRIA_MAX_OPERANDS];
    int64_t index[STRIA_MAX_NDIM]; /* indices of the dims from `first` on; the others are not set */
};

/* Begins at index 0 of every dim. The plan must not be empty. first may be ndim: one visit. */
static inline void stria__odometer_start(struct odometer *out, const stria_plan *plan, int first)
{
    out->first = first;
    memcpy(out->ptr, plan->ptr, (size_t)plan->nops * sizeof plan->ptr[0]);
    for (int d = first; d < plan->ndim; d++)
        out->index[d] = 0;
}

/* Goes on to the next index. False after the last one; the odometer is then back at the first. */
static inline bool stria__odometer_next(struct odometer *at, const stria_plan *plan)
{
    for (int d = at->first; d < plan->ndim; d++) {
        const stria_dim *dim = &plan->dims[d];
        const bool carry = ++at->index[d] == dim->n;
        const int64_t by = carry ? 1 - dim->n : 1;
        for (int k = 0; k < plan->nops; k++)
            at->ptr[k] = stria__at(at->ptr[k], by, dim->s[k]);
        if (!carry) return true;
        at->index[d] = 0;
    }
    return false;
}

/* Goes on to the next index of a shape in C order; false after the last one, back at the first. */
static inline bool stria__next_index(int64_t *index, int ndim, const int64_t *shape)
{
    for (int d = ndim; d-- > 0;) {
        if (++index[d] < shape[d]) return true;
        index[d] = 0;
    }
    return false;
}

/* Finds the index of the element of that number in C order. */
static inline void stria__index_of(int64_t *index, int ndim, const int64_t *shape, int64_t number)
{
    for (int d = ndim; d-- > 0; number /= shape[d])
        index[d] = number % shape[d];
}

#endif
