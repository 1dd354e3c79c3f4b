/* SPDX-License-Identifier: BSD-3-Clause */
#include "bind.h"

#include <stdlib.h>
#include <string.h>
#include <limits.h>

/* Names by which PyTorch's and NumPy's functions call the array that they work on. */
static const char self_text[] = "input|self|a|x|m|v|arr|ar|ary|array|tensor";
static const struct text_span self_names = {self_text, sizeof self_text - 1};

struct binding {
    const struct arguments *given;
    struct pool *pool;
    struct failure *failure;
    size_t position;                      /* The number of the next positional argument. */
    struct keyword *keywords[MAX_PARAMS]; /* The one of each parameter, or NULL. */
};

/* Refuses arguments that do not fit this signature; another overload may take them. */
#define UNFIT(failure, at, ...)                                                                    \
    ((void)stria__fail_at(failure, STRIA_ERR_ARGUMENT, at, __VA_ARGS__),                           \
     (failure)->mismatch = true, STRIA_ERR_ARGUMENT)

static bool is_array(const struct param *param)
{
    return param->type == TYPE_ARRAY || param->type == TYPE_OPERAND;
}

/* Numbers are compared first: texts that have one number are nearly always one text. */
static bool names_match(const struct param *param, bool self, struct text_span name,
                        uint32_t number)
{
    for (int i = 0; i < PARAM_NAMES && param->numbers[i]; i++)
        if (param->numbers[i] == number && stria__span_place(param->names, name) >= 0) return true;
    return self && is_array(param) && stria__span_place(self_names, name) >= 0;
}

/* The parameter of that name; -1: there is none. */
static int param_of(const struct signature *signature, const char *text)
{
    const struct text_span name = {text, strlen(text)};
    const uint32_t number = stria__name_number(name);
    for (int i = signature->count - 1; i >= 0; i--)
        if (names_match(&signature->params[i], i == 0 && signature->self, name, number)) return i;
    return -1;
}

static struct value *positional(struct binding *b)
{
    return b->position < b->given->npositional ? &b->given->positional[b->position++] : NULL;
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

/* Binds *args: the one sequence given, or all remaining positional arguments as a tuple; NULL if
 * there are none. Values of any type are never taken as the one sequence, nor are lists of numbers
 * that others follow. */
static stria_status variadic(struct value **out, struct binding *b, enum param_type type)
{
    *out = NULL;
    const size_t left = b->given->npositional - b->position;
    if (!left) return STRIA_OK;
    struct value *const first = *out = &b->given->positional[b->position];
    const bool whole = stria__is_whole(first, type) &&
                       (left == 1 || type != TYPE_ARRAYS || stria__value_is_arrays(first));
    b->position += whole ? 1 : left;
    return whole ? STRIA_OK : tuple_of(out, b->pool, first, left, first->at);
}

/* Makes the list of arrays of a method that takes one, with its receiver, if any, in front. */
static stria_status joined(struct value **out, struct binding *b, const struct param *param,
                           struct value *more)
{
    const struct value *receiver = b->given->receiver;
    if (!more && param->variadic) STRIA_TRY(variadic(&more, b, TYPE_ARRAYS));
    if (!more && b->position < b->given->npositional) {
        struct value *next = &b->given->positional[b->position];
        if (stria__value_is_sequence(next) || next->kind == VALUE_ARRAY) more = positional(b);
    }
    *out = more;
    if (!receiver) return STRIA_OK;
    const struct value_items before = stria__value_items(receiver),
                             after =
                                 more ? stria__value_items(more) : (struct value_items){NULL, 0};
    TAKE_ARRAY(struct value, items, b->pool, before.count + after.count);
    memcpy(items, before.items, before.count * sizeof *items);
    if (after.count) memcpy(items + before.count, after.items, after.count * sizeof *items);
    return tuple_of(out, b->pool, items, before.count + after.count, receiver->at);
}

/* Makes the value of a default as the signature writes it: an integer, 'text', or a name such as
 * True. */
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
    } else if (strchr("-0123456789", *text)) {
        value->kind = VALUE_INT;
        value->integer = strtoll(text, NULL, 10);
    } else {
        (void)stria__name_value(value, text, WORLD_ANY);
    }
    return STRIA_OK;
}

static stria_status refuse_twice(const struct binding *b, const struct keyword *keyword, size_t at)
{
    return UNFIT(b->failure, at, "%s: '%s' is given more than once", b->given->name, keyword->name);
}

static stria_status find_value(struct value **out, struct binding *b, const struct param *param,
                               bool self, struct keyword *keyword)
{
    const struct value *receiver = self ? b->given->receiver : NULL;
    if (receiver && (is_array(param) || param->type == TYPE_SPARSE)) {
        *out = stria__pool_take(b->pool, sizeof **out);
        TRY_MEMORY(*out);
        **out = *receiver;
        return keyword ? refuse_twice(b, keyword, keyword->at) : STRIA_OK;
    }
    if (keyword && b->position < b->given->npositional) /* Python takes that for the same */
        return refuse_twice(b, keyword, b->given->positional[b->position].at);
    if (self && param->type == TYPE_ARRAYS)
        return joined(out, b, param, keyword ? &keyword->value : NULL);
    if (!keyword && param->variadic) return variadic(out, b, param->type);
    *out = keyword ? &keyword->value : positional(b);
    return STRIA_OK;
}

static stria_status bind_one(struct arg *arg, struct binding *b, const struct signature *signature,
                             int i)
{
    const struct param *const param = &signature->params[i];
    const struct target target = {b->given->name, param, b->pool, b->failure};
    struct value *value;
    STRIA_TRY(find_value(&value, b, param, i == 0 && signature->self, b->keywords[i]));
    if (!value && !param->optional) {
        const struct text_span name = stria__span_first(param->names);
        return UNFIT(b->failure, b->given->at, "%s: %.*s is missing", b->given->name,
                     (int)name.length, name.text);
    }
    if (value) return stria__bind_value(arg, value, &target);
    *arg = (struct arg){.at = b->given->at};
    if (param->fallback.length == 4 && !memcmp(param->fallback.text, "None", 4)) return STRIA_OK;
    STRIA_TRY(fallback(&value, b, param));
    return stria__bind_value(arg, value, &target);
}

/* Gives each keyword argument to the parameter of its name. */
static stria_status find_keywords(struct binding *b, const struct signature *signature)
{
    memset(b->keywords, 0, (size_t)signature->count * sizeof *b->keywords);
    for (size_t i = 0; i < b->given->nkeywords; i++) {
        struct keyword *const keyword = &b->given->keywords[i];
        const int place = param_of(signature, keyword->name);
        if (place < 0)
            return UNFIT(b->failure, keyword->at, "%s: there is no argument '%s'", b->given->name,
                         keyword->name);
        if (b->keywords[place]) return refuse_twice(b, keyword, keyword->at);
        b->keywords[place] = keyword;
    }
    return STRIA_OK;
}

stria_status stria__bind_arguments(struct arg *args, const struct signature *signature,
                                   const struct arguments *given, struct pool *pool,
                                   struct failure *failure)
{
    struct binding b;
    b.given = given;
    b.pool = pool;
    b.failure = failure;
    b.position = 0;
    STRIA_TRY(find_keywords(&b, signature));
    for (int i = 0; i < signature->count; i++)
        STRIA_TRY(bind_one(&args[i], &b, signature, i));
    if (b.position < given->npositional)
        return UNFIT(failure, given->positional[b.position].at,
                     "%s: there is no room for this argument", given->name);
    return STRIA_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

static stria_status wrong(const struct value *value, const struct target *t, const char *wanted)
{
    char text[VALUE_TEXT];
    const struct text_span name = stria__span_first(t->param->names);
    const bool pick = t->param->type == TYPE_ARRAY && stria__value_is_arrays(value);
    return UNFIT(t->failure, value->at, "%s: %.*s must be %s, not %s%s", t->op, (int)name.length,
                 name.text, wanted, stria__value_describe(value, text),
                 pick ? "; pick one with [i]" : "");
}

static stria_status convert_int(int64_t *out, const struct value *value, const struct target *t,
                                const char *wanted)
{
    if (value->kind == VALUE_ARRAY && value->view->ndim == 0 &&
        value->view->dtype.kind != STRIA_BOOL)
        return stria__value_integer(out, value, t->pool, t->failure);
    if (value->kind != VALUE_INT) return wrong(value, t, wanted);
    if (value->huge)
        return stria__fail_at(t->failure, STRIA_ERR_OVERFLOW, value->at,
                              "%s: the number does not fit in 64 bits", t->op);
    *out = value->integer;
    return STRIA_OK;
}

static stria_status narrow_dim(int *out, int64_t dim, const struct value *value,
                               const struct target *t)
{
    if (dim < INT_MIN || dim > INT_MAX)
        return stria__fail_at(t->failure, STRIA_ERR_DIM, value->at, "%s: dim %lld is out of range",
                              t->op, (long long)dim);
    *out = (int)dim;
    return STRIA_OK;
}

static stria_status convert_ints(struct arg *out, const struct value *value, const struct target *t)
{
    const char *wanted = "an int or a tuple of ints";
    if (value->kind == VALUE_ARRAY) {
        if (value->view->ndim > 1) return wrong(value, t, wanted);
        return stria__value_integers(&out->ints, &out->count, value->view, t->pool, value->at,
                                     t->failure);
    }
    const struct value_items all = stria__value_items(value);
    TAKE_ARRAY(int64_t, ints, t->pool, all.count);
    for (size_t i = 0; i < all.count; i++)
        STRIA_TRY(convert_int(&ints[i], &all.items[i], t, wanted));
    out->ints = ints;
    out->count = (int64_t)all.count;
    return STRIA_OK;
}

static stria_status convert_dims(struct arg *out, const struct value *value, const struct target *t)
{
    STRIA_TRY(convert_ints(out, value, t));
    TAKE_ARRAY(int, dims, t->pool, (size_t)out->count);
    for (int64_t i = 0; i < out->count; i++)
        STRIA_TRY(narrow_dim(&dims[i], out->ints[i], value, t));
    out->dims = dims;
    return STRIA_OK;
}

/* Tells whether a value is a list of numbers, of which an array is made. */
static bool is_list(const struct value *value)
{
    return stria__value_is_sequence(value) && !stria__value_is_arrays(value);
}

/* Binds a list of arrays; one array is the list of its items, as NumPy iterates over it. */
static stria_status convert_items(struct arg *out, const struct value *value,
                                  const struct target *t)
{
    const stria_view *const array = value->view;
    if (array->ndim == 0) return wrong(value, t, "a tuple or list of arrays");
    const size_t count = (size_t)array->shape[0];
    TAKE_ARRAY(stria_view, items, t->pool, count);
    TAKE_ARRAY(const stria_view *, views, t->pool, count);
    for (size_t i = 0; i < count; i++) {
        STRIA_TRY(stria_select(&items[i], array, 0, (int64_t)i));
        views[i] = &items[i];
    }
    out->views = views;
    out->count = (int64_t)count;
    return STRIA_OK;
}

static stria_status convert_arrays(struct arg *out, const struct value *value,
                                   const struct target *t)
{
    if (value->kind == VALUE_ARRAY) return convert_items(out, value, t);
    const struct value_items all = stria__value_items(value);
    TAKE_ARRAY(const stria_view *, views, t->pool, all.count);
    for (size_t i = 0; i < all.count; i++) {
        const struct value *const item = &all.items[i];
        if (item->kind != VALUE_ARRAY && !is_list(item))
            return wrong(item, t, "a tuple or list of arrays");
        STRIA_TRY(stria__list_array(&views[i], item, STRIA_F64, t->pool, t->failure));
    }
    out->views = views;
    out->count = (int64_t)all.count;
    return STRIA_OK;
}

/* Binds a memory format by its name, or by NumPy's letter for an order. */
static stria_status convert_format(struct arg *out, const struct value *value,
                                   const struct target *t)
{
    static const char letters[] = "CFAKcfak";
    static const stria_order orders[] = {STRIA_ORDER_C, STRIA_ORDER_F, STRIA_ORDER_A,
                                         STRIA_ORDER_K};
    if (value->kind == VALUE_FORMAT) {
        out->format = value->order;
        return STRIA_OK;
    }
    const char *found = value->kind == VALUE_STRING && value->string.length == 1
                            ? strchr(letters, *value->string.text)
                            : NULL;
    if (!found || !*found) return wrong(value, t, "a memory format, or 'C', 'F', 'A' or 'K'");
    out->format = orders[(found - letters) % 4];
    return STRIA_OK;
}

/* Tells whether a value describes a dtype; a list of sizes does not, a list of fields does. */
static bool is_dtype(const struct value *value)
{
    if (value->kind != VALUE_LIST)
        return value->kind == VALUE_DTYPE || value->kind == VALUE_STRING ||
               value->kind == VALUE_DICT;
    return value->list.count > 0 && stria__value_is_sequence(value->list.items);
}

/* Lists the types of parameters that take only one kind of value, with that kind and its name in
 * messages. */
static const struct {
    const char *wanted;
    enum value_kind kind;
} kinds[] = {[TYPE_ARRAY] = {"an array", VALUE_ARRAY},
             [TYPE_SPARSE] = {"a sparse array", VALUE_SPARSE},
             [TYPE_BOOL] = {"True or False", VALUE_BOOL},
             [TYPE_TEXT] = {"a string", VALUE_STRING},
             [TYPE_CLASS] = {"np.matrix, np.recarray or np.ndarray", VALUE_CLASS},
             [TYPE_ANY] = {NULL, VALUE_NONE}};

stria_status stria__bind_value(struct arg *out, const struct value *value, const struct target *t)
{
    const enum param_type type = t->param->type;
    *out = (struct arg){.given = true, .at = value->at, .value = value};
    if (value->kind == VALUE_NONE && t->param->none) {
        out->given = false;
        return STRIA_OK;
    }
    if (type == TYPE_ARRAY && is_list(value) && !stria__span_has(t->param->names, "out"))
        return stria__list_array(&out->view, value,
                                 stria__span_has(t->param->names, "self") ? STRIA_F64 : STRIA_I64,
                                 t->pool, t->failure);
    if (kinds[type].wanted && value->kind != kinds[type].kind)
        return wrong(value, t, kinds[type].wanted);
    switch (type) {
    case TYPE_INT: return convert_int(&out->integer, value, t, "an int");
    case TYPE_INTS: return convert_ints(out, value, t);
    case TYPE_DIMS: return convert_dims(out, value, t);
    case TYPE_ARRAYS: return convert_arrays(out, value, t);
    case TYPE_FORMAT: return convert_format(out, value, t);
    case TYPE_DATA: return stria__list_array(&out->view, value, STRIA_F64, t->pool, t->failure);
    case TYPE_OPERAND: return stria__weak_operand(&out->view, value, t->pool, t->failure);
    case TYPE_DIM:
        STRIA_TRY(convert_int(&out->integer, value, t, "an int"));
        return narrow_dim(&out->dim, out->integer, value, t);
    case TYPE_DTYPE:
        if (!is_dtype(value)) return wrong(value, t, "a dtype");
        return stria__dtype_value(&out->dtype, value, false, t->pool, t->failure);
    case TYPE_ARRAY: out->view = value->view; break;
    case TYPE_BOOL: out->truth = value->truth; break;
    case TYPE_TEXT: out->text = value->string.text; break;
    case TYPE_CLASS: out->class_bits = value->class_bits; break;
    case TYPE_SPARSE:
    case TYPE_ANY: break;
    }
    return STRIA_OK;
}
