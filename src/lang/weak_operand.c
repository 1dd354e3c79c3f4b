/* SPDX-License-Identifier: BSD-3-Clause */
#include "weak_operand.h"

#include "list_array.h"
#include "numbers.h"
#include "stria/elementwise.h"

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
