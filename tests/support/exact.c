/* SPDX-License-Identifier: BSD-3-Clause */
#include "exact.h"

#include <stdint.h>
#include <string.h>

/* The value is (-1)^negative m 2^e, unless it is infinite or not a number. */
struct value {
    bool negative, infinite, nan;
    uint64_t m;
    int e;
    uint64_t payload; /* payload of a NaN, from bit 51 downwards, the quiet bit included */
};

struct format {
    int bits, mantissa, bias; /* bias is 0 for integers */
    bool is_signed;
};

static struct format format_of(stria_kind kind)
{
    switch (kind) {
    case STRIA_I8: return (struct format){8, 0, 0, true};
    case STRIA_I16: return (struct format){16, 0, 0, true};
    case STRIA_I32: return (struct format){32, 0, 0, true};
    case STRIA_I64: return (struct format){64, 0, 0, true};
    case STRIA_U8: return (struct format){8, 0, 0, false};
    case STRIA_U16: return (struct format){16, 0, 0, false};
    case STRIA_U32: return (struct format){32, 0, 0, false};
    case STRIA_U64: return (struct format){64, 0, 0, false};
    case STRIA_F8E4M3: return (struct format){8, 3, 7, true};
    case STRIA_F8E5M2: return (struct format){8, 2, 15, true};
    case STRIA_F16: return (struct format){16, 10, 15, true};
    case STRIA_BF16: return (struct format){16, 7, 127, true};
    case STRIA_F32:
    case STRIA_C64: return (struct format){32, 23, 127, true};
    case STRIA_F64:
    case STRIA_C128: return (struct format){64, 52, 1023, true};
    default: return (struct format){8, 0, 0, false};
    }
}

static uint64_t low_bits(int n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static uint64_t load(const void *in, int bits)
{
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (bits) {
    case 8: return memcpy(&u8, in, 1), u8;
    case 16: return memcpy(&u16, in, 2), u16;
    case 32: return memcpy(&u32, in, 4), u32;
    default: return memcpy(&u64, in, 8), u64;
    }
}

static void store(void *out, int bits, uint64_t u)
{
    const uint8_t u8 = (uint8_t)u;
    const uint16_t u16 = (uint16_t)u;
    const uint32_t u32 = (uint32_t)u;
    switch (bits) {
    case 8: memcpy(out, &u8, 1); break;
    case 16: memcpy(out, &u16, 2); break;
    case 32: memcpy(out, &u32, 4); break;
    default: memcpy(out, &u, 8);
    }
}

static struct value decode_integer(uint64_t u, struct format f)
{
    const bool negative = f.is_signed && u >> (f.bits - 1);
    return (struct value){.negative = negative, .m = (negative ? 0 - u : u) & low_bits(f.bits)};
}

/* Reads infinities and NaNs, whose exponent field is all ones; e4m3 has only one NaN, the last
 * mantissa. */
static bool decode_special(struct value *v, uint64_t a, struct format f, stria_kind kind)
{
    const uint64_t ones = low_bits(f.bits - 1), infinity = ones & ~low_bits(f.mantissa);
    if (kind == STRIA_F8E4M3 ? a != ones : a < infinity) return false;
    v->infinite = a == infinity;
    v->nan = a != infinity;
    v->payload = (a & low_bits(f.mantissa)) << (52 - f.mantissa);
    return true;
}

static struct value decode(const void *in, stria_kind kind)
{
    const struct format f = format_of(kind);
    const uint64_t u = load(in, f.bits);
    if (kind == STRIA_BOOL) return (struct value){.m = u != 0};
    if (!f.bias) return decode_integer(u, f);
    struct value v = {.negative = u >> (f.bits - 1)};
    const uint64_t a = u & low_bits(f.bits - 1);
    if (decode_special(&v, a, f, kind)) return v;
    const int field = (int)(a >> f.mantissa);
    v.m = (a & low_bits(f.mantissa)) | (field ? UINT64_C(1) << f.mantissa : 0);
    v.e = (field ? field : 1) - f.bias - f.mantissa;
    return v;
}

static int bit_length(uint64_t m)
{
    return m ? 64 - __builtin_clzll(m) : 0;
}

/* Returns m 2^-s, rounded to nearest, ties to even. */
static uint64_t round_right(uint64_t m, int s)
{
    if (s > 64) return 0;
    const uint64_t whole = s == 64 ? 0 : m >> s, rest = m & low_bits(s);
    const uint64_t half = UINT64_C(1) << (s - 1);
    return whole + (rest > half || (rest == half && (whole & 1)));
}

/*
 * The bits of a float format count its magnitudes up, 0, 1, 2, ... smallest steps: a number of q
 * units of 2^(last + k) is q places behind the start of binade k.
 */
static uint64_t encode_magnitude(const struct value *v, struct format f, uint64_t largest)
{
    if (!v->m) return 0;
    const int last = 1 - f.bias - f.mantissa;
    const int wanted = v->e + bit_length(v->m) - (f.mantissa + 1);
    const int unit = wanted > last ? wanted : last;
    const uint64_t q = unit > v->e ? round_right(v->m, unit - v->e) : v->m << (v->e - unit);
    const uint64_t u = ((uint64_t)(unit - last) << f.mantissa) + q;
    return u < largest ? u : largest;
}

static uint64_t encode_float(const struct value *v, struct format f, stria_kind kind)
{
    const uint64_t ones = low_bits(f.bits - 1), infinity = ones & ~low_bits(f.mantissa);
    const uint64_t largest = kind == STRIA_F8E4M3 ? ones - 1 : infinity;
    const uint64_t quiet = UINT64_C(1) << (f.mantissa - 1);
    uint64_t u;
    if (v->nan)
        u = f.bits == 8 ? ones : infinity | quiet | v->payload >> (52 - f.mantissa);
    else
        u = v->infinite ? largest : encode_magnitude(v, f, largest);
    return u | (uint64_t)v->negative << (f.bits - 1);
}

static uint64_t wrap_integer(const struct value *v)
{
    if (v->nan || v->infinite) return 0;
    const uint64_t m = v->e <= -64 || v->e >= 64 ? 0 : v->e < 0 ? v->m >> -v->e : v->m << v->e;
    return v->negative ? 0 - m : m;
}

static uint64_t saturate_integer(const struct value *v, struct format f)
{
    const uint64_t most = low_bits(f.bits - f.is_signed);
    const uint64_t limit = !v->negative ? most : f.is_signed ? most + 1 : 0;
    if (v->nan) return 0;
    const bool huge = v->infinite || (v->m && v->e + bit_length(v->m) > 64);
    const uint64_t m = huge ? limit : v->e < -63 ? 0 : v->e < 0 ? v->m >> -v->e : v->m << v->e;
    return v->negative ? 0 - (m < limit ? m : limit) : m < limit ? m : limit;
}

static bool is_complex(stria_kind kind)
{
    return kind == STRIA_C64 || kind == STRIA_C128;
}

static bool is_float(stria_kind kind)
{
    return format_of(kind).bias != 0;
}

static void convert_part(void *out, stria_kind to, const void *in, stria_kind from, bool wrap)
{
    const struct format f = format_of(to), from_format = format_of(from);
    const struct value v = decode(in, from);
    uint64_t u;
    if (to == STRIA_BOOL) {
        u = v.m || v.infinite || v.nan;
    } else if (is_float(to)) {
        u = encode_float(&v, f, to);
        /* Parts of the same type, and bf16 as the upper half of f32: only bits move, signaling NaNs
         * too. */
        const bool half = from == STRIA_BF16 && f.bits == 32;
        if (v.nan && f.bias == from_format.bias && (half || f.bits == from_format.bits))
            u = load(in, from_format.bits) << (f.bits - from_format.bits);
    } else {
        u = wrap || !is_float(from) ? wrap_integer(&v) : saturate_integer(&v, f);
    }
    store(out, f.bits, u);
}

void exact_convert(void *out, stria_kind to, const void *in, stria_kind from, bool wrap)
{
    static const uint64_t zero;
    const int half = format_of(from).bits / 8;
    const void *imaginary = is_complex(from) ? (const char *)in + half : (const void *)&zero;
    convert_part(out, to, in, from, wrap);
    if (is_complex(to)) {
        convert_part((char *)out + format_of(to).bits / 8, to, imaginary, from, wrap);
    } else if (to == STRIA_BOOL && is_complex(from)) {
        bool other;
        convert_part(&other, STRIA_BOOL, imaginary, from, wrap);
        *(bool *)out = *(bool *)out || other;
    }
}

static void negate_part(void *part, struct format f)
{
    const uint64_t u = load(part, f.bits);
    store(part, f.bits, f.bias ? u ^ UINT64_C(1) << (f.bits - 1) : 0 - u);
}

void exact_negate(void *item, stria_kind kind)
{
    const struct format f = format_of(kind);
    negate_part(item, f);
    if (is_complex(kind)) exact_conjugate(item, kind);
}

void exact_conjugate(void *item, stria_kind kind)
{
    const struct format f = format_of(kind);
    negate_part((char *)item + f.bits / 8, f);
}
