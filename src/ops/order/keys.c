/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of numbers, strings and records. */
#include "ops/order/keys.h"

#include <string.h>

#include "dtype/dtype.h"
#include "ops/value/element.h"
#include "dtype/record.h"
#include "base/status.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum { WORD = sizeof(uint64_t), CHARACTER_BYTES = 4, COMPLEX_PARTS = 3 };

/* ---- numbers --------------------------------------------------------------------------------- */

enum order { TRUTH, UNSIGNED, SIGNED, TIME, FLOAT };

/*
 * A float is its sign and magnitude, of which the key makes a number with one zero. `infinity`: the
 * largest magnitude of a number.
 */
static ALWAYS_INLINE uint64_t key_of(uint64_t bits, const int size, const enum order order,
                                     const uint64_t infinity, const uint64_t flip)
{
    const uint64_t all = UINT64_MAX >> (64 - 8 * size), top = all ^ all >> 1;
    if (order == TRUTH) return (bits != 0) ^ flip;
    if (order == UNSIGNED) return bits ^ flip;
    if (order == SIGNED) return bits ^ top ^ flip;
    if (order == TIME) return bits == top ? all : ((bits ^ top) - 1) ^ flip;
    const uint64_t magnitude = bits & (all >> 1);
    const uint64_t key = bits & top ? top - magnitude : top + magnitude;
    return magnitude > infinity ? all : key ^ flip;
}

static ALWAYS_INLINE void number_row(uint64_t *out, const char *at, int64_t stride, int64_t n,
                                     const int size, const enum order order,
                                     const uint64_t infinity, bool descending)
{
    const uint64_t flip = descending ? UINT64_MAX >> (64 - 8 * size) : 0;
    for (int64_t i = 0; i < n; i++)
        out[i] = key_of(bits_load(at + i * stride, size), size, order, infinity, flip);
}

/* Writes the keys of native numbers. */
static void number_keys(uint64_t *out, const char *at, int64_t s, int64_t n, stria_kind kind,
                        bool down)
{
    switch (kind) {
    case STRIA_BOOL: number_row(out, at, s, n, 1, TRUTH, 0, down); break;
    case STRIA_U8: number_row(out, at, s, n, 1, UNSIGNED, 0, down); break;
    case STRIA_U16: number_row(out, at, s, n, 2, UNSIGNED, 0, down); break;
    case STRIA_U32: number_row(out, at, s, n, 4, UNSIGNED, 0, down); break;
    case STRIA_U64: number_row(out, at, s, n, 8, UNSIGNED, 0, down); break;
    case STRIA_I8: number_row(out, at, s, n, 1, SIGNED, 0, down); break;
    case STRIA_I16: number_row(out, at, s, n, 2, SIGNED, 0, down); break;
    case STRIA_I32: number_row(out, at, s, n, 4, SIGNED, 0, down); break;
    case STRIA_I64: number_row(out, at, s, n, 8, SIGNED, 0, down); break;
    case STRIA_F8E4M3: number_row(out, at, s, n, 1, FLOAT, 0x7E, down); break;
    case STRIA_F8E5M2: number_row(out, at, s, n, 1, FLOAT, 0x7C, down); break;
    case STRIA_F16: number_row(out, at, s, n, 2, FLOAT, 0x7C00, down); break;
    case STRIA_BF16: number_row(out, at, s, n, 2, FLOAT, 0x7F80, down); break;
    case STRIA_F32: number_row(out, at, s, n, 4, FLOAT, 0x7F800000, down); break;
    case STRIA_F64: number_row(out, at, s, n, 8, FLOAT, UINT64_C(0x7FF) << 52, down); break;
    default: number_row(out, at, s, n, 8, TIME, 0, down); break;
    }
}

static void reverse(char *out, const char *in, int size)
{
    for (int i = 0; i < size; i++)
        out[i] = in[size - 1 - i];
}

/* Writes the keys of numbers of either byte order. */
static void keys_of_numbers(uint64_t *out, const char *at, int64_t s, int64_t n, stria_kind kind,
                            bool swapped, bool down)
{
    char number[WORD];
    if (!swapped) {
        number_keys(out, at, s, n, kind, down);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        reverse(number, at + i * s, stria__builtins[kind].size);
        number_keys(out + i, number, 0, 1, kind, down);
    }
}

/*
 * NumPy's order: numbers, then those with a NaN as the imaginary part, as the real part, as both;
 * in each of them by the real part, then by the imaginary one.
 */
static void complex_row(uint64_t *out, const char *at, int64_t s, int64_t n, struct key_part which)
{
    const stria_kind kind = real_kind(which.field->kind);
    const int32_t size = stria__builtins[kind].size;
    const bool swapped = which.field->swapped;
    uint64_t parts[2];
    if (which.part > 0 && !which.field->one_nan) {
        at += (which.part - 1) * size;
        keys_of_numbers(out, at, s, n, kind, swapped, which.descending);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        keys_of_numbers(parts, at + i * s, size, 2, kind, swapped, false);
        const unsigned nans = (parts[0] == key_of_nan(size)) * 2u + (parts[1] == key_of_nan(size));
        if (which.part == 0)
            out[i] = which.field->one_nan ? nans > 0 : nans;
        else
            out[i] = nans > 0 ? 0 : parts[which.part - 1];
    }
}

/* ---- strings --------------------------------------------------------------------------------- */

/* Returns eight bytes as one number, the first one highest; zeros follow the last. */
static uint64_t bytes_key(const char *at, int64_t left)
{
    uint64_t key = 0;
    for (int64_t i = 0; i < WORD; i++)
        key = key << 8 | (i < left ? (unsigned char)at[i] : 0);
    return key;
}

/* Returns two characters as one number. */
static uint64_t characters_key(const char *at, int64_t left, bool swapped)
{
    uint64_t key = 0;
    for (int i = 0; i < WORD / CHARACTER_BYTES; i++) {
        uint32_t c = 0;
        if (left > i * CHARACTER_BYTES) memcpy(&c, at + i * CHARACTER_BYTES, sizeof c);
        key = key << 32 | (swapped ? __builtin_bswap32(c) : c);
    }
    return key;
}

static void string_row(uint64_t *out, const char *at, int64_t s, int64_t n, struct key_part which)
{
    const struct key_field *const f = which.field;
    const uint64_t flip = which.descending ? UINT64_MAX : 0;
    const int64_t begin = which.part * WORD, left = f->size - begin;
    for (int64_t i = 0; i < n; i++) {
        const char *const text = at + i * s + begin;
        out[i] = flip ^ (f->kind == STRIA_UNICODE ? characters_key(text, left, f->swapped)
                                                  : bytes_key(text, left));
    }
}

/* Returns the number of keys of one repeat of a field. */
static int64_t parts_of_one(const struct key_field *f)
{
    switch (f->kind) {
    case STRIA_C64:
    case STRIA_C128: return COMPLEX_PARTS;
    case STRIA_BYTES:
    case STRIA_UNICODE:
    case STRIA_VOID: return ((int64_t)f->size + WORD - 1) / WORD;
    default: return 1;
    }
}

int64_t stria__key_parts(const struct key_field *f)
{
    return f->repeats * parts_of_one(f);
}

void stria__key_row(uint64_t *out, const char *items, int64_t stride, int64_t n,
                    struct key_part which)
{
    const struct key_field *const f = which.field;
    const int64_t each = parts_of_one(f);
    items += f->offset + which.part / each * f->size;
    which.part %= each;
    if (is_complex_kind(f->kind))
        complex_row(out, items, stride, n, which);
    else if (f->kind >= STRIA_BYTES && f->kind <= STRIA_VOID)
        string_row(out, items, stride, n, which);
    else
        keys_of_numbers(out, items, stride, n, f->kind, f->swapped, which.descending);
}

/* ---- fields of records ----------------------------------------------------------------------- */

/* Fields while they are collected; they are only counted if there is no room yet. */
struct collection {
    struct key_field *room;
    int64_t count;
};

static void collect(struct collection *c, stria_dtype dtype, int64_t offset, int64_t repeats)
{
    int count;
    const stria_field *const fields = stria__record_fields(&count, dtype);
    if (dtype.kind != STRIA_RECORD) {
        if (c->room)
            c->room[c->count] = (struct key_field){.kind = (stria_kind)dtype.kind,
                                                   .swapped = dtype.swapped,
                                                   .size = dtype.itemsize,
                                                   .offset = offset,
                                                   .repeats = repeats};
        c->count++;
        return;
    }
    for (int64_t r = 0; r < repeats; r++, offset += dtype.itemsize)
        for (int i = 0; i < count; i++) {
            const int64_t size = fields[i].dtype.itemsize;
            collect(c, fields[i].dtype, offset + fields[i].offset,
                    size > 0 ? stria__field_bytes(&fields[i]) / size : 0);
        }
}

stria_status stria__keys_make(struct keys *out, stria_dtype dtype, bool descending)
{
    struct collection all = {&out->one, 0};
    *out = (struct keys){.descending = descending, .count = 1, .fields = &out->one};
    if (dtype.kind != STRIA_RECORD) {
        collect(&all, dtype, 0, 1);
        return STRIA_OK;
    }
    all.room = NULL;
    collect(&all, dtype, 0, 1);
    out->count = all.count;
    out->made = stria__memory((size_t)(all.count > 0 ? all.count : 1) * sizeof *all.room);
    if (!out->made.at)
        return stria__fail(STRIA_ERR_MEMORY, "sort: no memory for the %lld fields of a record",
                           (long long)out->count);
    out->fields = all.room = out->made.at;
    all.count = 0;
    collect(&all, dtype, 0, 1);
    return STRIA_OK;
}

void stria__keys_unite_nans(struct keys *keys)
{
    struct key_field *const fields = keys->made.at ? keys->made.at : &keys->one;
    for (int64_t i = 0; i < keys->count; i++)
        fields[i].one_nan = true;
}
