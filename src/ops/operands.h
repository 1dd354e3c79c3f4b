/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks of operands before anything is written: rights, dtypes, and overlap. It includes the
 * headers that nearly every operation needs. An output's elements share no byte with each other; if
 * they share bytes with inputs, the result is as if these had been copied first, or
 * STRIA_NO_OVERLAP refuses the call. In messages a call is named `op`, and an operand `name`.
 */
#pragma once

#include <stdint.h>

#include "machine/fp_mode.h"
#include "ops/make.h"
#include "plan/plan.h"
#include "plan/threads.h"
#include "stria/cast.h"
#include "stria/copy.h"
#include "stria/overlap.h"
#include "view/array.h"

/* ---- rights ---------------------------------------------------------------------------------- */

/* Checks that `a` is a view and not read-only. */
STRIA_FOR_LINALG stria_status stria__check_writable(const stria_view *a, const char *op,
                                                    const char *name);

/* ---- dtypes ---------------------------------------------------------------------------------- */

/* Returns DTYPE with the message "op: name is dtype", followed by `why`. */
STRIA_FOR_LINALG stria_status stria__refuse_dtype(stria_dtype dtype, const char *op,
                                                  const char *name, const char *why);

/* Refuses a dtype that is no number. DTYPE. */
STRIA_FOR_LINALG stria_status stria__check_number(stria_dtype dtype, const char *op,
                                                  const char *name);

/* Returns NumPy's name of a policy, such as "same_kind". */
const char *stria__policy_name(stria_cast_policy policy);

/* Returns the policy of exec's hints, at most one of which is set; same_kind if none is. */
stria_cast_policy stria__casting_of(const stria_exec *exec);

/* Refuses an output of a dtype into which the result's does not cast. DTYPE. */
stria_status stria__check_result(stria_dtype result, const stria_view *out,
                                 stria_cast_policy policy, const char *op, const char *name);

/* ---- overlap --------------------------------------------------------------------------------- */

/* Refuses to read a view in a meta buffer. UNSUPPORTED. */
stria_status stria__check_memory(const stria_view *a, const char *op, const char *name);

/* Checks that `out` takes a result of a dtype and shape under same_kind rules. SHAPE, DTYPE,
 * OVERLAP.
 */
STRIA_FOR_LINALG stria_status stria__check_out(const stria_view *out, int ndim,
                                               const int64_t *shape, stria_dtype result,
                                               const char *op);

/*
 * Tells whether each dim of the output steps over everything that the dims inside it span, so that
 * no two elements share a byte. If it returns false they may.
 */
bool stria__steps_clear(const stria_plan *plan, int64_t item);

/* Checks that no two elements share a byte. OVERLAP. */
stria_status stria__check_itself(const stria_view *dst, const char *op, const char *name);

/* An output of a call. */
struct output {
    const char *op, *name;
    const stria_view *view;
    const stria_exec *exec;
};

/* Checks that `a` broadcasts to the shape of the output, which is never broadcast. BROADCAST. */
stria_status stria__check_broadcasts(const struct output *out, const stria_view *a,
                                     const char *name);

bool stria__forbids_overlap(const stria_exec *exec);

/*
 * Tells in *apart whether the output may be written while `a` is read: they share no byte, or
 * `in_place` allows them to be the same elements and they are. OVERLAP, if they are not apart and
 * the hint forbids it.
 */
STRIA_FOR_LINALG stria_status stria__check_apart(bool *apart, const struct output *out,
                                                 const stria_view *a, const char *name,
                                                 bool in_place);

/* Narrows *apart by one more operand, which may be NULL. */
stria_status stria__and_apart(bool *apart, const struct output *out, const stria_view *a,
                              const char *name);

/* Writes a result to a view of the shape and dtype of the output. */
typedef stria_status write_result(void *arg, const stria_view *to);

/* Writes to the output or, if that is not apart from the inputs, to new memory first. */
stria_status stria__write_apart(const struct output *out, bool apart, write_result *write,
                                void *arg);

/* A result of a function that writes into a view or makes an array (ops/doors.h). */
struct result {
    const char *op;
    int count;
    const stria_view *const *inputs; /* An array is made near them. */
    stria_dtype dtype;
    int ndim;
    const int64_t *shape;
    stria_order order; /* of an array that is made */
    bool computes;     /* The inputs' elements need not cast to its dtype. */
    bool plain;        /* write takes nothing but C order without lazy signs. */
    write_result *write;
    void *arg;
};

/* Writes it to `out` or, where that is NULL, to a new array. */
stria_status stria__give_result(const stria_view *out, stria_array *made, const struct result *r,
                                const stria_exec *exec);

/* Shares an array that is read, or copies it if it has bytes in common with one that will be
 * written. */
STRIA_FILLS stria_status stria__read_apart(stria_array *out, const stria_view *a,
                                           const stria_view *written);
