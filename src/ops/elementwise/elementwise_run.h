/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations whose operands are checked: the kernel of each, and how it runs. */
#ifndef STRIA_OPS_ELEMENTWISE_RUN_H
#define STRIA_OPS_ELEMENTWISE_RUN_H

#include "engine/program.h"
#include "ops/elementwise/types.h"
#include "ops/elementwise/weak_scalar.h"

/* The operands of one operation: out and as many inputs as it takes. */
struct operation {
    stria_op op;
    const struct op_info *row;
    struct op_types types;
    const stria_view *out;
    const stria_view *const *inputs;
    const stria_exec *exec;
    const stria_view *mask; /* mask of the elements that are written; NULL: all */
    char *text; /* text that receives how it would run, instead of running it; NULL: it runs */
    size_t size;
};

/* The kernel of an operation over its operands, or what takes their places. */
struct op_kernel {
    stria_op op; /* which it computes: a square for a power by 2 */
    struct map map;
    struct substitute substitute[MAP_OPERANDS], mask;
};

/*
 * Finds the kernel of an operation, which stays where it is as long as it is used. Of inputs that
 * have no data only the dtype is looked at.
 */
void stria__op_kernel(struct op_kernel *out, const struct operation *operation);

/* Finds the row and the types, and checks everything, of n inputs and out. */
stria_status stria__check_operation(struct operation *operation, int n);

/* Does all of stria_elementwise for what elementwise_direct.c does not do at once. */
stria_status stria__elementwise_usual(stria_op op, const stria_view *out, int n,
                                      const stria_view *const *operands, const stria_exec *exec);

/* Runs the operation. Nothing is computed where there are no elements or no memory. MEMORY. */
stria_status stria__run_operation(const struct operation *operation);

/* The kernel of where for items of `item` bytes: 1, 2, 4, 8 or 16; of others there is none, NULL.
 */
map_loop *stria__where_items(int64_t item);

/* One that is faster where the output is the last input, if there is one. */
map_loop *stria__choose_items(int64_t item);

#endif
