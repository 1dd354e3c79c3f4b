/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pairs without a kernel of their own go by way of a type in between, chosen so that the value is
 * rounded once and as the direct conversion would round it.
 *
 * NOTE [One rounding]: the way through a type is right where the first half is exact. It is exact
 * - from a small float through f32, and from f32 through f64: those hold all their values;
 * - from integers of 8 and 16 bits through f32 (24 bits).
 * For f16 and the 8-bit floats every integer may go through f32, whatever its size: up to 2^24 that
 * is exact, and beyond, where f32 rounds, both the value and its rounding (which is no less than
 * 2^24, since rounding is monotone) are above 65520, where all three formats give their largest
 * result. bf16 reaches as far as f32; its conversions from larger integers are kernels.
 */
#include <assert.h>

#include "conversion.h"
#include "dispatch.h"

static bool is_float(stria_kind kind)
{
    return kind >= STRIA_F8E4M3 && kind <= STRIA_F64;
}

static bool is_integer(stria_kind kind)
{
    return kind >= STRIA_I8 && kind <= STRIA_U64;
}

static bool is_complex(stria_kind kind)
{
    return kind == STRIA_C64 || kind == STRIA_C128;
}

static int32_t size_of(stria_kind kind)
{
    return stria_dtype_of(kind).itemsize;
}

static stria_kind part_of(stria_kind kind)
{
    return (stria_kind)stria_dtype_real(stria_dtype_of(kind)).kind;
}

/* Returns the intermediate type of a pair without a kernel. */
static stria_kind hub(stria_kind to, stria_kind from)
{
    if (is_complex(from)) return part_of(from);
    if (is_complex(to)) return part_of(to);
    return STRIA_F32;
}

static void push(struct conversion *out, convert_row *row, int32_t per, int32_t size)
{
    assert(row && out->count < CONVERSION_STEPS);
    out->steps[out->count++] =
        (struct conversion_step){.row = row, .per = (int16_t)per, .size = (int16_t)size};
}

/* per: 2 where both parts of complex items take the same steps. */
static void push_path(struct conversion *out, stria_kind to, stria_kind from, int32_t per)
{
    const bool same_bits =
        to == from || (is_integer(to) && is_integer(from) && size_of(to) == size_of(from));
    if (same_bits) return;
    convert_row *const row = stria__kernels()->convert->row[to][from];
    if (row) {
        push(out, row, per, per * size_of(to));
        return;
    }
    const stria_kind between = hub(to, from);
    push_path(out, between, from, per);
    push_path(out, to, between, per);
}

void stria__route(struct conversion *out, stria_kind to, stria_kind from, bool wrap)
{
    const stria_kind part = part_of(from);
    if (is_complex(to) && is_complex(from)) {
        push_path(out, part_of(to), part, 2);
    } else if (wrap && is_float(part) && is_integer(to)) {
        push_path(out, STRIA_F64, from, 1);
        push(out, stria__kernels()->convert->u64_wrapped_from_f64, 1, size_of(STRIA_U64));
        push_path(out, to, STRIA_U64, 1);
    } else {
        push_path(out, to, from, 1);
    }
}

void stria__route_swap(struct conversion *out, stria_dtype dtype)
{
    static const int8_t log2_of[] = {[2] = 1, [4] = 2, [8] = 3};
    const int32_t size = dtype.kind == STRIA_UNICODE ? 4 : stria_dtype_real(dtype).itemsize;
    const int32_t per = stria_dtype_is_complex(dtype) ? 2 : 1;
    push(out, stria__kernels()->convert->swap[log2_of[size]], per, per * size);
}

void stria__route_signs(struct conversion *out, stria_kind kind, uint32_t flags)
{
    const struct convert_kernels *kernels = stria__kernels()->convert;
    const stria_kind part = part_of(kind);
    const int32_t per = is_complex(kind) ? 2 : 1;
    if (flags & STRIA_NEG && kernels->negate[part])
        push(out, kernels->negate[part], per, size_of(kind));
    if (flags & STRIA_CONJ && kernels->conjugate[kind])
        push(out, kernels->conjugate[kind], 1, size_of(kind));
}
