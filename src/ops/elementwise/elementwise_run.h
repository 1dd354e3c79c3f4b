/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations whose operands are checked, and choices among items of any kind. */
#ifndef STRIA_OPS_ELEMENTWISE_RUN_H
#define STRIA_OPS_ELEMENTWISE_RUN_H

#include "engine/elements.h"
#include "ops/elementwise/types.h"

/*
 * Takes the loop of an operation instead of running it. The inputs are those of the operation, or
 * 0-d views that took the place of a scalar and are gone afterwards.
 */
typedef stria_status take_loop(void *by, map_loop *loop, int nops,
                               const struct map_operand *operands);

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
    take_loop *take; /* NULL: it runs */
    void *by;        /* the argument of take */
};

/* Finds the row and the types, and checks everything, of n inputs and out. */
stria_status stria__check_operation(struct operation *operation, int n);

/* Does all of stria_elementwise for what direct.c does not do at once. */
stria_status stria__elementwise_usual(stria_op op, const stria_view *out, int n,
                                      const stria_view *const *operands, const stria_exec *exec);

/* Runs the operation. Nothing is computed where there are no elements or no memory. MEMORY. */
stria_status stria__run_operation(const struct operation *operation);

enum { LOOP_OPERANDS = 4 }; /* inputs of a loop, at most */

/* Runs, explains or hands over a loop of the operation. */
stria_status stria__run_loop(const struct operation *operation, map_loop *loop, int nops,
                             const struct map_operand *operands);

/*
 * out = x where condition holds, else y, all items of one dtype after promotion: that of the
 * kernel, a number or what x, y and out have in common. MEMORY, without a message.
 */
stria_status stria__run_where(const struct operation *operation);

#endif
