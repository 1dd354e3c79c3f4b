/* SPDX-License-Identifier: BSD-3-Clause */
#include "compile.h"

#include <string.h>

#include "lookup.h"

/* A value on its way: a number of the text, or a node of the expression. */
struct compiled {
    int node;
    bool number; /* it has no node yet */
    stria_kind kind;
    union {
        int64_t integer;
        double parts[2];
    } value;
};

struct compiler {
    stria_expr *expr;
    int count;
    const char *const *names;
    bool other; /* the text is something else */
};

static stria_status compile(struct compiler *c, struct compiled *out, const struct node *node);

static stria_status leave(struct compiler *c)
{
    c->other = true;
    return STRIA_OK;
}

static int find_name(const struct compiler *c, const char *name)
{
    int i = 0;
    while (i < c->count && strcmp(c->names[i], name))
        i++;
    return i < c->count ? i : -1;
}

static stria_status compile_name(struct compiler *c, struct compiled *out, const char *name)
{
    const int input = find_name(c, name);
    if (input < 0) return leave(c);
    return stria_expr_input(c->expr, &out->node, input);
}

static stria_status compile_number(struct compiler *c, struct compiled *out,
                                   const struct node *node)
{
    out->number = true;
    switch (node->kind) {
    case NODE_INT:
        out->kind = STRIA_I64;
        out->value.integer = (int64_t)node->magnitude;
        return node->huge || node->magnitude > INT64_MAX ? leave(c) : STRIA_OK;
    case NODE_FLOAT:
        out->kind = STRIA_F64;
        out->value.parts[0] = node->number;
        return STRIA_OK;
    default:
        out->kind = STRIA_C128;
        out->value.parts[0] = 0;
        out->value.parts[1] = node->number;
        return STRIA_OK;
    }
}

/* An operation, of which at least one operand is an array: numbers alone are Python's. */
static stria_status put_operation(struct compiler *c, struct compiled *out, stria_op op, int count,
                                  struct compiled *operands)
{
    int nodes[3];
    bool numbers = true;
    if (count != stria_op_inputs(op)) return leave(c);
    for (int i = 0; i < count; i++)
        numbers = numbers && operands[i].number;
    if (numbers || (op == STRIA_WHERE && operands[0].number)) return leave(c);
    for (int i = 0; i < count; i++) {
        if (operands[i].number)
            STRIA_TRY(stria_expr_scalar(c->expr, &operands[i].node, operands[i].kind,
                                        &operands[i].value));
        nodes[i] = operands[i].node;
    }
    return stria_expr_op(c->expr, &out->node, op, count, nodes);
}

/* The operation of that name into new memory; -1: none. where has forms of its own. */
static int operation_of(const char *name)
{
    const stria_function *const f = stria_function_find(name);
    return !strcmp(name, "where") ? STRIA_WHERE : f ? f->operation : -1;
}

static stria_status compile_operator(struct compiler *c, struct compiled *out,
                                     const struct node *node)
{
    const struct operation *const operation = node->operation;
    struct compiled operands[2] = {0};
    const int count = node->b ? 2 : 1, last = operation->swapped ? count - 1 : 0;
    if (operation->level <= LEVEL_NOT || node->c || !operation->op) return leave(c);
    STRIA_TRY(compile(c, &operands[last], node->a));
    if (node->b && !c->other) STRIA_TRY(compile(c, &operands[1 - last], node->b));
    if (c->other) return STRIA_OK;
    const bool negates = operation->code == OPERATION_NEGATIVE;
    const int op = negates ? STRIA_NEGATIVE : operation_of(operation->op);
    return op < 0 ? leave(c) : put_operation(c, out, (stria_op)op, count, operands);
}

/* name(operands), or the same as a method of *receiver. */
static stria_status compile_call(struct compiler *c, struct compiled *out, const char *name,
                                 const struct node *call, const struct compiled *receiver)
{
    struct compiled operands[3] = {0};
    int count = 0;
    const int op = operation_of(name);
    if (op < 0 || call->count > 3 || (op == STRIA_WHERE && receiver)) return leave(c);
    if (receiver) operands[count++] = *receiver;
    for (const struct node *at = call->first; at && !c->other; at = at->next) {
        if (count == 3 || at->kind == NODE_KEYWORD || at->kind == NODE_STAR) return leave(c);
        STRIA_TRY(compile(c, &operands[count++], at));
    }
    return c->other ? STRIA_OK : put_operation(c, out, (stria_op)op, count, operands);
}

/* A name or a call, and methods of it. */
static stria_status compile_chain(struct compiler *c, struct compiled *out,
                                  const struct node *chain)
{
    const struct node *at = chain->first;
    if (!chain->a) return leave(c);
    const bool calls = at && at->kind == NODE_CALL && chain->a->kind == NODE_NAME &&
                       find_name(c, chain->a->text) < 0;
    STRIA_TRY(calls ? compile_call(c, out, chain->a->text, at, NULL) : compile(c, out, chain->a));
    if (calls) at = at->next;
    while (at && !c->other) {
        const struct node *const call = at->next;
        if (at->kind != NODE_ATTRIBUTE || !call || call->kind != NODE_CALL || out->number)
            return leave(c);
        const struct compiled receiver = *out;
        *out = (struct compiled){0};
        STRIA_TRY(compile_call(c, out, at->text, call, &receiver));
        at = call->next;
    }
    return STRIA_OK;
}

static stria_status compile(struct compiler *c, struct compiled *out, const struct node *node)
{
    switch (node->kind) {
    case NODE_NAME: return compile_name(c, out, node->text);
    case NODE_INT:
    case NODE_FLOAT:
    case NODE_IMAGINARY: return compile_number(c, out, node);
    case NODE_OPERATOR: return compile_operator(c, out, node);
    case NODE_CHAIN: return compile_chain(c, out, node);
    default: return leave(c);
    }
}

/* A name alone is the view itself, and no expression, which would copy it. */
static bool is_operation(const struct node *tree)
{
    return tree->kind == NODE_OPERATOR || (tree->kind == NODE_CHAIN && tree->first);
}

stria_status stria__compile(stria_expr **out, const struct node *tree, int count,
                            const char *const *names)
{
    struct compiler c = {.count = count, .names = names};
    struct compiled value = {0};
    *out = NULL;
    if (!is_operation(tree) || count > STRIA_EXPR_INPUTS) return STRIA_OK;
    STRIA_TRY(stria_expr_new(&c.expr));
    const stria_status status = compile(&c, &value, tree);
    if (status == STRIA_OK && !c.other) {
        *out = c.expr;
        return STRIA_OK;
    }
    stria_expr_free(c.expr);
    return status == STRIA_ERR_MEMORY ? status : STRIA_OK;
}
