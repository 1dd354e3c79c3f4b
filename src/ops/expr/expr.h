/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines an expression: its nodes. */
#pragma once

#include <stdatomic.h>

#include "stria/alloc.h"
#include "stria/expr.h"
#include "stria/plan.h"

enum { OPERANDS = STRIA_MAX_OPERANDS - 1 }; /* Most operands of an operation. */

struct expr_node {
    enum { NODE_INPUT, NODE_SCALAR, NODE_OPERATION, NODE_CAST } what;
    int32_t input;
    stria_op op;
    stria_kind kind; /* Kind of a SCALAR or CAST. */
    int count;       /* Number of operands. */
    int16_t operand[OPERANDS];
    _Alignas(16) char value[16]; /* Value of a SCALAR. */
};

struct ready;
enum { READY_LAYOUTS = 8 }; /* Most evaluations that are kept. */

struct stria_expr {
    stria_allocator from;
    int count, room;
    int inputs; /* Number of the highest input plus one. */
    struct expr_node *nodes;
    _Atomic(struct ready *) ready[READY_LAYOUTS]; /* Kept evaluations (ready.h), then NULL. */
    atomic_int runs;  /* Number of evaluations that could have been kept. */
    const char *name; /* Name of the function whose body it is, for messages; NULL: none. */
};

/* Returns the words that messages about it begin with. */
static inline const char *expr_name(const stria_expr *expr)
{
    return expr && expr->name ? expr->name : "expr";
}

/* Makes an expression with the same nodes. MEMORY. */
stria_status stria__expr_copy(stria_expr **out, const stria_expr *expr);
