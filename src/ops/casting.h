/* SPDX-License-Identifier: BSD-3-Clause */
/* The policy by which a result goes into an output of another dtype. */
#ifndef STRIA_OPS_CASTING_H
#define STRIA_OPS_CASTING_H

#include "stria/cast.h"

/* "same_kind": NumPy's name of a policy. */
const char *stria__policy_name(stria_cast_policy policy);

/* What exec's hints say, of which one is set at most; same_kind where there is none. */
stria_cast_policy stria__casting_of(const stria_exec *exec);

#endif
