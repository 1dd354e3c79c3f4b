/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the tree of a text: literals, names, and chains of steps. */
#include "eval.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "stack.h"

struct evaluation stria__evaluation_of(const char *source, const struct environment *environment,
                                       struct failure *failure)
{
    return (struct evaluation){.source = source, .environment = environment, .failure = failure};
}

static void release_block(struct evaluation *e, struct held *block)
{
    for (size_t i = 0; i < block->count; i++) {
        stria__wait_forget(&e->waiting, &block->arrays[i]);
        stria_array_release(&block->arrays[i]);
    }
}

stria_status stria__eval_force(struct evaluation *e, const struct value *value)
{
    if (value->kind == VALUE_ARRAY) return stria__wait_force(&e->waiting, value->view);
    if (!stria__value_is_sequence(value) && value->kind != VALUE_DICT) return STRIA_OK;
    for (size_t i = 0; i < value->list.count; i++)
        STRIA_TRY(stria__eval_force(e, &value->list.items[i]));
    return STRIA_OK;
}

void stria__evaluation_end(struct evaluation *e)
{
    for (size_t i = 0; i < e->nheld; i++)
        release_block(e, &e->held[i]);
    stria_array_release(&e->from);
    if (e->waiting.graph) stria__wait_end(&e->waiting);
    stria__pool_free(&e->pool);
    *e = (struct evaluation){0};
}

void stria__eval_release(struct evaluation *e, size_t mark, const struct value *result)
{
    if (e->waiting.stepping) return;
    const bool keep = result->kind == VALUE_ARRAY || stria__value_is_arrays(result);
    const size_t top = e->nheld - (keep ? 1 : 0);
    for (size_t i = mark; i < top; i++)
        release_block(e, &e->held[i]);
    if (keep) e->held[mark] = e->held[top];
    e->nheld = mark + (keep ? 1 : 0);
}

stria_status stria__eval_list(struct evaluation *e, const struct node *node, enum value_kind kind,
                              struct value *out)
{
    out->kind = kind;
    out->list.count = 0;
    TAKE_TO(out->list.items, &e->pool, node->count);
    for (const struct node *item = node->first; item; item = item->next)
        STRIA_TRY(stria__eval_node(e, item, &out->list.items[out->list.count++]));
    return STRIA_OK;
}

static stria_status eval_slice(struct evaluation *e, const struct node *node, struct value *out)
{
    const struct node *const nodes[3] = {node->a, node->b, node->c};
    TAKE_ARRAY(struct value, parts, &e->pool, 3);
    for (int i = 0; i < 3; i++)
        if (nodes[i]) STRIA_TRY(stria__eval_node(e, nodes[i], &parts[i]));
    out->kind = VALUE_SLICE;
    out->slice.start = &parts[0];
    out->slice.stop = &parts[1];
    out->slice.step = &parts[2];
    return STRIA_OK;
}

void stria__number_of_node(struct value *out, const struct node *node)
{
    if (node->kind == NODE_INT) {
        out->kind = VALUE_INT;
        out->huge = node->huge || node->magnitude > INT64_MAX;
        out->integer = out->huge ? INT64_MAX : (int64_t)node->magnitude;
        out->large = out->huge && !node->huge ? node->magnitude : 0;
        return;
    }
    const bool imaginary = node->kind == NODE_IMAGINARY;
    out->kind = imaginary ? VALUE_COMPLEX : VALUE_FLOAT;
    out->number.real = imaginary ? 0 : node->number;
    out->number.imaginary = imaginary ? node->number : 0;
}

static void use_view(struct value *out, const stria_view *view)
{
    out->kind = VALUE_ARRAY;
    out->view = view;
}

static stria_status unknown_name(struct evaluation *e, const char *name, size_t at)
{
    char names[200] = "";
    size_t used = 0;
    for (size_t i = !stria__environment_has_x(e->environment);
         i < e->environment->count && used < sizeof names - 80; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s", used ? ", " : "",
                                 e->environment->views[i].name);
    if (!used) (void)snprintf(names, sizeof names, "no array is given");
    return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, at,
                          "'%.60s' is neither an array here (%s) nor a dtype, a memory format or a "
                          "function",
                          name, names);
}

static stria_status eval_name(struct evaluation *e, const struct node *node, struct value *out)
{
    const stria_view *const view = stria__environment_find(e->environment, node->text);
    if (view)
        use_view(out, view);
    else if (!stria__name_value(out, node->text, WORLD_ANY))
        return unknown_name(e, node->text, node->start);
    return STRIA_OK;
}

/* Evaluates what follows a module's name: torch.linalg.diagonal( starts a call, torch.float32 is a
 * name. */
static stria_status eval_module(struct evaluation *e, const struct node *head, enum world world,
                                const struct node **rest, struct value *out)
{
    char name[120] = "";
    size_t used = 0;
    const struct node *at = *rest;
    for (; at && at->kind == NODE_ATTRIBUTE; at = at->next) {
        if (stria__name_is_folder(at->text) && at->next && at->next->kind == NODE_ATTRIBUTE)
            continue; /* np.ndarray alone is a class, np.random.random is a function. */
        used +=
            (size_t)snprintf(name + used, sizeof name - used, "%s%s", used ? "." : "", at->text);
        if (used >= sizeof name) break;
    }
    if (used >= sizeof name || !used)
        return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, head->start,
                              "'%s' is a module, not a value", head->text);
    *rest = at;
    if (at && at->kind == NODE_CALL) {
        *rest = at->next;
        if (stria__eval_builtin(name) && strcmp(name, "slice"))
            return stria__eval_builtin_call(e, name, at, out);
        return stria__eval_call(e, name, world, NULL, at, head->start, at->end, out);
    }
    if (stria__name_value(out, name, world)) return STRIA_OK;
    return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, head->start,
                          "'%s.%s' is not a name known here", head->text, name);
}

/* Evaluates the start of a chain: x, a module's function or name, a bare function, or any value. */
static stria_status eval_head(struct evaluation *e, const struct node *chain,
                              const struct node **rest, struct value *out)
{
    const struct node *head = chain->a;
    *rest = chain->first;
    if (!head && !stria__environment_has_x(e->environment))
        return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, chain->start,
                              "there is no array for the chain to start at; begin with what makes "
                              "one, as arange(10)");
    if (!head) {
        use_view(out, e->environment->views[0].view);
        return STRIA_OK;
    }
    if (head->kind != NODE_NAME || stria__environment_find(e->environment, head->text))
        return stria__eval_node(e, head, out);
    enum world world;
    if (stria__name_is_module(head->text, &world)) return eval_module(e, head, world, rest, out);
    const bool folder = !strcmp(head->text, "linalg") || !strcmp(head->text, "fft");
    if (folder && *rest && (*rest)->kind == NODE_ATTRIBUTE && (*rest)->next &&
        (*rest)->next->kind == NODE_CALL) {
        char name[120];
        (void)snprintf(name, sizeof name, "%s.%.100s", head->text, (*rest)->text);
        const struct node *const made = (*rest)->next;
        *rest = made->next;
        return stria__eval_call(e, name, WORLD_ANY, NULL, made, head->start, made->end, out);
    }
    if (!*rest || (*rest)->kind != NODE_CALL) return eval_name(e, head, out);
    const struct node *call = *rest;
    *rest = call->next;
    if (stria__eval_builtin(head->text)) return stria__eval_builtin_call(e, head->text, call, out);
    return stria__eval_call(e, head->text, WORLD_ANY, NULL, call, head->start, call->end, out);
}

/* Evaluates one step of a chain, .name, .name(...) or [...], and moves node to its last postfix. */
static stria_status eval_postfix(struct evaluation *e, const struct value *base,
                                 const struct node **node, struct value *out)
{
    const struct node *at = *node;
    if (at->kind == NODE_SUBSCRIPT) return stria__eval_subscript(e, base, at, out);
    if (at->kind == NODE_CALL)
        return stria__fail_at(e->failure, STRIA_ERR_FORMAT, at->start,
                              "what stands before '(' is no op");
    char name[120];
    (void)snprintf(name, sizeof name, "%s", at->text);
    const struct node *last = at;
    if (!strcmp(name, "linalg") && at->next && at->next->kind == NODE_ATTRIBUTE) {
        last = at->next;
        (void)snprintf(name, sizeof name, "linalg.%.100s", last->text);
    }
    const struct node *call = last->next && last->next->kind == NODE_CALL ? last->next : NULL;
    *node = call ? call : last;
    return stria__eval_call(e, name, WORLD_ANY, base, call, at->start, (*node)->end, out);
}

static stria_status eval_chain(struct evaluation *e, const struct node *chain, struct value *out)
{
    const size_t mark = e->nheld;
    const struct node *rest;
    STRIA_TRY(eval_head(e, chain, &rest, out));
    for (; rest; rest = rest->next) {
        const struct value base = *out;
        *out = (struct value){.at = rest->start};
        STRIA_TRY(eval_postfix(e, &base, &rest, out));
        stria__eval_release(e, mark, out);
    }
    return STRIA_OK;
}

/* Checks the budget of time between calls; a running call is not interrupted. */
static stria_status check_time(struct evaluation *e, size_t at)
{
    const stria_status status = stria__budget_work(0);
    return status == STRIA_OK ? status : stria__fail_library(e->failure, status, at);
}

stria_status stria__eval_node(struct evaluation *e, const struct node *node, struct value *out)
{
    *out = (struct value){.at = node->start};
    if (!stria__stack_is_left(e->least)) return stria__fail_deep(e->failure, node->start);
    if (e->timed) STRIA_TRY(check_time(e, node->start));
    switch (node->kind) {
    case NODE_NAME: return eval_name(e, node, out);
    case NODE_INT:
    case NODE_FLOAT:
    case NODE_IMAGINARY: stria__number_of_node(out, node); return STRIA_OK;
    case NODE_STRING:
        out->kind = VALUE_STRING;
        out->string.text = node->text;
        out->string.length = node->length;
        return STRIA_OK;
    case NODE_ELLIPSIS: out->kind = VALUE_ELLIPSIS; return STRIA_OK;
    case NODE_TUPLE: return stria__eval_list(e, node, VALUE_TUPLE, out);
    case NODE_LIST: return stria__eval_list(e, node, VALUE_LIST, out);
    case NODE_DICT: return stria__eval_list(e, node, VALUE_DICT, out);
    case NODE_OPERATOR: return stria__eval_operator(e, node, out);
    case NODE_SLICE: return eval_slice(e, node, out);
    case NODE_CHAIN: return eval_chain(e, node, out);
    default: break; /* Arguments and postfixes are read by the functions for calls and chains. */
    }
    return stria__fail_at(e->failure, STRIA_ERR_FORMAT, node->start, "no value stands here");
}

/* Tells whether the value is an answer of an op of rows_ask.c: a number, a truth, a dtype, "maybe",
 * or integers. */
static bool is_answer(const struct value *value)
{
    if (value->kind == VALUE_STRING) return value->answered;
    if (value->kind != VALUE_TUPLE)
        return stria__value_is_number(value) || value->kind == VALUE_DTYPE;
    for (size_t i = 0; i < value->list.count; i++)
        if (value->list.items[i].kind != VALUE_INT || value->list.items[i].huge) return false;
    return value->list.count > 0 || value->answered;
}

static stria_status take_outputs(struct evaluation *e, const struct value *value)
{
    char text[VALUE_TEXT];
    if (value->kind == VALUE_INT && value->huge && !value->large)
        return stria__fail_at(e->failure, STRIA_ERR_OVERFLOW, value->at,
                              "the number does not fit in 64 bits");
    if (e->asking && is_answer(value)) {
        TAKE(struct value, answer, &e->pool);
        *answer = *value;
        e->answer = answer;
        e->many = true;
        return STRIA_OK;
    }
    e->many = value->kind != VALUE_ARRAY;
    if (e->many && !stria__value_is_arrays(value) &&
        !(value->kind == VALUE_TUPLE && !value->list.count))
        return stria__fail_at(
            e->failure, STRIA_ERR_ARGUMENT, 0, "the text gives %s, not an array%s",
            stria__value_describe(value, text),
            value->kind == VALUE_SPARSE ? "; end it with .to_dense(), .indices() or .values()"
                                        : "");
    e->count = e->many ? value->list.count : 1;
    TAKE_ARRAY(const stria_view *, views, &e->pool, e->count);
    for (size_t i = 0; i < e->count; i++)
        views[i] = e->many ? value->list.items[i].view : value->view;
    e->outputs = views;
    return STRIA_OK;
}

/* A lack of memory becomes a failure only here, because functions without access to the failure
 * report it. */
stria_status stria__evaluate_ended(struct evaluation *e, stria_status status)
{
    if (status == STRIA_ERR_MEMORY && e->failure->code != status)
        return stria__fail_library(e->failure, status, NO_PLACE);
    return status;
}

static stria_status run_tree(struct evaluation *e, const struct node *tree)
{
    struct value value;
    e->waiting.pool = &e->pool;
    e->waiting.failure = e->failure;
    e->waiting.rule =
        e->environment->rules == WORLD_NUMPY ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
    e->root = tree;
    e->least = stria__stack_least(STACK_OF_OPERATION);
    STRIA_TRY(stria__eval_node(e, tree, &value));
    if (!e->lazily || value.kind != VALUE_ARRAY) STRIA_TRY(stria__eval_force(e, &value));
    return take_outputs(e, &value);
}

stria_status stria__evaluate_tree(struct evaluation *e, const struct node *tree)
{
    return stria__evaluate_ended(e, run_tree(e, tree));
}

stria_status stria__evaluate(struct evaluation *e)
{
    struct node *tree;
    const stria_status status =
        stria__syntax_parse(&tree, e->source, EXPR_MAX_NESTED, &e->pool, e->failure);
    return status == STRIA_OK ? stria__evaluate_tree(e, tree) : stria__evaluate_ended(e, status);
}
