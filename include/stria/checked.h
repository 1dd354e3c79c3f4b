/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elementwise operations on integers that report what does not fit; elementwise.h says what holds
 * for all operations.
 */
#ifndef STRIA_CHECKED_H
#define STRIA_CHECKED_H

#include "array.h"
#include "op.h"
#include "threads.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Operations on integers that do not wrap: those of the functions without _checked, but where a
 * result does not fit into the dtype in which it is computed the first such element in C order is
 * reported, with its operands and its index in the shape to which the inputs broadcast, and nothing
 * is written (OVERFLOW). A divisor of 0 is reported as well (ARGUMENT). Elements that exec->mask
 * leaves out are not looked at. Floats, complex numbers and bool are refused (DTYPE), and so is an
 * out that does not hold every number of the dtype. They read the inputs twice; C23's ckd_add,
 * Rust's checked_add, but for arrays.
 */
STRIA_API STRIA_MUST_USE stria_status stria_add_checked(const stria_view *out, const stria_view *a,
                                                        const stria_view *b,
                                                        const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_subtract_checked(const stria_view *out,
                                                             const stria_view *a,
                                                             const stria_view *b,
                                                             const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_multiply_checked(const stria_view *out,
                                                             const stria_view *a,
                                                             const stria_view *b,
                                                             const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_negative_checked(const stria_view *out,
                                                             const stria_view *a,
                                                             const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_floor_divide_checked(const stria_view *out,
                                                                 const stria_view *a,
                                                                 const stria_view *b,
                                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_remainder_checked(const stria_view *out,
                                                              const stria_view *a,
                                                              const stria_view *b,
                                                              const stria_exec *exec);

/* The call by number: STRIA_ADD, SUBTRACT, MULTIPLY, NEGATIVE, FLOOR_DIVIDE or REMAINDER. */
STRIA_API STRIA_MUST_USE stria_status stria_elementwise_checked(const stria_view *out, stria_op op,
                                                                int n,
                                                                const stria_view *const *operands,
                                                                const stria_exec *exec);

/* Do the same into new arrays, as those without _checked. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_elementwise_checked_new(stria_array *out, stria_op op, int n,
                              const stria_view *const *operands, const stria_exec *exec);

#define STRIA_CHECKED_LIST(NAME)                                                                   \
    NAME(STRIA_ADD, add, 2)                                                                        \
    NAME(STRIA_SUBTRACT, subtract, 2)                                                              \
    NAME(STRIA_MULTIPLY, multiply, 2)                                                              \
    NAME(STRIA_NEGATIVE, negative, 1)                                                              \
    NAME(STRIA_FLOOR_DIVIDE, floor_divide, 2)                                                      \
    NAME(STRIA_REMAINDER, remainder, 2)
#define STRIA_CHECKED_NEW(constant, name, inputs)                                                  \
    STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_##name##_checked_new(                  \
        stria_array *out, STRIA_NEW_OF_##inputs, const stria_exec *exec);
STRIA_CHECKED_LIST(STRIA_CHECKED_NEW)
#undef STRIA_CHECKED_NEW

#ifdef __cplusplus
}
#endif

#endif
