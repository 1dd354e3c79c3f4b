/* SPDX-License-Identifier: BSD-3-Clause */
/* See exponents.h. The power of floats is defined for all exponents, as is that of unsigned ones.
 */
#include "ops/elementwise/exponents.h"

#include <inttypes.h>
#include <string.h>

#include "dispatch.h"
#include "odometer.h"
#include "ops/elementwise/kinds.h"
#include "simd/number.h"
#include "status.h"
#include "stria/broadcast.h"
#include "stria/reduce.h"
#include "view/view.h"

/* Finds the least exponent where the mask holds; 0 where none is below it. */
__attribute__((noinline)) static stria_status
least_masked(const stria_view *out, const stria_view *b, const stria_view *mask)
{
    const bool zero = false;
    stria_view wide[2], initial;
    STRIA_TRY(stria_broadcast_tensors(wide, 2, (const stria_view *[]){b, mask}));
    STRIA_TRY(stria_view_foreign(&initial, (void *)(uintptr_t)&zero, stria_dtype_of(STRIA_BOOL), 0,
                                 NULL, NULL, STRIA_READONLY));
    const stria_reduce_options options = {.where = &wide[1], .initial = &initial};
    return stria_reduce_dims(STRIA_MIN, out, &wide[0], STRIA_ALL_DIMS, NULL, &options, NULL);
}

stria_status stria__check_exponents(const struct op_types *types, const stria_view *b,
                                    const stria_view *mask)
{
    if (!is_signed_kind((stria_kind)types->kernel.kind) ||
        !is_signed_kind((stria_kind)b->dtype.kind) || is_empty(b->ndim, b->shape))
        return STRIA_OK;
    stria_view usual = *b, least, where;
    int64_t exponent = 0, at = 0, index[STRIA_MAX_NDIM];
    usual.flags &= ~(uint32_t)STRIA_WEAK;
    STRIA_TRY(stria_view_foreign(&least, &exponent, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    if (mask) {
        STRIA_TRY(least_masked(&least, &usual, mask));
        if (exponent >= 0) return STRIA_OK;
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "pow: b has negative exponents where the mask holds: integers have no "
                           "negative powers; cast a to a float, or use float_power");
    }
    STRIA_TRY(stria_min(&least, &usual, STRIA_ALL_DIMS, NULL, NULL));
    if (exponent >= 0) return STRIA_OK;
    STRIA_TRY(stria_view_foreign(&where, &at, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    STRIA_TRY(stria_argmin(&where, &usual, STRIA_ALL_DIMS, NULL, NULL));
    stria__index_of(index, b->ndim, b->shape, at);
    return stria__fail(STRIA_ERR_ARGUMENT,
                       "pow: b is %" PRId64
                       " at index %s: integers have no negative powers; cast a "
                       "to a float, or use float_power",
                       exponent, stria__dims_text(b->ndim, index).text);
}

/* A native item of a real dtype but f8, which no kernel of powers takes. */
static double number_of(stria_kind kind, const void *item)
{
    uint16_t half = 0;
    float narrow = 0;
    double number = 0;
    switch (kind) {
    case STRIA_F16:
    case STRIA_BF16:
        memcpy(&half, item, sizeof half);
        return (double)(kind == STRIA_F16 ? f32_from_f16(half) : f32_from_bf16(half));
    case STRIA_F32: memcpy(&narrow, item, sizeof narrow); return (double)narrow;
    case STRIA_F64: memcpy(&number, item, sizeof number); return number;
    default: stria__kernels()->convert->row[STRIA_F64][kind](&number, item, 1); return number;
    }
}

bool stria__is_two(stria_kind kind, const void *item)
{
    const bool real = kind <= STRIA_U64 || (kind >= STRIA_F16 && kind <= STRIA_F64);
    return real && number_of(kind, item) == 2;
}
