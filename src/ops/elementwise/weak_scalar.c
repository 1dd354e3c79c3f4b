/* SPDX-License-Identifier: BSD-3-Clause */
/* See weak_scalar.h. */
#include "ops/elementwise/weak_scalar.h"

#include <stdio.h>
#include <string.h>

#include "dtype.h"
#include "status.h"
#include "view/view.h"

stria_status stria_weak(stria_view *out, stria_kind kind, const void *value)
{
    if (!out || !value)
        return stria__fail(STRIA_ERR_ARGUMENT, "weak: %s is NULL", out ? "value" : "out");
    if (!stria__is_weak_kind(kind))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "weak: kind %d is none of bool, i64, u64, f64 and c128, which stand for "
                           "the numbers of Python",
                           (int)kind);
    view_set(out, (char *)(uintptr_t)value, NULL, stria_dtype_of(kind), STRIA_READONLY | STRIA_WEAK,
             0, out->shape, out->strides);
    return STRIA_OK;
}

stria_status stria__check_weak(const stria_view *a, const char *op, const char *what)
{
    const uint32_t lazy = STRIA_CONJ | STRIA_NEG;
    if (a->ndim == 0 && stria__is_weak_kind((stria_kind)a->dtype.kind) && !a->dtype.swapped &&
        !(a->flags & lazy) && !view_is_meta(a))
        return STRIA_OK;
    char dtype[32];
    stria__dtype_brief(a->dtype, dtype, sizeof dtype);
    return stria__fail(
        STRIA_ERR_ARGUMENT,
        "%s: %s has STRIA_WEAK, but is %s of shape %s and not a scalar as stria_weak "
        "makes them; clear the flag, or make it so",
        op, what, dtype, stria__dims_text(a->ndim, a->shape).text);
}

const stria_view *stria__set_scalar(struct substitute *out, stria_dtype dtype, const void *item)
{
    memcpy(out->item, item, (size_t)dtype.itemsize);
    view_set(&out->view, out->item, NULL, dtype, STRIA_READONLY, 0, out->view.shape,
             out->view.strides);
    return &out->view;
}

stria_dtype stria__weak_default(const stria_view *weak, stria_promotion rule)
{
    const bool torch = rule == STRIA_PROMOTE_TORCH;
    switch (weak->dtype.kind) {
    case STRIA_BOOL: return stria_dtype_of(STRIA_BOOL);
    case STRIA_F64: return stria_dtype_of(torch ? STRIA_F32 : STRIA_F64);
    case STRIA_C128: return stria_dtype_of(torch ? STRIA_C64 : STRIA_C128);
    default: break;
    }
    const struct element value = weak_value(weak);
    const bool large = !value.negative && value.magnitude > INT64_MAX;
    return stria_dtype_of(large ? STRIA_U64 : STRIA_I64);
}

bool stria__weak_fits(const stria_view *weak, stria_kind kind)
{
    const stria_kind own = (stria_kind)weak->dtype.kind;
    if ((own != STRIA_I64 && own != STRIA_U64) || !is_integer_kind(kind)) return true;
    const struct element value = weak_value(weak);
    return value.magnitude <= (value.negative ? lowest_magnitude(kind) : highest_integer(kind));
}

struct weak_text stria__weak_text(const stria_view *weak)
{
    struct weak_text out;
    const struct element value = weak_value(weak);
    const stria_kind kind = (stria_kind)weak->dtype.kind;
    (void)snprintf(out.text, sizeof out.text, "the weak %s%s",
                   kind == STRIA_BOOL   ? ""
                   : kind == STRIA_F64  ? "float "
                   : kind == STRIA_C128 ? "complex "
                                        : "integer ",
                   kind != STRIA_BOOL ? stria__element_text(&value).text
                   : value.magnitude  ? "true"
                                      : "false");
    return out;
}
