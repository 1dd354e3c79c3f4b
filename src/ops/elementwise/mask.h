/* SPDX-License-Identifier: BSD-3-Clause */
/* The mask of an operation or expression, exec->where. */
#ifndef STRIA_OPS_ELEMENTWISE_MASK_H
#define STRIA_OPS_ELEMENTWISE_MASK_H

#include "engine/program.h"

static inline const stria_view *mask_of(const stria_exec *exec)
{
    return exec ? exec->where : NULL;
}

/* exec is valid, and its mask, if there is one, is a view of bool. ARGUMENT, DTYPE. */
stria_status stria__check_masked_exec(const stria_exec *exec, const char *op);

/* The kernel that chooses among items of `item` bytes: 1, 2, 4, 8 or 16. */
map_loop *stria__choose_items(int64_t item);

/* mask for an output whose items have `item` bytes: 1, 2, 4, 8 or 16. mask may be NULL. */
struct map_mask stria__mask_for(const stria_view *mask, int64_t item);

#endif
