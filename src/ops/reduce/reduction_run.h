/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the kernels of a reduction that was checked, and runs it. */
#ifndef STRIA_OPS_REDUCE_REDUCTION_RUN_H
#define STRIA_OPS_REDUCE_REDUCTION_RUN_H

#include <stddef.h>

#include "ops/reduce/reduction_check.h"

/* The dtype in which the kernels read the elements. */
stria_kind stria__reduction_takes(const struct reduce_call *c);

/* The kernels of a reduction of real numbers that was checked, and what they take and give. */
struct reduction;
void stria__choose_fold(struct reduction *r, const struct reduce_call *c);

/*
 * Reduces into kept, whose dims are those of a that are not reduced, or explains it where text is
 * not NULL. Nothing of the two is shared.
 */
stria_status stria__run_reduction(const struct reduce_call *c, const stria_view *kept, char *text,
                                  size_t size);

#endif
