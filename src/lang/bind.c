/* SPDX-License-Identifier: BSD-3-Clause */
#include "bind.h"

#include <stdlib.h>
#include <string.h>

#include "bind_value.h"

/* How functions of both worlds call the array they work on. */
static const char self_text[] = "input|self|a|x|m|v|arr|ar|ary|array|tensor";
static const struct text_span self_names = {self_text, sizeof self_text - 1};

struct binding {
    const struct arguments *given;
    struct pool *pool;
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
    return stria__span_has(param->names, name) ||
           (self && is_array(param) && stria__span_has(self_names, name));
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
            return unfit(b->failure, stria__fail_at(b->failure, STRIA_ERR_ARGUMENT, keyword->at,
                                                    "%s: '%s' is given more than once",
                                                    b->given->name, keyword->name));
        *out = keyword;
    }
    return STRIA_OK;
}

static stria_status tuple_of(struct value **out, struct pool *pool, struct value *items,
                             size_t count, size_t at)
{
    struct value *const tuple = *out = stria__pool_take(pool, sizeof *tuple);
    TRY_MEMORY(tuple);
    *tuple = (struct value){.kind = VALUE_TUPLE, .at = at};
    tuple->list.items = items;
    tuple->list.count = count;
    return STRIA_OK;
}

/* One sequence, unless values may be any, or everything that is left; NULL: nothing. */
static stria_status variadic(struct value **out, struct binding *b, enum param_type type)
{
    *out = NULL;
    const size_t left = b->given->npositional - b->position;
    if (!left) return STRIA_OK;
    struct value *const first = *out = &b->given->positional[b->position];
    const bool whole = type != TYPE_ANY &&
                       (is_sequence(first) || first->kind == VALUE_NONE ||
                        (type != TYPE_ARRAYS && first->kind == VALUE_ARRAY && first->view->ndim));
    b->position += whole ? 1 : left;
    return whole ? STRIA_OK : tuple_of(out, b->pool, first, left, first->at);
}

/* The arrays of a method that takes a list: its receiver in front of the list, if there is one. */
static stria_status joined(struct value **out, struct binding *b, const struct param *param,
                           struct value *more)
{
    const struct value *receiver = b->given->receiver;
    if (!more && param->variadic) STRIA_TRY(variadic(&more, b, TYPE_ARRAYS));
    if (!more && b->position < b->given->npositional) {
        struct value *next = &b->given->positional[b->position];
        if (is_sequence(next) || next->kind == VALUE_ARRAY) more = positional(b);
    }
    *out = more;
    if (!receiver) return STRIA_OK;
    const bool one = !is_sequence(receiver);
    const size_t before = one ? 1 : receiver->list.count;
    const bool several = more && is_sequence(more);
    const size_t after = !more ? 0 : several ? more->list.count : 1;
    struct value *items = stria__pool_array(b->pool, before + after, sizeof *items);
    TRY_MEMORY(items);
    memcpy(items, one ? receiver : receiver->list.items, before * sizeof *items);
    if (after) memcpy(items + before, several ? more->list.items : more, after * sizeof *items);
    return tuple_of(out, b->pool, items, before + after, receiver->at);
}

/* A default as the signature writes it: None, True, False, a number or 'text'. */
static stria_status fallback(struct value **out, struct binding *b, const struct param *param)
{
    const char *text = stria__pool_text(b->pool, param->fallback.text, param->fallback.length);
    TRY_MEMORY(text);
    struct value *const value = *out = stria__pool_take(b->pool, sizeof *value);
    TRY_MEMORY(value);
    value->at = b->given->at;
    if (*text == '\'') {
        value->kind = VALUE_STRING;
        value->string.length = param->fallback.length - 2;
        value->string.text = stria__pool_text(b->pool, text + 1, value->string.length);
        TRY_MEMORY(value->string.text);
    } else if (!stria__name_value(value, text, WORLD_ANY)) {
        value->kind = VALUE_INT;
        value->integer = strtoll(text, NULL, 10);
    }
    return STRIA_OK;
}

static stria_status find_value(struct value **out, struct binding *b, const struct param *param,
                               bool self)
{
    const struct value *receiver = self ? b->given->receiver : NULL;
    struct keyword *keyword;
    if (receiver && (is_array(param) || param->type == TYPE_SPARSE)) {
        *out = stria__pool_take(b->pool, sizeof **out);
        TRY_MEMORY(*out);
        **out = *receiver;
        return find_keyword(&keyword, b, param, self, true);
    }
    STRIA_TRY(find_keyword(&keyword, b, param, self, false));
    if (keyword && b->position < b->given->npositional) /* Python takes that for the same */
        return unfit(b->failure, stria__fail_at(b->failure, STRIA_ERR_ARGUMENT,
                                                b->given->positional[b->position].at,
                                                "%s: '%s' is given more than once", b->given->name,
                                                keyword->name));
    if (self && param->type == TYPE_ARRAYS)
        return joined(out, b, param, keyword ? &keyword->value : NULL);
    if (!keyword && param->variadic) return variadic(out, b, param->type);
    *out = keyword ? &keyword->value : positional(b);
    return STRIA_OK;
}

static stria_status bind_one(struct arg *arg, struct binding *b, const struct param *param,
                             bool self)
{
    const struct target target = {b->given->name, param, b->pool, b->failure};
    struct value *value;
    STRIA_TRY(find_value(&value, b, param, self));
    if (!value && !param->optional) {
        const struct text_span name = stria__span_first(param->names);
        return unfit(b->failure, stria__fail_at(b->failure, STRIA_ERR_ARGUMENT, b->given->at,
                                                "%s: %.*s is missing", b->given->name,
                                                (int)name.length, name.text));
    }
    if (value) return stria__bind_value(arg, value, &target);
    STRIA_TRY(fallback(&value, b, param));
    *arg = (struct arg){.at = b->given->at};
    return value->kind == VALUE_NONE ? STRIA_OK : stria__bind_value(arg, value, &target);
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
                         stria__fail_at(b->failure, STRIA_ERR_ARGUMENT, b->given->keywords[i].at,
                                        "%s: there is no argument '%s'", b->given->name,
                                        b->given->keywords[i].name));
    }
    return STRIA_OK;
}

stria_status stria__bind_arguments(struct arg *args, const struct signature *signature,
                                   const struct arguments *given, struct pool *pool,
                                   struct failure *failure)
{
    struct binding b = {.given = given, .pool = pool, .failure = failure};
    STRIA_TRY(check_keywords(&b, signature));
    for (int i = 0; i < signature->count; i++)
        STRIA_TRY(bind_one(&args[i], &b, &signature->params[i], i == 0 && signature->self));
    if (b.position < given->npositional)
        return unfit(failure,
                     stria__fail_at(failure, STRIA_ERR_ARGUMENT, given->positional[b.position].at,
                                    "%s: there is no room for this argument", given->name));
    return STRIA_OK;
}
