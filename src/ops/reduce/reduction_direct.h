/* SPDX-License-Identifier: BSD-3-Clause */
/* Small reductions of dense arrays go to their kernel without a plan. */
#ifndef STRIA_OPS_REDUCE_REDUCTION_DIRECT_H
#define STRIA_OPS_REDUCE_REDUCTION_DIRECT_H

#include <stdbool.h>

#include "ops/reduce/reduction_check.h"

/* Does all of it, or nothing: false where anything is unusual, or to be refused. */
bool stria__reduce_direct(struct reduce_call *c, const stria_view *out);

#endif
