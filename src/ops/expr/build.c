/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes expressions node by node. */
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "ops/expr/ready.h"
#include "base/status.h"

enum { FEW_NODES = 8 };

static stria_status no_memory(void)
{
    return stria__fail(STRIA_ERR_MEMORY, "expr: no memory for its nodes");
}

stria_status stria_expr_make(stria_expr **out)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "expr: out is NULL");
    const stria_allocator from = stria__allocator();
    stria_expr *const made = from.alloc(sizeof *made, _Alignof(max_align_t), from.context);
    if (!made) return no_memory();
    memset(made, 0, sizeof *made);
    made->from = from;
    *out = made;
    return STRIA_OK;
}

static void free_nodes(stria_expr *expr)
{
    if (expr->nodes)
        expr->from.free(expr->nodes, (size_t)expr->room * sizeof *expr->nodes, expr->from.context);
}

void stria_expr_release(stria_expr *expr)
{
    if (!expr) return;
    stria__ready_free(expr);
    free_nodes(expr);
    expr->from.free(expr, sizeof *expr, expr->from.context);
}

static stria_status make_room(stria_expr *expr)
{
    stria__ready_free(expr);
    if (expr->count < expr->room) return STRIA_OK;
    const int room = expr->room ? 2 * expr->room : FEW_NODES;
    const size_t size = (size_t)room * sizeof *expr->nodes;
    struct expr_node *const nodes =
        expr->from.alloc(size, _Alignof(max_align_t), expr->from.context);
    if (!nodes) return no_memory();
    if (expr->nodes) memcpy(nodes, expr->nodes, (size_t)expr->count * sizeof *nodes);
    free_nodes(expr);
    expr->nodes = nodes;
    expr->room = room;
    return STRIA_OK;
}

stria_status stria__expr_copy(stria_expr **out, const stria_expr *expr)
{
    stria_expr *made;
    STRIA_TRY(stria_expr_make(&made));
    while (made->count < expr->count) {
        if (make_room(made) != STRIA_OK) {
            stria_expr_release(made);
            return STRIA_ERR_MEMORY;
        }
        made->nodes[made->count] = expr->nodes[made->count];
        made->count++;
    }
    made->inputs = expr->inputs;
    *out = made;
    return STRIA_OK;
}

static stria_status check_node(const stria_expr *expr, const int *node)
{
    if (!expr || !node)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: %s is NULL", expr ? "node" : "expr");
    if (expr->count == STRIA_EXPR_NODES)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: it has %d nodes, which is the limit",
                           STRIA_EXPR_NODES);
    return STRIA_OK;
}

static stria_status add_node(stria_expr *expr, int *out, const struct expr_node *node)
{
    STRIA_TRY(make_room(expr));
    expr->nodes[expr->count] = *node;
    *out = expr->count++;
    return STRIA_OK;
}

static stria_status check_operand(const stria_expr *expr, const char *op, int operand)
{
    if (operand >= 0 && operand < expr->count) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "expr: %s of node %d: there are nodes 0 to %d", op,
                       operand, expr->count - 1);
}

stria_status stria_expr_input(stria_expr *expr, int *node, int index)
{
    STRIA_TRY(check_node(expr, node));
    if (index < 0 || index >= STRIA_EXPR_INPUTS)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: input %d, must be 0 to %d", index,
                           STRIA_EXPR_INPUTS - 1);
    const struct expr_node made = {.what = NODE_INPUT, .input = index};
    STRIA_TRY(add_node(expr, node, &made));
    if (index >= expr->inputs) expr->inputs = index + 1;
    return STRIA_OK;
}

stria_status stria_expr_scalar(stria_expr *expr, int *node, stria_kind kind, const void *value)
{
    stria_view weak;
    STRIA_TRY(check_node(expr, node));
    STRIA_TRY(stria_weak(&weak, kind, value));
    struct expr_node made = {.what = NODE_SCALAR, .kind = kind};
    memcpy(made.value, value, (size_t)weak.dtype.itemsize);
    return add_node(expr, node, &made);
}

stria_status stria_expr_op(stria_expr *expr, int *node, stria_op op, int n, const int *operands)
{
    STRIA_TRY(check_node(expr, node));
    const char *const name = stria_op_name(op);
    if (!name) return stria__fail(STRIA_ERR_ARGUMENT, "expr: there is no operation %d", (int)op);
    if (n != stria_op_inputs(op) || n > OPERANDS)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: %s of %d operands, takes %d", name, n,
                           stria_op_inputs(op));
    if (!operands) return stria__fail(STRIA_ERR_ARGUMENT, "expr: %s: operands is NULL", name);
    struct expr_node made = {.what = NODE_OPERATION, .op = op, .count = n};
    for (int i = 0; i < n; i++) {
        STRIA_TRY(check_operand(expr, name, operands[i]));
        made.operand[i] = (int16_t)operands[i];
    }
    return add_node(expr, node, &made);
}

stria_status stria_expr_cast(stria_expr *expr, int *node, int operand, stria_kind kind)
{
    STRIA_TRY(check_node(expr, node));
    STRIA_TRY(check_operand(expr, "cast", operand));
    if ((unsigned)kind > STRIA_C128)
        return stria__fail(STRIA_ERR_DTYPE, "expr: a cast to kind %d, which is no number",
                           (int)kind);
    const struct expr_node made = {
        .what = NODE_CAST, .kind = kind, .count = 1, .operand = {(int16_t)operand}};
    return add_node(expr, node, &made);
}
