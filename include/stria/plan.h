/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dimension-collapsing iterator. A plan turns any set of views into the shortest loop nest
 * that visits the same elements together: broadcast, drop, flip, sort, then merge every pair of
 * dims with stride[i] = stride[i+1] * size[i+1] in all operands. Bring a loop over two dims and
 * get ordered, collapsed, threaded iteration over anything.
 *
 *     static void add(char *const *ptr, const stria_dim *d, const void *arg) { ... }
 *     stria_plan plan;
 *     stria_plan_make(&plan, 3, (const stria_view *[]){&out, &a, &b}, 0);
 *     stria_walk(&plan, add, NULL, NULL);
 */
#ifndef STRIA_PLAN_H
#define STRIA_PLAN_H

#include "threads.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STRIA_MAX_OPERANDS 8

typedef struct stria_dim {
    int64_t n;                     /* iterations */
    int64_t s[STRIA_MAX_OPERANDS]; /* bytes from one to the next, for each operand */
} stria_dim;

typedef struct stria_plan {
    int32_t ndim; /* 1 .. STRIA_MAX_NDIM */
    int32_t nops; /* 1 .. STRIA_MAX_OPERANDS; operand 0 is the output */
    char *ptr[STRIA_MAX_OPERANDS];
    stria_dim dims[STRIA_MAX_NDIM]; /* dims[0] is innermost; an empty set has one dim of n = 0 */
} stria_plan;

enum {
    STRIA_PLAN_KEEP_ORDER = 1 /* visit in C order of the indices: dims are merged, but neither
                                 sorted nor flipped */
};

/*
 * Plans over nops views (1..8), broadcast to the shape of operand 0, which is never broadcast
 * itself; further leading sizes of 1 in the others are dropped, as in numpy.copyto. The views are
 * only read, and of them only addresses, sizes and strides: dtypes, rights and lazy conj and neg
 * bits are the caller's business. Lives on the caller's stack, allocates nothing. BROADCAST when a
 * shape does not fit operand 0's, SHAPE for a negative size, ARGUMENT for NULL, unknown flags and
 * what is no view, DTYPE for what is no dtype (view.h).
 */
STRIA_API STRIA_MUST_USE stria_status stria_plan_make(stria_plan *out, int nops,
                                                      const stria_view *const *views,
                                                      uint32_t flags);

/*
 * A loop is called for d[0].n x d[1].n elements at a time: element (i, j) of operand k lies at
 * ptr[k] + i * d[0].s[k] + j * d[1].s[k]. If the plan has one dim, d[1].n is 1.
 */
typedef void stria_loop(char *const *ptr, const stria_dim *d, const void *arg);

/*
 * Runs loop over the whole plan, never with an empty d. exec NULL means the defaults. When the work
 * is large the loop runs on several threads, each on a part of the outermost dims, so its result
 * must not depend on the order of the calls. Dims in which operand 0 has stride 0 stay in one
 * thread: a loop may accumulate into operand 0. A loop that depends on the order of the visits
 * needs STRIA_PLAN_KEEP_ORDER and exec->threads 1. Nothing is reported: plan or loop NULL and a
 * cleared plan visit nothing, a negative number of threads means the default.
 */
STRIA_API void stria_walk(const stria_plan *plan, stria_loop *loop, const void *arg,
                          const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
