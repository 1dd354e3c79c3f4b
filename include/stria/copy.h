/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of elements into other memory or another layout. Any item size and any strides (negative,
 * zero, unaligned); overlapping operands give the result as if the source had been copied first.
 */
#ifndef STRIA_COPY_H
#define STRIA_COPY_H

#include "array.h"
#include "plan.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Copies src to out, broadcast to out's shape and converted to its dtype: out[...] = src. out must
 * be writable (READONLY) and must not overlap itself (OVERLAP). torch.Tensor.copy_, numpy.copyto.
 * BROADCAST, DTYPE, MEMORY (a temporary for overlapping operands). Small copies of a layout that
 * comes again on the same thread are not planned again.
 */
STRIA_API STRIA_MUST_USE stria_status stria_copy(const stria_view *out, const stria_view *src,
                                                 const stria_exec *exec);

/*
 * A copy that was planned once and can be run many times: the collapsed loop nest over (out, src),
 * the strategy that was chosen for it and why. A value: copy it freely; it borrows the memory. It
 * knows addresses only: rights are checked when it is made, so that it writes into a buffer that is
 * frozen later. strategy, reason, cycles, second and second_cycles are for reading; all else is the
 * library's own.
 */
typedef struct stria_copy_plan {
    stria_plan nest;
    const char *strategy; /* "block", "rows", "transpose", ...: static text */
    char reason[96];      /* what decided, with numbers */
    double cycles;      /* estimated cycles of a core, besides memory; 0 where nothing was chosen */
    const char *second; /* the next cheapest strategy, static text; NULL: there is no other */
    double second_cycles; /* cycles that it would cost; meaningful unless second is NULL */
    stria_exec exec;
    struct stria_copy_state { /* private */
        int64_t words[128];
    } state;
} stria_copy_plan;

/* Checks and plans as stria_copy does; operands that overlap are refused (OVERLAP). */
STRIA_API STRIA_MUST_USE stria_status stria_copy_plan_make(stria_copy_plan *out,
                                                           const stria_view *dst,
                                                           const stria_view *src,
                                                           const stria_exec *exec);
STRIA_API void stria_copy_plan_run(const stria_copy_plan *plan);
/*
 * Runs the same copy between other memory of the same layout: element [0, ..., 0] of dst lies at
 * `dst` and that of src at `src`, each the `data` of a view with the dtype, flags, shape and
 * strides that the plan was made for. Alignment may differ; it is part of how fast the copy is, not
 * of what it does. The caller answers for it that the memory is there and, at dst, may be written:
 * a plan knows no bounds and no rights. Overlap is checked in full. OVERLAP when the two share
 * bytes, unless the plan was made for the very same elements and they are so again; ARGUMENT for
 * NULL, and for a plan of memory that does not exist (meta buffers), which decided nothing. Nothing
 * is then written.
 */
STRIA_API STRIA_MUST_USE stria_status stria_copy_plan_run_at(const stria_copy_plan *plan, char *dst,
                                                             const char *src);

typedef enum stria_copy_policy {
    STRIA_COPY_IF_NEEDED = 0,
    STRIA_COPY_NEVER = 1, /* a copy is an error (COPY, or STRIDE when no view exists) */
    STRIA_COPY_ALWAYS = 2
} stria_copy_policy;

/*
 * Makes a's elements dense in the order asked for; the result is the same memory when nothing needs
 * to move. torch.Tensor.contiguous, numpy.ascontiguousarray. *out is owned by the caller; outcome
 * may be NULL. The order is C, F or channels_last; SHAPE when it needs another number of dims.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_contiguous(stria_array *out,
                                                                   const stria_view *a,
                                                                   stria_order order,
                                                                   stria_outcome *outcome,
                                                                   const stria_exec *exec);
/*
 * Copies a's elements to new memory, dense in C order: numpy.ndarray.copy, torch's *_copy functions
 * (permute_copy is stria_permute and this). Conj and neg bits are resolved, and the copy is
 * writable. *out is owned by the caller.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_clone_new(stria_array *out,
                                                                  const stria_view *a,
                                                                  const stria_exec *exec);
/*
 * Does the same in any order; numpy.copy(order=), torch.clone(memory_format=), whose default is
 * STRIA_ORDER_PRESERVE. SHAPE when the order needs another number of dims.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_clone_ordered_new(stria_array *out,
                                                                          const stria_view *a,
                                                                          stria_order order,
                                                                          const stria_exec *exec);
/*
 * Releases memory that a small view keeps alive: copies a's elements to new memory, dense in
 * STRIA_ORDER_PRESERVE, when they take less than `ratio` (0 .. 1) of the bytes of a's buffer;
 * otherwise, and for foreign memory, the result is the same view. *out is owned by the caller and
 * no longer refers to the buffer when outcome, which may be NULL, is IS_COPY. ARGUMENT for another
 * ratio, MEMORY.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_compact(stria_array *out,
                                                                const stria_view *a, double ratio,
                                                                stria_outcome *outcome,
                                                                const stria_exec *exec);
/*
 * Gives the same elements in C order under another shape (one size may be -1): as a view where one
 * exists, else as a copy, as the policy allows. torch.reshape, numpy.reshape(copy=). outcome may be
 * NULL.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_reshape(stria_array *out, const stria_view *a, int ndim, const int64_t *shape,
              stria_copy_policy policy, stria_outcome *outcome, const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
