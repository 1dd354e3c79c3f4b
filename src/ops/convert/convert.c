/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions within one kind: byte order, and the conj and neg bits. All of them work on the
 * numbers that an element consists of (two for complex, one for each character of a string).
 */
#include "convert.h"

#include <string.h>

#include "status.h"

static bool is_float(stria_kind kind)
{
    return kind >= STRIA_F8E4M3 && kind <= STRIA_C128;
}

/* Bytes of one number; 1 where byte order means nothing. */
static int32_t number_size(stria_dtype dtype)
{
    if (dtype.kind == STRIA_UNICODE) return 4;
    return dtype.kind <= STRIA_C128 ? stria_dtype_real(dtype).itemsize : 1;
}

static uint64_t load(const char *p, int32_t size, bool swap)
{
    uint8_t b;
    uint16_t h;
    uint32_t w;
    uint64_t d;
    switch (size) {
    case 1: memcpy(&b, p, 1); return b;
    case 2: memcpy(&h, p, 2); return swap ? __builtin_bswap16(h) : h;
    case 4: memcpy(&w, p, 4); return swap ? __builtin_bswap32(w) : w;
    default: memcpy(&d, p, 8); return swap ? __builtin_bswap64(d) : d;
    }
}

static void store(char *p, uint64_t value, int32_t size, bool swap)
{
    const uint8_t b = (uint8_t)value;
    const uint16_t h = swap ? __builtin_bswap16((uint16_t)value) : (uint16_t)value;
    const uint32_t w = swap ? __builtin_bswap32((uint32_t)value) : (uint32_t)value;
    const uint64_t d = swap ? __builtin_bswap64(value) : value;
    switch (size) {
    case 1: memcpy(p, &b, 1); break;
    case 2: memcpy(p, &h, 2); break;
    case 4: memcpy(p, &w, 4); break;
    default: memcpy(p, &d, 8); break;
    }
}

/* Floats change their sign bit, NaNs and zeros included; integers wrap. */
static uint64_t negated(uint64_t value, stria_kind kind, int32_t size)
{
    return is_float(kind) ? value ^ (uint64_t)1 << (8 * size - 1) : 0 - value;
}

static void row(const struct conversion *how, char *out, const char *in, int64_t n)
{
    const stria_kind kind = (stria_kind)how->from.kind;
    const bool complex = stria_dtype_is_complex(how->from);
    const bool neg = how->flags & STRIA_NEG, conj = how->flags & STRIA_CONJ;
    const int32_t size = complex ? how->in_item / 2 : how->in_item;
    const int64_t numbers = complex ? 2 * n : n;
    for (int64_t i = 0; i < numbers; i++) {
        uint64_t value = load(in + i * size, size, how->from.swapped);
        if (neg != (conj && i % 2 == 1)) value = negated(value, kind, size);
        store(out + i * size, value, size, how->to.swapped);
    }
}

static stria_status refuse(stria_dtype to, stria_dtype from)
{
    char to_name[64], from_name[64];
    (void)stria_dtype_format(to, to_name, sizeof to_name);
    (void)stria_dtype_format(from, from_name, sizeof from_name);
    return stria__fail(STRIA_ERR_DTYPE, "copy: no conversion from %s to %s", from_name, to_name);
}

stria_status stria__convert(struct conversion *out, const stria_view *dst, const stria_view *src,
                            const stria_exec *exec)
{
    (void)exec;
    const stria_dtype to = dst->dtype, from = src->dtype;
    stria_dtype native = to;
    native.swapped = from.swapped;
    if (!stria_dtype_equal(native, from)) return refuse(to, from);
    const bool complex = stria_dtype_is_complex(from);
    const uint32_t resolved = complex                  ? STRIA_NEG | STRIA_CONJ
                              : from.kind <= STRIA_F64 ? STRIA_NEG
                                                       : 0;
    out->flags = (dst->flags ^ src->flags) & resolved;
    const int32_t size = number_size(from);
    out->row = out->flags || (to.swapped != from.swapped && size > 1) ? row : NULL;
    out->out_item = out->in_item = complex ? 2 * size : size;
    out->parts = from.itemsize / out->in_item;
    out->to = to;
    out->from = from;
    return STRIA_OK;
}
