/* SPDX-License-Identifier: BSD-3-Clause */
/* The dtype that the operands of one operation have in common. */
#ifndef STRIA_OPS_ELEMENTWISE_PROMOTE_H
#define STRIA_OPS_ELEMENTWISE_PROMOTE_H

#include "stria/promote.h"
#include "stria/view.h"

/*
 * torch.result_type or numpy.result_type of n >= 1 operands, in native byte order. Of 0-d operands
 * and weak scalars what the rule says; whether the value of a scalar fits is another question
 * (stria__weak_fits). DTYPE, whose message names dtypes only, when there is none.
 */
stria_status stria__promote_operands(stria_dtype *out, int n, const stria_view *const *operands,
                                     stria_promotion rule);

#endif
