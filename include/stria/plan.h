/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan is an iterator over any set of views. It finds the shortest loop nest that visits the
 * same elements together: it broadcasts, drops dims of size 1, flips and sorts the others, then
 * merges every pair of dims with stride[i] = stride[i+1] * size[i+1] in all operands. A loop over
 * two dims is all that a caller has to bring to get ordered, collapsed, cache-blocked and threaded
 * iteration over anything. numpy.nditer with external_loop and ATen's TensorIterator are its
 * relatives.
 *
 *     static stria_status add(char *const *ptr, const stria_dim *d, const void *arg) { ... }
 *     stria_plan plan;
 *     stria_status status = stria_plan_make(&plan, 3, (const stria_view *[]){&out, &a, &b}, 0);
 *     if (!status) status = stria_walk(&plan, add, NULL, NULL);
 */
#ifndef STRIA_PLAN_H
#define STRIA_PLAN_H

#include "threads.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STRIA_MAX_OPERANDS = 8 };

typedef struct stria_dim {
    int64_t n;                     /* iterations */
    int64_t s[STRIA_MAX_OPERANDS]; /* bytes from one to the next, for each operand */
} stria_dim;

/*
 * A value: copy it freely. It borrows the memory of the views. Clear one that is made by hand.
 * ndim, nops, ptr and dims are for reading, and to change where a walk goes.
 */
typedef struct stria_plan {
    int32_t ndim; /* 1 .. STRIA_MAX_NDIM */
    int32_t nops; /* 1 .. STRIA_MAX_OPERANDS; operand 0 is the output */
    char *ptr[STRIA_MAX_OPERANDS];
    stria_dim dims[STRIA_MAX_NDIM]; /* dims[0] is innermost; an empty set has one dim of n = 0 */
    uint32_t flags;                 /* the argument of stria_plan_make */
    int64_t
        offset[STRIA_MAX_OPERANDS]; /* bytes from a view's data to ptr, which flips have moved */
    uint64_t reserved[8];           /* the library's own */
} stria_plan;

enum {
    STRIA_PLAN_KEEP_ORDER = 1 /* visit in C order of the indices: dims are merged, but neither
                                 sorted nor flipped */
};

/*
 * Plans over n views (1..8), broadcast to the shape of operand 0, which is never broadcast
 * itself; further leading sizes of 1 in the others are dropped, as in numpy.copyto. The views are
 * only read, and of them only addresses, sizes and strides: dtypes, rights and lazy conj and neg
 * bits are the caller's business. Lives on the caller's stack, allocates nothing. BROADCAST when a
 * shape does not fit operand 0's, SHAPE for a negative size, ARGUMENT for NULL, unknown flags and
 * what is no view, DTYPE for what is no dtype (view.h).
 */
STRIA_API STRIA_MUST_USE stria_status stria_plan_make(stria_plan *out, int n,
                                                      const stria_view *const *views,
                                                      uint32_t flags);

/*
 * Lets a plan visit other memory of the same layout, at a small part of what planning costs: from
 * now on element [0, ..., 0] of operand k lies at data[k], which is the `data` of a view. The
 * caller answers for it that this memory has the shapes and strides of the views that the plan was
 * made of, and stays alive; the plan knows no bounds and no item sizes, so nothing of that is
 * checked. Addresses need no alignment beyond what the loop wants. ARGUMENT for NULL, for a number
 * of operands that is not the plan's, and for a data[k] that is NULL unless the plan is empty; the
 * plan is then what it was.
 */
STRIA_API STRIA_MUST_USE stria_status stria_plan_rebind(stria_plan *plan, int n, char *const *data);

/*
 * One call covers d[0].n x d[1].n elements: element (i, j) of operand k lies at
 * ptr[k] + i * d[0].s[k] + j * d[1].s[k]. A plan of one dim is given a d[1] with n = 1. Returns
 * STRIA_OK to go on; any other status ends the walk. stria_last_error stays what it was.
 */
typedef stria_status stria_loop(char *const *ptr, const stria_dim *d, const void *arg);

/*
 * Runs loop over the whole plan, never with an empty d, and returns the first status that is not
 * OK. exec NULL means the defaults.
 *
 * Order. d[0] runs along the plan's dim 0 and d[1] along its dim 1. Where operands disagree on the
 * innermost dim, so that lines of one of them would leave the cache before they are used up, d[0]
 * and d[1] are pieces of dim 0 and of a dim along which another operand takes small steps. Plans
 * with STRIA_PLAN_KEEP_ORDER are never cut into such blocks: on one thread (exec->threads 1) their
 * elements come in C order.
 *
 * Threads. When the work is large the loop runs on several threads at once, each on a part of the
 * plan. Dims in which operand 0 has stride 0 stay in one thread, so a loop may add up into operand
 * 0; the terms of one element of operand 0 then come in the same order for any number of threads.
 *
 * Stopping. After a call of the loop has returned another status than OK, the thread that made the
 * call makes no further one. Other threads finish the call that they are in and make no further
 * call once they see it, which may be one call later. The elements that were visited until then
 * stay as the loop left them. Where several threads stop at once, the status of one of them is
 * returned.
 *
 * ARGUMENT for NULL, for a plan whose ndim, nops or flags are out of range, for a negative number
 * of threads and unknown hints, and SHAPE for a negative size; the loop is then not called.
 */
STRIA_API STRIA_MUST_USE stria_status stria_walk(const stria_plan *plan, stria_loop *loop,
                                                 const void *arg, const stria_exec *exec);

/*
 * Bytes of a dense run from which other libraries that copy run by run, as MPIs do for a datatype,
 * are as fast as a copy of Stria's.
 */
STRIA_API int64_t stria_plan_long_run(void);

#ifdef __cplusplus
}
#endif

#endif
