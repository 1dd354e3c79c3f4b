/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "stria/stria.h"
#include "tagged_value.h"

/* ---- lists as arrays ------------------------------------------------------------------------- */

struct literal {
    int64_t shape[STRIA_MAX_NDIM];
    int ndim;
    stria_kind kind;
    bool negative; /* An integer is below 0. */
    struct pool *pool;
    struct failure *failure;
};

static bool is_array_int(const struct value *value)
{
    return value->kind == VALUE_ARRAY && value->view->ndim == 0 &&
           value->view->dtype.kind >= STRIA_I8 && value->view->dtype.kind <= STRIA_U64;
}

static stria_status number_kind(stria_kind *out, const struct value *value, struct failure *failure)
{
    char text[VALUE_TEXT];
    if (is_array_int(value)) {
        *out = STRIA_I64;
        return STRIA_OK;
    }
    switch (value->kind) {
    case VALUE_BOOL: *out = STRIA_BOOL; return STRIA_OK;
    case VALUE_FLOAT: *out = STRIA_F64; return STRIA_OK;
    case VALUE_COMPLEX: *out = STRIA_C128; return STRIA_OK;
    case VALUE_INT: *out = value->huge ? STRIA_U64 : STRIA_I64; break;
    default:
        return stria__fail_at(failure, STRIA_ERR_ARGUMENT, value->at,
                              "an array or numbers expected, not %s",
                              stria__value_describe(value, text));
    }
    if (value->huge && !value->large)
        return stria__fail_at(failure, STRIA_ERR_OVERFLOW, value->at,
                              "the number does not fit in 64 bits");
    return STRIA_OK;
}

/* Checks a list against the shape of its first items, from dim on. */
static stria_status measure_list(struct literal *l, const struct value *value, int dim)
{
    if (stria__value_is_sequence(value) != (dim < l->ndim) ||
        (stria__value_is_sequence(value) && (int64_t)value->list.count != l->shape[dim]))
        return stria__fail_at(l->failure, STRIA_ERR_SHAPE, value->at, "the nested list is ragged");
    if (!stria__value_is_sequence(value)) {
        stria_kind kind = STRIA_BOOL;
        STRIA_TRY(number_kind(&kind, value, l->failure));
        /* The enum has the order bool < i64 < u64 < f64 < c128, too. */
        if (kind > l->kind) l->kind = kind;
        l->negative |= kind == STRIA_I64 && value->kind == VALUE_INT && value->integer < 0;
        return STRIA_OK;
    }
    for (size_t i = 0; i < value->list.count; i++)
        STRIA_TRY(measure_list(l, &value->list.items[i], dim + 1));
    return STRIA_OK;
}

static stria_status store_number(struct literal *l, char *item, const struct value *value)
{
    int64_t number = value->kind == VALUE_BOOL ? value->truth : value->integer;
    if (is_array_int(value)) STRIA_TRY(stria__value_integer(&number, value, l->pool, l->failure));
    const bool exact = value->kind != VALUE_FLOAT && value->kind != VALUE_COMPLEX;
    const double parts[2] = {!exact                                    ? value->number.real
                             : value->kind == VALUE_INT && value->huge ? (double)value->large
                                                                       : (double)number,
                             value->kind == VALUE_COMPLEX ? value->number.imaginary : 0};
    if (l->kind == STRIA_BOOL)
        *item = (char)number;
    else if (l->kind == STRIA_U64 && value->kind == VALUE_INT && value->huge)
        memcpy(item, &value->large, sizeof value->large);
    else if (l->kind == STRIA_I64 || l->kind == STRIA_U64)
        memcpy(item, &number, sizeof number);
    else
        memcpy(item, parts, l->kind == STRIA_F64 ? sizeof *parts : sizeof parts);
    return STRIA_OK;
}

/* Stores the items in C order; *at moves behind the last one. */
static stria_status fill_items(struct literal *l, char **at, const struct value *value)
{
    if (!stria__value_is_sequence(value)) {
        STRIA_TRY(store_number(l, *at, value));
        *at += stria_dtype_of(l->kind).itemsize;
        return STRIA_OK;
    }
    for (size_t i = 0; i < value->list.count; i++)
        STRIA_TRY(fill_items(l, at, &value->list.items[i]));
    return STRIA_OK;
}

stria_status stria__list_array(const stria_view **out, const struct value *value,
                               stria_kind of_none, struct pool *pool, struct failure *failure)
{
    if (value->kind == VALUE_ARRAY) {
        *out = value->view;
        return STRIA_OK;
    }
    struct literal l = {.kind = STRIA_BOOL, .pool = pool, .failure = failure};
    const struct value *first = value;
    bool empty = false;
    for (; stria__value_is_sequence(first) && !empty; first = first->list.items) {
        if (l.ndim == STRIA_MAX_NDIM)
            return stria__fail_at(failure, STRIA_ERR_SHAPE, value->at,
                                  "a list nested deeper than %d dims", STRIA_MAX_NDIM);
        l.shape[l.ndim++] = (int64_t)first->list.count;
        empty = first->list.count == 0;
    }
    STRIA_TRY(measure_list(&l, value, 0));
    if (empty) l.kind = of_none;
    if (l.kind == STRIA_U64 && l.negative) /* No integer dtype holds both, as in NumPy. */
        l.kind = STRIA_F64;
    stria_array array = {0};
    const stria_status status = stria_empty(&array, stria_dtype_of(l.kind), l.ndim, l.shape);
    if (status != STRIA_OK) return stria__fail_library(failure, status, value->at);
    const stria_array *const kept = stria__pool_keep(pool, array);
    TRY_MEMORY(kept);
    *out = &kept->view;
    char *at = kept->view.data;
    return fill_items(&l, &at, value);
}

/* ---- operands -------------------------------------------------------------------------------- */

stria_kind stria__weak_kind(const struct value *value)
{
    switch (value->kind) {
    case VALUE_BOOL: return STRIA_BOOL;
    case VALUE_INT: return value->large ? STRIA_U64 : STRIA_I64;
    case VALUE_FLOAT: return STRIA_F64;
    default: return STRIA_C128;
    }
}

const void *stria__weak_item(const struct value *value)
{
    switch (value->kind) {
    case VALUE_BOOL: return &value->truth;
    case VALUE_INT: return value->large ? (const void *)&value->large : &value->integer;
    default: return &value->number; /* The real part comes first. */
    }
}

stria_status stria__weak_operand(const stria_view **out, const struct value *value,
                                 struct pool *pool, struct failure *failure)
{
    if (!stria__value_is_number(value))
        return stria__list_array(out, value, STRIA_F64, pool, failure);
    if (value->kind == VALUE_INT && value->huge && !value->large)
        return stria__fail_at(failure, STRIA_ERR_OVERFLOW, value->at,
                              "the number does not fit in 64 bits");
    TAKE(struct value, kept, pool);
    TAKE(stria_view, scalar, pool);
    *kept = *value;
    const stria_status status = stria_weak(scalar, stria__weak_kind(kept), stria__weak_item(kept));
    if (status != STRIA_OK) return stria__fail_library(failure, status, value->at);
    *out = scalar;
    return STRIA_OK;
}
