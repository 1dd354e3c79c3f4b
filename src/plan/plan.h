/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Internal functions of plans: the passes one by one, and what the layers above do with a finished
 * plan. A caller that has no views fills ptr, nops, ndim and dims (innermost first, stride 0 where
 * an operand repeats) and calls stria__plan_collapse; flags and offset may stay unset.
 *
 * NOTE [Addresses wrap]: a plan never dereferences. Addresses are computed in unsigned arithmetic,
 * so that plans over memory that does not exist (meta buffers) and the extreme strides of an empty
 * or hand-made view are as well defined as any other.
 */
#pragma once

#include <string.h>

#include <stdbool.h>
#include <stdint.h>

#include "stria/plan.h"

/* Returns the address of element i of a row at base; see NOTE [Addresses wrap]. */
static inline char *stria__at(char *base, int64_t i, int64_t s)
{
    return (char *)((uintptr_t)base + (uintptr_t)i * (uintptr_t)s);
}

/*
 * Returns BROADCAST with a message why a does not fit out's shape, for a caller whose arguments
 * have names.
 */
stria_status stria__refuse_broadcast(const char *op, const stria_view *out, const char *out_name,
                                     const stria_view *a, const char *name);

/*
 * The passes of stria_plan_make in its order. Each keeps the multiset of visited pointer tuples;
 * all but flip and sort keep the order of the visits too.
 */
void stria__plan_broadcast(stria_plan *out, int nops, const stria_view *const *views);
void stria__plan_drop(stria_plan *plan);
void stria__plan_flip(stria_plan *plan);
void stria__plan_sort(stria_plan *plan);
void stria__plan_merge(stria_plan *plan);

/* Merges neighbours of a list of dims that continue each other in all operands; returns how many.
 */
int stria__merge_dims(stria_dim *dims, int ndim, int nops);

/*
 * Runs every pass after broadcast, according to the flags of stria_plan_make; plan->ndim may be 0.
 */
void stria__plan_collapse(stria_plan *plan, uint32_t flags);

/*
 * Returns ARGUMENT or SHAPE for a plan that a caller made by hand and that no pass could have made.
 */
stria_status stria__check_plan(const stria_plan *plan, const char *op);

/* Counts the elements visited; INT64_MAX when there are more. */
int64_t stria__plan_numel(const stria_plan *plan);

/* Finds the dim, other than 0, along which operand k is dense with items of that size; 0: there is
 * none. */
int stria__plan_dense_dim(const stria_plan *plan, int k, int64_t item);

/* Tells whether every row of operand 0, along dim 0, begins at a multiple of `bytes`. */
bool stria__rows_begin_on(const stria_plan *plan, int64_t bytes);

/*
 * Computes the bytes of cache lines that one pass over the plan moves, by the strides alone, since
 * a plan knows no item sizes: each element costs its operand's smallest step, 64 at most.
 * Saturates.
 */
int64_t stria__plan_traffic(const stria_plan *plan);

/*
 * The bytes that an operand spans, as addresses from the lowest byte to the one after the highest,
 * by which two operands are quickly told apart.
 */
struct span {
    uintptr_t low, high;
};

/* Computes the span of operand k, whose items have `item` bytes; the plan is not empty. */
struct span stria__span_of(const stria_plan *plan, int k, int64_t item);

static inline bool stria__apart(struct span a, struct span b)
{
    return a.high <= b.low || b.high <= a.low;
}

/*
 * Tells whether rows of items that are `step` bytes apart share no byte although their spans meet,
 * as columns of one matrix: wherever two items are, the bytes between them are the same but for
 * whole steps.
 */
static inline bool stria__interleave(const void *a, int64_t item_a, const void *b, int64_t item_b,
                                     int64_t step)
{
    const uint64_t s = step < 0 ? -(uint64_t)step : (uint64_t)step;
    const bool first = (uintptr_t)a <= (uintptr_t)b;
    if (s == 0) return false;
    const uint64_t between =
        (first ? (uintptr_t)b - (uintptr_t)a : (uintptr_t)a - (uintptr_t)b) % s;
    return between >= (uint64_t)(first ? item_a : item_b) &&
           s - between >= (uint64_t)(first ? item_b : item_a);
}

/* Steps of the exact overlap decision before a call settles for a temporary. */
enum { OVERLAP_WORK = 4096 };

/* Copies the entries that are in use: most plans use 300 bytes of the 4.7 KB of the struct. */
void stria__plan_copy(stria_plan *out, const stria_plan *plan);

/* Makes the part begin <= i < end of one dim, which must not be empty. out may be plan itself. */
void stria__plan_part(stria_plan *out, const stria_plan *plan, int dim, int64_t begin, int64_t end);

/*
 * Returns the set of dims in which the output moves: bit d is set when dims[d].s[0] is not 0. If
 * only these are cut, no two parts write the same element.
 */
uint64_t stria__plan_moving(const stria_plan *plan);

/*
 * Runs body over parts of the plan that together are the plan, on at most `threads` threads (see
 * stria__threads_for), or once over the plan itself when there is one thread or nothing to cut.
 * Parts are boxes. They are cut from the outermost dims inwards, where there is room to choose at
 * multiples of 64 elements that begin a cache line of the output. Only dims whose bit is set in
 * `dims` are cut: stria__plan_moving for a loop that writes, or adds up into, operand 0; more where
 * the body gives each part an output of its own, as a reduction does with partial results. Where a
 * watch is asked between parts, these have at most about `each` elements.
 */
enum { WATCHED_PIECE = 1 << 17, SLOW_PIECE = 1 << 15 /* elements that take 2 ms, and slow ones */ };
typedef void stria__plan_body(const stria_plan *part, const void *arg);
void stria__plan_parallel_along(const stria_plan *plan, uint64_t dims, const stria_exec *exec,
                                int threads, int64_t each, stria__plan_body *body, const void *arg);

/* Does the same along the dims in which the output moves. */
void stria__plan_parallel(const stria_plan *plan, const stria_exec *exec, int threads, int64_t each,
                          stria__plan_body *body, const void *arg);

/*
 * Does what stria_walk does in given blocks (walk_block.h), or without any if block is NULL; the
 * flags of the plan are not read and nothing is checked.
 */
struct walk_block;
stria_status stria__walk(const stria_plan *plan, const struct walk_block *block, stria_loop *loop,
                         const void *arg, const stria_exec *exec);

/* ---- the odometer ---------------------------------------------------------------------------- */

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
struct odometer {
    int first;
    char *ptr[STRIA_MAX_OPERANDS];
    /* Indices of the dims from `first` on; the others are not set. */
    int64_t index[STRIA_MAX_NDIM];
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

/* Finds the index of the element with that number in C order. */
static inline void stria__index_of(int64_t *index, int ndim, const int64_t *shape, int64_t number)
{
    for (int d = ndim; d-- > 0; number /= shape[d])
        index[d] = number % shape[d];
}
