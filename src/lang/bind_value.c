/* SPDX-License-Identifier: BSD-3-Clause */
#include "bind_value.h"

#include <limits.h>
#include <string.h>

#include "dtype_value.h"
#include "list_array.h"
#include "weak_operand.h"

static stria_status wrong(const struct value *value, const struct target *t, const char *wanted)
{
    char text[VALUE_TEXT];
    const struct text_span name = stria__span_first(t->param->names);
    const bool pick = t->param->type == TYPE_ARRAY && stria__value_is_arrays(value);
    (void)stria__fail_at(t->failure, STRIA_ERR_ARGUMENT, value->at, "%s: %.*s must be %s, not %s%s",
                         t->op, (int)name.length, name.text, wanted,
                         stria__value_describe(value, text), pick ? "; pick one with [i]" : "");
    t->failure->mismatch = true;
    return STRIA_ERR_ARGUMENT;
}

static stria_status convert_int(int64_t *out, const struct value *value, const struct target *t,
                                const char *wanted)
{
    if (value->kind == VALUE_ARRAY && value->view->ndim == 0 &&
        value->view->dtype.kind != STRIA_BOOL) {
        const int64_t *numbers;
        int64_t count;
        STRIA_TRY(
            stria__value_integers(&numbers, &count, value->view, t->pool, value->at, t->failure));
        *out = numbers[0];
        return STRIA_OK;
    }
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
    const bool several = value->kind == VALUE_TUPLE || value->kind == VALUE_LIST;
    const struct value *items = several ? value->list.items : value;
    const size_t count = several ? value->list.count : 1;
    int64_t *ints = stria__pool_array(t->pool, count, sizeof *ints);
    TRY_MEMORY(ints);
    for (size_t i = 0; i < count; i++)
        STRIA_TRY(convert_int(&ints[i], &items[i], t, wanted));
    out->ints = ints;
    out->count = (int64_t)count;
    return STRIA_OK;
}

static stria_status convert_dims(struct arg *out, const struct value *value, const struct target *t)
{
    STRIA_TRY(convert_ints(out, value, t));
    int *dims = stria__pool_array(t->pool, (size_t)out->count, sizeof *dims);
    TRY_MEMORY(dims);
    for (int64_t i = 0; i < out->count; i++)
        STRIA_TRY(narrow_dim(&dims[i], out->ints[i], value, t));
    out->dims = dims;
    return STRIA_OK;
}

static stria_status convert_arrays(struct arg *out, const struct value *value,
                                   const struct target *t)
{
    const bool several = value->kind == VALUE_TUPLE || value->kind == VALUE_LIST;
    const struct value *items = several ? value->list.items : value;
    const size_t count = several ? value->list.count : 1;
    const stria_view **views = stria__pool_array(t->pool, count, sizeof *views);
    TRY_MEMORY(views);
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind != VALUE_ARRAY) return wrong(&items[i], t, "a tuple or list of arrays");
        views[i] = items[i].view;
    }
    out->views = views;
    out->count = (int64_t)count;
    return STRIA_OK;
}

/* A memory format by its name, or NumPy's letter for an order. */
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

/* A list of sizes is none, a list of fields is one. */
static bool is_dtype(const struct value *value)
{
    if (value->kind != VALUE_LIST)
        return value->kind == VALUE_DTYPE || value->kind == VALUE_STRING ||
               value->kind == VALUE_DICT;
    return value->list.count > 0 &&
           (value->list.items->kind == VALUE_TUPLE || value->list.items->kind == VALUE_LIST);
}

stria_status stria__bind_value(struct arg *out, const struct value *value, const struct target *t)
{
    *out = (struct arg){.given = true, .at = value->at, .value = value};
    if (value->kind == VALUE_NONE && t->param->none) {
        out->given = false;
        return STRIA_OK;
    }
    switch (t->param->type) {
    case TYPE_INT: return convert_int(&out->integer, value, t, "an int");
    case TYPE_INTS: return convert_ints(out, value, t);
    case TYPE_DIMS: return convert_dims(out, value, t);
    case TYPE_ARRAYS: return convert_arrays(out, value, t);
    case TYPE_FORMAT: return convert_format(out, value, t);
    case TYPE_ANY: return STRIA_OK;
    case TYPE_DATA: return stria__list_array(&out->view, value, t->pool, t->failure);
    case TYPE_OPERAND: return stria__weak_operand(&out->view, value, t->pool, t->failure);
    case TYPE_DIM:
        STRIA_TRY(convert_int(&out->integer, value, t, "an int"));
        return narrow_dim(&out->dim, out->integer, value, t);
    case TYPE_ARRAY:
        if (value->kind != VALUE_ARRAY) return wrong(value, t, "an array");
        out->view = value->view;
        return STRIA_OK;
    case TYPE_SPARSE:
        if (value->kind != VALUE_SPARSE) return wrong(value, t, "a sparse array");
        return STRIA_OK;
    case TYPE_BOOL:
        if (value->kind != VALUE_BOOL) return wrong(value, t, "True or False");
        out->truth = value->truth;
        return STRIA_OK;
    case TYPE_TEXT:
        if (value->kind != VALUE_STRING) return wrong(value, t, "a string");
        out->text = value->string.text;
        return STRIA_OK;
    case TYPE_CLASS:
        if (value->kind != VALUE_CLASS)
            return wrong(value, t, "np.matrix, np.recarray or np.ndarray");
        out->class_bits = value->class_bits;
        return STRIA_OK;
    case TYPE_DTYPE:
        if (!is_dtype(value)) return wrong(value, t, "a dtype");
        return stria__dtype_value(&out->dtype, value, false, t->pool, t->failure);
    }
    return STRIA_OK;
}
