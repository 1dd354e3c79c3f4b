/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that every elementwise operation makes before anything is written. */
#ifndef STRIA_OPS_ELEMENTWISE_CHECK_H
#define STRIA_OPS_ELEMENTWISE_CHECK_H

#include "ops/elementwise/types.h"

static inline const stria_view *mask_of(const stria_exec *exec)
{
    return exec ? exec->where : NULL;
}

/* exec is valid, and its mask, if there is one, is a view of bool. ARGUMENT, DTYPE. */
stria_status stria__check_masked_exec(const stria_exec *exec, const char *op);

/* The row of op, whose n operands are views that somebody made; exec is one, or NULL. */
stria_status stria__check_inputs(const struct op_info **row, stria_op op, int n,
                                 const stria_view *const *operands, const stria_exec *exec);

/* out can be written, with the inputs broadcast to its shape and the result cast to its dtype. */
stria_status stria__check_output(const struct op_info *row, const stria_view *out,
                                 const stria_view *const *operands, const struct op_types *types,
                                 const stria_exec *exec);

/* The inputs go into the dtype of the kernel by the policy that exec names, as in NumPy. */
stria_status stria__check_input_casts(const struct op_info *row, const stria_view *const *operands,
                                      stria_dtype kernel, const stria_exec *exec);

static inline stria_promotion promotion_of(const stria_exec *exec)
{
    return exec && (exec->hints & STRIA_PROMOTE_AS_NUMPY) ? STRIA_PROMOTE_NUMPY
                                                          : STRIA_PROMOTE_TORCH;
}

#endif
