/* SPDX-License-Identifier: BSD-3-Clause */
/* See weak_scalar.h. */
#include "ops/elementwise/weak_scalar.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dtype.h"
#include "ops/elementwise/kinds.h"
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

struct weak_real stria__weak_real(const stria_view *weak)
{
    struct weak_real out = {.is_float = weak->dtype.kind == STRIA_F64};
    int64_t i;
    switch (weak->dtype.kind) {
    case STRIA_BOOL: out.magnitude = *weak->data != 0; break;
    case STRIA_U64: memcpy(&out.magnitude, weak->data, sizeof out.magnitude); break;
    case STRIA_I64:
        memcpy(&i, weak->data, sizeof i);
        out.negative = i < 0;
        out.magnitude = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
        break;
    default: memcpy(&out.number, weak->data, sizeof out.number);
    }
    return out;
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
    const struct weak_real value = stria__weak_real(weak);
    const bool large = !value.negative && value.magnitude > INT64_MAX;
    return stria_dtype_of(large ? STRIA_U64 : STRIA_I64);
}

bool stria__weak_fits(const stria_view *weak, stria_kind kind)
{
    const stria_kind own = (stria_kind)weak->dtype.kind;
    if ((own != STRIA_I64 && own != STRIA_U64) || !is_integer_kind(kind)) return true;
    const struct weak_real value = stria__weak_real(weak);
    return value.magnitude <= (value.negative ? lowest_magnitude(kind) : highest_integer(kind));
}

struct weak_text stria__weak_text(const stria_view *weak)
{
    struct weak_text out;
    double part[2];
    switch (weak->dtype.kind) {
    case STRIA_BOOL:
        (void)snprintf(out.text, sizeof out.text, "the weak %s", *weak->data ? "true" : "false");
        break;
    case STRIA_F64:
        memcpy(part, weak->data, sizeof part[0]);
        (void)snprintf(out.text, sizeof out.text, "the weak float %.17g", part[0]);
        break;
    case STRIA_C128:
        memcpy(part, weak->data, sizeof part);
        (void)snprintf(out.text, sizeof out.text, "the weak complex %.6g%+.6gj", part[0], part[1]);
        break;
    default: {
        const struct weak_real value = stria__weak_real(weak);
        (void)snprintf(out.text, sizeof out.text, "the weak integer %s%" PRIu64,
                       value.negative ? "-" : "", value.magnitude);
    }
    }
    return out;
}
