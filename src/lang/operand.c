/* SPDX-License-Identifier: BSD-3-Clause */
#include "operand.h"

#include <math.h>
#include <string.h>

#include "list_array.h"
#include "numbers.h"
#include "stria/elementwise.h"

static int category(stria_kind kind)
{
    if (kind == STRIA_BOOL) return 0;
    if (kind <= STRIA_U64) return 1;
    return kind <= STRIA_F64 ? 2 : 3;
}

static stria_status read_back(double *out, const stria_view *scalar)
{
    stria_view number;
    STRIA_TRY(stria_view_foreign(&number, out, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    return stria_copy(&number, scalar);
}

/* Tells whether a conversion of a scalar lost it: wrapped around, or beyond the largest float. */
static stria_status check_fits(struct invocation *call, const struct value *value,
                               const stria_view *given, const stria_view *converted)
{
    double before, after;
    STRIA_TRY(read_back(&before, given));
    STRIA_TRY(read_back(&after, converted));
    const bool integers =
        value->kind == VALUE_INT && category((stria_kind)converted->dtype.kind) == 1;
    if ((value->kind == VALUE_INT && value->huge) || (integers && before != after) ||
        (isfinite(before) && !isfinite(after))) {
        char name[32];
        (void)stria_dtype_format(converted->dtype, name, sizeof name);
        return stria__call_refuse(call, STRIA_ERR_OVERFLOW, "the number %g does not fit in %s",
                                  before, name);
    }
    return STRIA_OK;
}

static stria_status converted(stria_array *out, struct invocation *call, const struct arg *arg,
                              stria_dtype dtype)
{
    stria_array made = {0};
    STRIA_TRY(stria_empty(&made, dtype, 0, NULL));
    stria_status status = stria_copy(&made.view, arg->view);
    if (status == STRIA_OK) status = check_fits(call, arg->value, arg->view, &made.view);
    if (status == STRIA_OK)
        *out = made;
    else
        stria_array_release(&made);
    return status;
}

static bool is_number(const struct arg *arg)
{
    return arg->value && arg->value->kind >= VALUE_BOOL && arg->value->kind <= VALUE_COMPLEX;
}

stria_status stria__operand_into(stria_array *out, struct invocation *call, const struct arg *arg,
                                 stria_dtype dtype)
{
    *out = stria_array_share(arg->view);
    const bool drops = stria_dtype_is_complex(out->view.dtype) && !stria_dtype_is_complex(dtype);
    if (!drops && (!is_number(arg) || dtype.kind > STRIA_C128)) return STRIA_OK;
    stria_array_release(out);
    if (drops)
        return stria__call_refuse(call, STRIA_ERR_DTYPE,
                                  "a complex value does not fit in real items; "
                                  "take its real part");
    return converted(out, call, arg, dtype);
}

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
    default: return &value->number; /* the real part first */
    }
}

stria_status stria__weak_operand(const stria_view **out, const struct value *value,
                                 struct pool *pool, struct failure *failure)
{
    if (!stria__value_is_number(value)) return stria__list_array(out, value, pool, failure);
    if (value->kind == VALUE_INT && value->huge && !value->large)
        return stria__fail_at(failure, STRIA_ERR_OVERFLOW, value->at,
                              "the number does not fit in 64 bits");
    struct value *kept = stria__pool_take(pool, sizeof *kept);
    TRY_MEMORY(kept);
    stria_view *scalar = stria__pool_take(pool, sizeof *scalar);
    TRY_MEMORY(scalar);
    *kept = *value;
    const stria_status status = stria_weak(scalar, stria__weak_kind(kept), stria__weak_item(kept));
    if (status != STRIA_OK) return stria__fail_library(failure, status, value->at);
    *out = scalar;
    return STRIA_OK;
}
