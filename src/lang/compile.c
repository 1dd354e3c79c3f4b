/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles text that consists of elementwise operations on names and numbers to one expression of
 * the library, which runs without a walk of its tree.
 */
#include <string.h>

#include "eval.h"
#include "machine/fp_mode.h"
#include "registry.h"
#include "stack.h"
#include "base/status.h"

enum { MOST_OPERANDS = STRIA_USER_INPUTS };

/* A value while it is compiled: a number of the text, or a node of the expression. */
struct compiled {
    struct value number; /* Its kind is NONE if the value is a node. */
    int node;
};

struct compiler {
    stria_expr *expr;
    int count;
    const char *const *names;
    bool all;        /* Every text must be compiled, since nobody evaluates it otherwise. */
    uintptr_t least; /* Lowest address that the stack may reach, see stack.h. */
    struct failure *failure;
};

static stria_status compile(struct compiler *c, struct compiled *out, const struct node *node);

static bool is_number(const struct compiled *operand)
{
    return operand->number.kind != VALUE_NONE;
}

static stria_status refuse_text(struct compiler *c, size_t at, const char *why)
{
    return stria__fail_at(c->failure, STRIA_ERR_FORMAT, at, "%s", why);
}

/* Passes on the status of a function of expr.h, with its place. */
static stria_status made(struct compiler *c, stria_status status, size_t at)
{
    return status == STRIA_OK ? status : stria__fail_library(c->failure, status, at);
}

/* ---- values ---------------------------------------------------------------------------------- */

static int find_name(const struct compiler *c, const char *name)
{
    int i = 0;
    while (i < c->count && strcmp(c->names[i], name))
        i++;
    return i < c->count ? i : -1;
}

static stria_status compile_name(struct compiler *c, struct compiled *out, const struct node *node)
{
    const int input = find_name(c, node->text);
    if (input >= 0) return made(c, stria_expr_input(c->expr, &out->node, input), node->start);
    if (stria__name_value(&out->number, node->text, WORLD_ANY) &&
        stria__value_is_number(&out->number))
        return STRIA_OK;
    return stria__fail_at(c->failure, STRIA_ERR_FORMAT, node->start,
                          "'%.40s' is no input, no operation that is called and no number",
                          node->text);
}

static stria_status make_node(struct compiler *c, struct compiled *value)
{
    if (!is_number(value)) return STRIA_OK;
    if (value->number.kind == VALUE_INT && value->number.huge && !value->number.large)
        return refuse_text(c, value->number.at, "the number does not fit in 64 bits");
    const stria_status status = stria_expr_scalar(
        c->expr, &value->node, stria__weak_kind(&value->number), stria__weak_item(&value->number));
    value->number.kind = VALUE_NONE;
    return made(c, status, value->number.at);
}

/* ---- operations ------------------------------------------------------------------------------ */

/*
 * Returns the operation of that name, for results in new memory; -1: none. where() is looked up by
 * itself, because it has several forms.
 */
static int operation_of(const struct compiler *c, const char *name)
{
    for (int i = 0; c->all && i < STRIA_OPS; i++)
        if (!strcmp(name, stria_op_name((stria_op)i))) return i;
    const stria_function *const f = stria_function_find(name);
    return !strcmp(name, "where") ? STRIA_WHERE : f ? f->operation : -1;
}

/* Makes the node of an operation. Numbers alone are refused unless `all`, since Python's rules hold
 * for them. */
static stria_status put_operation(struct compiler *c, struct compiled *out, int op, int count,
                                  struct compiled *operands, size_t at)
{
    int nodes[MOST_OPERANDS], numbers = 0;
    if (count != stria_op_inputs((stria_op)op))
        return stria__fail_at(c->failure, STRIA_ERR_FORMAT, at, "%s of %d operands, takes %d",
                              stria_op_name((stria_op)op), count, stria_op_inputs((stria_op)op));
    for (int i = 0; i < count; i++)
        numbers += is_number(&operands[i]);
    if (!c->all && (numbers == count || (op == STRIA_WHERE && is_number(&operands[0]))))
        return refuse_text(c, at, "an operation of numbers alone");
    for (int i = 0; i < count; i++) {
        STRIA_TRY(make_node(c, &operands[i]));
        nodes[i] = operands[i].node;
    }
    return made(c, stria_expr_op(c->expr, &out->node, (stria_op)op, count, nodes), at);
}

/* Tells whether Python's rules compute the operation: signs of numbers always, other operations of
 * numbers unless they are nodes (`all`). */
static bool is_folded(const struct compiler *c, const struct node *node,
                      const struct compiled *operands)
{
    const bool sign = !node->b && node->operation->code != OPERATION_INVERT;
    return is_number(&operands[0]) && (!node->b || is_number(&operands[1])) && (sign || !c->all);
}

static stria_status put_operator(struct compiler *c, struct compiled *out, const struct node *node,
                                 struct compiled *operands)
{
    const struct operation *const operation = node->operation;
    const int op = operation->code == OPERATION_NEGATIVE   ? STRIA_NEGATIVE
                   : operation->code == OPERATION_POSITIVE ? STRIA_POSITIVE
                   : operation->op                         ? operation_of(c, operation->op)
                                                           : -1;
    if (op < 0)
        return stria__fail_at(c->failure, STRIA_ERR_FORMAT, node->at, "'%s' is no operation here",
                              operation->text);
    if (node->c)
        return refuse_text(c, node->at, "comparisons do not chain: write (a < b) & (b < c)");
    *out = (struct compiled){.number = {.kind = VALUE_NONE}};
    if (is_folded(c, node, operands))
        return stria__number_operation(&out->number, operation, &operands[0].number,
                                       node->b ? &operands[1].number : NULL, node->start,
                                       c->failure);
    return put_operation(c, out, op, node->b ? 2 : 1, operands, node->at);
}

static stria_status compile_operator(struct compiler *c, struct compiled *out,
                                     const struct node *node)
{
    const struct node *at = stria__row_begin(node);
    struct compiled operands[2] = {{.number = {.kind = VALUE_NONE}}};
    if (!node->b) {
        STRIA_TRY(compile(c, &operands[0], node->a));
        return put_operator(c, out, node, operands);
    }
    STRIA_TRY(compile(c, out, at));
    while (at != node) {
        at = at->next;
        operands[0] = *out;
        STRIA_TRY(compile(c, &operands[1], at->b));
        STRIA_TRY(put_operator(c, out, at, operands));
    }
    return STRIA_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Compiles name(operands), or the same as a method of *receiver. */
static stria_status compile_call(struct compiler *c, struct compiled *out, const struct node *name,
                                 const struct node *call, const struct compiled *receiver)
{
    struct compiled operands[MOST_OPERANDS], more;
    int count = 0;
    const int op = operation_of(c, name->text);
    if (op < 0 || (op == STRIA_WHERE && receiver && !c->all))
        return stria__fail_at(c->failure, STRIA_ERR_FORMAT, name->start,
                              receiver ? "there is no operation '%.40s'"
                                       : "'%.40s' is no input, no operation and no number",
                              name->text);
    if (receiver) operands[count++] = *receiver;
    for (const struct node *at = call->first; at; at = at->next) {
        if (at->kind == NODE_KEYWORD || at->kind == NODE_STAR)
            return refuse_text(c, at->start, "operations take operands alone");
        STRIA_TRY(compile(c, count < MOST_OPERANDS ? &operands[count] : &more, at));
        count++;
    }
    return put_operation(c, out, op, count, operands, name->start);
}

static bool is_cast(const struct compiler *c, const struct node *name)
{
    return c->all && (!strcmp(name->text, "to") || !strcmp(name->text, "astype"));
}

/* Reads a dtype: f32, torch.float32 or 'f4'. */
static bool read_dtype(struct compiler *c, stria_dtype *out, const struct node *node)
{
    struct value value = {.kind = VALUE_STRING, .at = node->start};
    enum world world = WORLD_ANY;
    const struct node *const rest = node->kind == NODE_CHAIN ? node->first : NULL;
    value.string.text = node->text;
    value.string.length = node->length;
    if (node->kind == NODE_STRING)
        return stria__name_dtype(out, &value, c->failure) == STRIA_OK && !out->swapped;
    if (rest && (rest->kind != NODE_ATTRIBUTE || rest->next || !node->a ||
                 node->a->kind != NODE_NAME || !stria__name_is_module(node->a->text, &world)))
        return false;
    if (!rest && node->kind != NODE_NAME) return false;
    if (stria__name_value(&value, rest ? rest->text : node->text, world)) *out = value.dtype;
    return value.kind == VALUE_DTYPE;
}

/* Compiles .to(f32) or .astype('f4'). */
static stria_status compile_cast(struct compiler *c, struct compiled *out, const struct node *call)
{
    stria_dtype dtype;
    const struct node *const name = call->first;
    if (call->count != 1) return refuse_text(c, call->start, "a cast takes one dtype");
    if (!read_dtype(c, &dtype, name))
        return stria__fail_at(c->failure, STRIA_ERR_FORMAT, name->start, "'%.40s' is no dtype",
                              name->text ? name->text : "this");
    STRIA_TRY(make_node(c, out));
    const stria_status status =
        stria_expr_cast(c->expr, &out->node, out->node, (stria_kind)dtype.kind);
    stria_dtype_release(dtype);
    return made(c, status, name->start);
}

static stria_status compile_method(struct compiler *c, struct compiled *out,
                                   const struct node *name)
{
    const struct node *const call = name->next;
    const struct compiled receiver = *out;
    if (name->kind != NODE_ATTRIBUTE)
        return refuse_text(c, name->start, "an operator or the end expected: views are inputs");
    if (!call || call->kind != NODE_CALL)
        return stria__fail_at(c->failure, STRIA_ERR_FORMAT, name->start,
                              "there is no operation '%.40s' without '('", name->text);
    if (is_cast(c, name)) return compile_cast(c, out, call);
    if (is_number(&receiver) && !c->all) return refuse_text(c, name->start, "a method of a number");
    *out = (struct compiled){.number = {.kind = VALUE_NONE}};
    return compile_call(c, out, name, call, &receiver);
}

/* Compiles a name or a call, and its methods. */
static stria_status compile_chain(struct compiler *c, struct compiled *out,
                                  const struct node *chain)
{
    const struct node *at = chain->first;
    if (!chain->a) return refuse_text(c, chain->start, "a value expected");
    const bool calls = at && at->kind == NODE_CALL && chain->a->kind == NODE_NAME &&
                       find_name(c, chain->a->text) < 0;
    STRIA_TRY(calls ? compile_call(c, out, chain->a, at, NULL) : compile(c, out, chain->a));
    if (calls) at = at->next;
    for (; at; at = at->next->next)
        STRIA_TRY(compile_method(c, out, at));
    return STRIA_OK;
}

static stria_status compile(struct compiler *c, struct compiled *out, const struct node *node)
{
    *out = (struct compiled){.number = {.kind = VALUE_NONE, .at = node->start}};
    if (!stria__stack_is_left(c->least)) return stria__fail_deep(c->failure, node->start);
    switch (node->kind) {
    case NODE_NAME: return compile_name(c, out, node);
    case NODE_INT:
    case NODE_FLOAT:
    case NODE_IMAGINARY: stria__number_of_node(&out->number, node); return STRIA_OK;
    case NODE_OPERATOR: return compile_operator(c, out, node);
    case NODE_CHAIN: return compile_chain(c, out, node);
    default: return refuse_text(c, node->start, "an input, an operation or a number expected");
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static stria_status compile_tree(struct compiler *c, stria_expr **out, const struct node *tree)
{
    struct compiled value;
    c->least = stria__stack_least(STACK_OF_NUMBERS);
    STRIA_TRY(made(c, stria_expr_make(&c->expr), NO_PLACE));
    stria_status status = compile(c, &value, tree);
    if (status == STRIA_OK && is_number(&value) && !c->all)
        status = refuse_text(c, tree->start, "a number alone");
    if (status == STRIA_OK) status = make_node(c, &value);
    if (status == STRIA_OK)
        *out = c->expr;
    else
        stria_expr_release(c->expr);
    return status;
}

/*
 * Compiles any value for stria_expr_parse: operations of numbers are nodes, .to and .astype cast,
 * and operations have their names in C, too. Everything else is refused with its place.
 */
static stria_status compile_all(stria_expr **out, const struct node *tree, int count,
                                const char *const *names, struct failure *failure)
{
    struct compiler c = {.count = count, .names = names, .all = true, .failure = failure};
    return compile_tree(&c, out, tree);
}

/* Tells cheaply whether text may end in an operation; -x and +x may be views as well. */
static bool is_operation(const struct compiler *c, const struct node *tree)
{
    if (tree->kind == NODE_OPERATOR) return tree->b || tree->operation->code == OPERATION_INVERT;
    if (tree->kind != NODE_CHAIN || !tree->first || !tree->a) return false;
    const struct node *name = tree->a, *last = tree->first;
    for (; last->next; last = last->next)
        name = last;
    const bool named = name->kind == NODE_NAME || name->kind == NODE_ATTRIBUTE;
    return last->kind == NODE_CALL && named && operation_of(c, name->text) >= 0;
}

stria_status stria__compile(stria_expr **out, const struct node *tree, int count,
                            const char *const *names)
{
    struct failure unused = {.code = STRIA_OK};
    struct compiler c = {.count = count, .names = names, .failure = &unused};
    *out = NULL;
    if (!is_operation(&c, tree) || count > STRIA_EXPR_INPUTS) return STRIA_OK;
    return compile_tree(&c, out, tree) == STRIA_ERR_MEMORY ? STRIA_ERR_MEMORY : STRIA_OK;
}

enum { MOST_NESTED = 40 /* Every thread has the stack for so many levels. */ };

static stria_status check_outputs(const stria_expr *const *out, const char *text, int n,
                                  const char *const *names)
{
    if (!out || !text || (n > 0 && !names))
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: %s is NULL",
                           !out    ? "out"
                           : !text ? "text"
                                   : "names");
    if (n < 0 || n > STRIA_EXPR_INPUTS)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: %d names, must be 0 to %d", n,
                           STRIA_EXPR_INPUTS);
    for (int i = 0; i < n; i++)
        if (!names[i]) return stria__fail(STRIA_ERR_ARGUMENT, "expr: name %d is NULL", i);
    return STRIA_OK;
}

stria_status stria_expr_parse(stria_expr **out, const char *text, int n, const char *const *names)
{
    IN_DEFAULT_FP_MODE;
    struct pool pool = {0};
    struct failure failure;
    struct node *tree;
    STRIA_TRY(check_outputs((const stria_expr *const *)out, text, n, names));
    failure.code = STRIA_OK;
    stria__failure_start();
    stria_status status = stria__syntax_parse(&tree, text, MOST_NESTED, &pool, &failure);
    if (status == STRIA_OK) status = compile_all(out, tree, n, names, &failure);
    stria__pool_free(&pool);
    return status && status == failure.code ? stria__failure_tell(&failure, text) : status;
}
