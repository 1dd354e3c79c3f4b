/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Evaluates operators. Between plain numbers they are Python's; with an array among the operands
 * each stands for an op of the registry, which gets numbers as weak scalars.
 */
#include "eval.h"

static bool holds_array(const struct value *value)
{
    return value->kind == VALUE_ARRAY || value->kind == VALUE_SPARSE;
}

/* ---- and, or, not --------------------------------------------------------------------------- */

static stria_status truth_of(bool *out, struct evaluation *e, const struct node *node,
                             const struct value *value)
{
    *out = !holds_array(value) && stria__value_truth(value);
    if (!holds_array(value)) return STRIA_OK;
    return stria__fail_at(
        e->failure, STRIA_ERR_ARGUMENT, node->at, "'%s' does not work on arrays: %s",
        node->operation->text,
        node->operation->op
            ? "a < b < c is (a < b) & (b < c) there"
            : "whether an array of several elements is true is ambiguous: write &, | and ~ "
              "between comparisons in parentheses");
}

/* Evaluates `and` and `or`: b is evaluated only if a does not decide, and the deciding one is the
 * value. */
static stria_status eval_logic(struct evaluation *e, const struct node *node, struct value *out)
{
    bool truth = false;
    STRIA_TRY(truth_of(&truth, e, node, out));
    return truth == (node->operation->code == OPERATION_OR) ? STRIA_OK
                                                            : stria__eval_node(e, node->b, out);
}

static stria_status eval_not(struct evaluation *e, const struct node *node, struct value *out)
{
    bool truth = false;
    STRIA_TRY(stria__eval_node(e, node->a, out));
    STRIA_TRY(truth_of(&truth, e, node, out));
    *out = (struct value){.kind = VALUE_BOOL, .at = node->start, .truth = !truth};
    return STRIA_OK;
}

/* ---- arrays --------------------------------------------------------------------------------- */

static stria_status check_operand(struct evaluation *e, const struct node *node,
                                  const struct value *value)
{
    char text[VALUE_TEXT];
    const bool multiplies = node->operation->code == OPERATION_MATMUL;
    if (value->kind == VALUE_ARRAY || stria__value_is_number(value)) return STRIA_OK;
    if (value->kind == VALUE_SPARSE && multiplies) return STRIA_OK;
    return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, node->at,
                          "'%s' wants arrays or numbers, not %s", node->operation->text,
                          stria__value_describe(value, text));
}

static stria_status operate(struct evaluation *e, const struct node *node, struct value *operands,
                            struct value *out)
{
    const size_t count = node->b ? 2 : 1;
    for (size_t i = 0; i < count; i++)
        STRIA_TRY(check_operand(e, node, &operands[i]));
    return stria__eval_function(e, node->operation->op, operands, count, node->start, node->end,
                                out);
}

/* Computes an operator of one operand or of two. */
static stria_status compute(struct evaluation *e, const struct node *node, struct value *operands,
                            size_t mark, struct value *out)
{
    if (!holds_array(&operands[0]) && !holds_array(&operands[1]))
        return stria__number_operation(out, node->operation, &operands[0],
                                       node->b ? &operands[1] : NULL, node->start, e->failure);
    STRIA_TRY(operate(e, node, operands, out));
    stria__eval_release(e, mark, out);
    return STRIA_OK;
}

/* Applies the operator to the value so far, which *out has. */
static stria_status eval_next(struct evaluation *e, const struct node *node, size_t mark,
                              struct value *out)
{
    struct value operands[2] = {*out, {.kind = VALUE_NONE}};
    bool truth = true;
    if (node->operation->level <= LEVEL_NOT) return eval_logic(e, node, out);
    if (node->c) { /* The value so far in a < b < c is a < b. */
        STRIA_TRY(truth_of(&truth, e, node, out));
        if (!truth) return STRIA_OK;
        STRIA_TRY(stria__eval_node(e, node->a, &operands[0]));
    }
    STRIA_TRY(stria__eval_node(e, node->b, &operands[1]));
    return compute(e, node, operands, mark, out);
}

stria_status stria__eval_operator(struct evaluation *e, const struct node *node, struct value *out)
{
    const size_t mark = e->nheld;
    if (node->b) {
        const struct node *at = stria__row_begin(node);
        STRIA_TRY(stria__eval_node(e, at, out));
        while (at != node)
            STRIA_TRY(eval_next(e, at = at->next, mark, out));
        return STRIA_OK;
    }
    if (node->operation->code == OPERATION_NOT) return eval_not(e, node, out);
    struct value operands[2] = {{.kind = VALUE_NONE}, {.kind = VALUE_NONE}};
    STRIA_TRY(stria__eval_node(e, node->a, &operands[0]));
    return compute(e, node, operands, mark, out);
}
