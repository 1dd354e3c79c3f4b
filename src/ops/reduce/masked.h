/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests with an option as requests without it. */
#ifndef STRIA_OPS_REDUCE_MASKED_H
#define STRIA_OPS_REDUCE_MASKED_H

#include "ops/reduce/derived.h"

/* A fold with a mask: what the mask leaves out becomes what changes nothing. */
stria_status stria__reduce_masked(struct derived *d);
/* Reduces in the widest dtype, then combines the result with the initial value. */
stria_status stria__reduce_initial(struct derived *d);
/* Casts the elements to the dtype that was asked for, and reduces those. */
stria_status stria__reduce_cast(struct derived *d);

#endif
