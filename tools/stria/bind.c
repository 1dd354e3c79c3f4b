/* SPDX-License-Identifier: BSD-3-Clause */
#include "bind.h"

#include <stdlib.h>
#include <string.h>

#include "convert.h"

/* How functions of both worlds call the array they work on. */
static const char self_text[] = "input|self|a|x|m|v|arr|ar|ary|array|tensor";
static const struct span self_names = {self_text, sizeof self_text - 1};

struct binding {
    const struct arguments *given;
    struct arena *arena;
    struct failure *failure;
    size_t position; /* of the next positional argument */
};

/* The arguments are not those of this signature; another overload may take them. */
static stria_status unfit(struct failure *failure, stria_status status)
{
    failure->mismatch = true;
    return status;
}

static bool is_sequence(const struct value *value)
{
    return value->kind == VALUE_TUPLE || value->kind == VALUE_LIST;
}

static bool is_array(const struct param *param)
{
    return param->type == TYPE_ARRAY || param->type == TYPE_OPERAND;
}

static bool names_match(const struct param *param, bool self, const char *name)
{
    return span_has(param->names, name) || (self && is_array(param) && span_has(self_names, name));
}

static struct value *positional(struct binding *b)
{
    return b->position < b->given->npositional ? &b->given->positional[b->position++] : NULL;
}

/* The keyword argument for param, or NULL; two for one parameter are an error. */
static stria_status find_keyword(struct keyword **out, const struct binding *b,
                                 const struct param *param, bool self, bool taken)
{
    *out = NULL;
    for (size_t i = 0; i < b->given->nkeywords; i++) {
        struct keyword *keyword = &b->given->keywords[i];
        if (!names_match(param, self, keyword->name)) continue;
        if (taken || *out)
            return unfit(b->failure, fail_at(b->failure, STRIA_ERR_ARGUMENT, keyword->at,
                                             "%s: '%s' is given more than once", b->given->name,
                                             keyword->name));
        *out = keyword;
    }
    return STRIA_OK;
}

static struct value *tuple_of(struct arena *arena, struct value *items, size_t count, size_t at)
{
    struct value *tuple = arena_take(arena, sizeof *tuple);
    *tuple = (struct value){.kind = VALUE_TUPLE, .at = at};
    tuple->list.items = items;
    tuple->list.count = count;
    return tuple;
}

/* One sequence, or everything that is left. */
static struct value *variadic(struct binding *b, enum param_type type)
{
    const size_t left = b->given->npositional - b->position;
    if (!left) return NULL;
    struct value *first = &b->given->positional[b->position];
    const bool whole = is_sequence(first) || first->kind == VALUE_NONE ||
                       (type != TYPE_ARRAYS && first->kind == VALUE_ARRAY && first->view->ndim);
    b->position += whole ? 1 : left;
    return whole ? first : tuple_of(b->arena, first, left, first->at);
}

/* The arrays of a method that takes a list: its receiver in front of the list, if there is one. */
static struct value *joined(struct binding *b, const struct param *param, struct value *more)
{
    const struct value *receiver = b->given->receiver;
    if (!more && param->variadic) more = variadic(b, TYPE_ARRAYS);
    if (!more && b->position < b->given->npositional) {
        struct value *next = &b->given->positional[b->position];
        if (is_sequence(next) || next->kind == VALUE_ARRAY) more = positional(b);
    }
    if (!receiver) return more;
    const bool one = !is_sequence(receiver);
    const size_t before = one ? 1 : receiver->list.count;
    const bool several = more && is_sequence(more);
    const size_t after = !more ? 0 : several ? more->list.count : 1;
    struct value *items = arena_take_array(b->arena, before + after, sizeof *items);
    memcpy(items, one ? receiver : receiver->list.items, before * sizeof *items);
    if (after) memcpy(items + before, several ? more->list.items : more, after * sizeof *items);
    return tuple_of(b->arena, items, before + after, receiver->at);
}

/* A default as the signature writes it: None, True, False, a number or 'text'. */
static struct value *fallback(struct binding *b, const struct param *param)
{
    const char *text = arena_text(b->arena, param->fallback.text, param->fallback.length);
    struct value *value = arena_take(b->arena, sizeof *value);
    value->at = b->given->at;
    if (*text == '\'') {
        value->kind = VALUE_STRING;
        value->string.length = param->fallback.length - 2;
        value->string.text = arena_text(b->arena, text + 1, value->string.length);
    } else if (!name_value(value, text, WORLD_ANY)) {
        value->kind = VALUE_INT;
        value->integer = strtoll(text, NULL, 10);
    }
    return value;
}

static stria_status find_value(struct value **out, struct binding *b, const struct param *param,
                               bool self)
{
    const struct value *receiver = self ? b->given->receiver : NULL;
    struct keyword *keyword;
    if (receiver && (is_array(param) || param->type == TYPE_SPARSE)) {
        *out = arena_take(b->arena, sizeof **out);
        **out = *receiver;
        return find_keyword(&keyword, b, param, self, true);
    }
    TRY(find_keyword(&keyword, b, param, self, false));
    if (self && param->type == TYPE_ARRAYS)
        *out = joined(b, param, keyword ? &keyword->value : NULL);
    else if (keyword)
        *out = &keyword->value;
    else
        *out = param->variadic ? variadic(b, param->type) : positional(b);
    return STRIA_OK;
}

static stria_status bind_one(struct arg *arg, struct binding *b, const struct param *param,
                             bool self)
{
    const struct target target = {b->given->name, param, b->arena, b->failure};
    struct value *value;
    TRY(find_value(&value, b, param, self));
    if (!value && !param->optional) {
        const struct span name = span_first(param->names);
        return unfit(b->failure,
                     fail_at(b->failure, STRIA_ERR_ARGUMENT, b->given->at, "%s: %.*s is missing",
                             b->given->name, (int)name.length, name.text));
    }
    if (value) return convert(arg, value, &target);
    value = fallback(b, param);
    *arg = (struct arg){.at = b->given->at};
    return value->kind == VALUE_NONE ? STRIA_OK : convert(arg, value, &target);
}

static stria_status check_keywords(const struct binding *b, const struct signature *signature)
{
    for (size_t i = 0; i < b->given->nkeywords; i++) {
        bool known = false;
        for (int k = 0; k < signature->count && !known; k++)
            known = names_match(&signature->params[k], k == 0 && signature->self,
                                b->given->keywords[i].name);
        if (!known)
            return unfit(b->failure,
                         fail_at(b->failure, STRIA_ERR_ARGUMENT, b->given->keywords[i].at,
                                 "%s: there is no argument '%s'", b->given->name,
                                 b->given->keywords[i].name));
    }
    return STRIA_OK;
}

stria_status bind_arguments(struct arg *args, const struct signature *signature,
                            const struct arguments *given, struct arena *arena,
                            struct failure *failure)
{
    struct binding b = {.given = given, .arena = arena, .failure = failure};
    TRY(check_keywords(&b, signature));
    for (int i = 0; i < signature->count; i++)
        TRY(bind_one(&args[i], &b, &signature->params[i], i == 0 && signature->self));
    if (b.position < given->npositional)
        return unfit(failure, fail_at(failure, STRIA_ERR_ARGUMENT, given->positional[b.position].at,
                                      "%s: there is no room for this argument", given->name));
    return STRIA_OK;
}
