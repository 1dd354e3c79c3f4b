/* SPDX-License-Identifier: BSD-3-Clause */
#include "op_operand.h"

#include <string.h>

static stria_status number(stria_array *out, stria_kind kind, const void *bytes, size_t size)
{
    TRY(stria_empty(out, stria_dtype_of(kind), 0, NULL));
    memcpy(out->view.data, bytes, size);
    return STRIA_OK;
}

stria_status operand(stria_array *out, struct call *call, const struct arg *arg)
{
    char text[VALUE_TEXT];
    const struct value *value = arg->value;
    switch (value ? value->kind : VALUE_NONE) {
    case VALUE_ARRAY: *out = stria_array_share(value->view); return STRIA_OK;
    case VALUE_BOOL: return number(out, STRIA_BOOL, &value->truth, 1);
    case VALUE_INT: return number(out, STRIA_I64, &value->integer, sizeof value->integer);
    case VALUE_FLOAT: return number(out, STRIA_F64, &value->number.real, sizeof(double));
    case VALUE_COMPLEX: return number(out, STRIA_C128, &value->number, 2 * sizeof(double));
    default:
        return call_refuse(call, STRIA_ERR_ARGUMENT, "an array or a number is needed, not %s",
                           value ? value_describe(value, text) : "None");
    }
}
