/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/order/value_keys.h"

#include <string.h>

#include "base/integers.h"
#include "dtype/dtype.h"
#include "machine/families.h"
#include "ops/order/sort_keys.h"
#include "simd/kernels.h"

bool stria__value_form(struct value_form *out, stria_kind kind, bool descending)
{
    if (kind > STRIA_F64 && kind != STRIA_DATETIME && kind != STRIA_TIMEDELTA) return false;
    const int size = stria__builtins[kind].size;
    const uint64_t top = UINT64_C(1) << (8 * size - 1);
    struct key_form *const f = &out->bits;
    *out = (struct value_form){.size = size, .key = size == 8 ? 8 : 4};
    f->flip = descending ? UINT64_MAX : 0;
    switch (kind) {
    case STRIA_BOOL:
    case STRIA_U8:
    case STRIA_U16:
    case STRIA_U32:
    case STRIA_U64: f->top = top; break;
    case STRIA_I8:
    case STRIA_I16: break;
    case STRIA_I32:
    case STRIA_I64: out->same = !descending; break;
    case STRIA_DATETIME:
    case STRIA_TIMEDELTA: f->less = !descending; break; /* "no time" is the least number */
    case STRIA_F8E4M3: f->infinity = 0x7E; break;
    case STRIA_F8E5M2: f->infinity = 0x7C; break;
    case STRIA_F16: f->infinity = 0x7C00; break;
    case STRIA_BF16: f->infinity = 0x7F80; break;
    case STRIA_F32: f->infinity = 0x7F800000; break;
    case STRIA_F64: f->infinity = UINT64_C(0x7FF) << 52; break;
    default: return false;
    }
    f->magnitude = f->infinity != 0 ? top - 1 : 0;
    out->unites = f->infinity != 0 || kind == STRIA_BOOL;
    return true;
}

/* The place of a size in tables of kernels. */
static int class_of(const struct value_form *f)
{
    return f->size == 8 ? 3 : f->size / 2;
}

bool stria__make_keys(const struct value_form *f, char *keys, const char *in, int64_t n)
{
    if (!f->same) return stria__sort()->to_keys[class_of(f)](keys, in, n, &f->bits) && f->unites;
    if (keys != in) memcpy(keys, in, (size_t)(n * f->size));
    return false;
}

void stria__make_numbers(const struct value_form *f, char *out, const char *keys, int64_t n)
{
    if (!f->same)
        stria__sort()->to_numbers[class_of(f)](out, keys, n, &f->bits);
    else if (out != keys)
        memcpy(out, keys, (size_t)(n * f->size));
}

/* ---- NaN and zeros --------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) struct apart
set_apart(const struct key_form *f, char *keys, char *apart, int64_t n, const int size)
{
    struct apart a = {0, 0, 0};
    for (int64_t i = 0; i < n; i++) {
        const int64_t key = key_at(keys, i, size), x = key ^ (int64_t)f->flip;
        const int64_t magnitude = (x ^ x >> 63) & (int64_t)f->magnitude;
        const bool nan = magnitude > (int64_t)f->infinity, zero = magnitude == 0;
        put_key(apart, a.nans, key, size);
        put_key(apart, n - 1 - a.zeros, key, size);
        a.nans += nan;
        a.zeros += zero;
        a.before += !nan && key < -1; /* the keys of zeros are -1 and 0 */
        put_key(keys, i, nan ? size == 8 ? INT64_MAX : INT32_MAX : key, size);
    }
    return a;
}

static inline __attribute__((always_inline)) int64_t unite(const struct key_form *f, char *keys,
                                                           int64_t n, bool zeros, const int size)
{
    const bool is_bool = f->infinity == 0;
    int64_t nans = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t key = key_at(keys, i, size), x = key ^ (int64_t)f->flip;
        const int64_t magnitude = (x ^ x >> 63) & (int64_t)f->magnitude;
        const bool nan = magnitude > (int64_t)f->infinity;
        int64_t united = magnitude == 0 && zeros ? (int64_t)f->flip : key; /* that of +0 */
        if (nan) united = size == 8 ? INT64_MAX : INT32_MAX;
        if (is_bool) united = x != INT8_MIN ? (int64_t)f->flip : key;
        put_key(keys, i, united, size);
        nans += nan;
    }
    return nans;
}

int64_t stria__unite_keys(const struct value_form *f, char *keys, int64_t n, bool zeros)
{
    return f->key == 8 ? unite(&f->bits, keys, n, zeros, 8) : unite(&f->bits, keys, n, zeros, 4);
}

struct apart stria__set_apart(const struct value_form *f, char *keys, char *apart, int64_t n)
{
    return f->key == 8 ? set_apart(&f->bits, keys, apart, n, 8)
                       : set_apart(&f->bits, keys, apart, n, 4);
}

void stria__put_back(const struct value_form *f, char *keys, int64_t n, const char *apart,
                     const struct apart *of, int parts)
{
    const int64_t size = f->key;
    int64_t nan = n, zero = 0;
    for (int i = 0; i < parts; i++) {
        nan -= of[i].nans;
        zero += of[i].before;
    }
    for (int i = 0; i < parts; i++) {
        const struct share range = share_of(n, parts, i);
        memcpy(keys + nan * size, apart + range.first * size, (size_t)(of[i].nans * size));
        nan += of[i].nans;
        for (int64_t j = 1; j <= of[i].zeros; j++)
            memcpy(keys + zero++ * size, apart + (range.last - j) * size, (size_t)size);
    }
}
