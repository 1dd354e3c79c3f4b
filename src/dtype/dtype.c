/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of all dtypes: sizes, alignments and short names. A new dtype is a row here; its other
 * names are a row of dtype_names.c.
 */
#include "dtype.h"

#include <stdio.h>
#include <string.h>

#include "date.h"
#include "record.h"
#include "base/status.h"

const struct builtin stria__builtins[STRIA_RECORD] = {
    [STRIA_BOOL] = {"bool", "b1", 1, 1},     [STRIA_I8] = {"i8", "i1", 1, 1},
    [STRIA_I16] = {"i16", "i2", 2, 2},       [STRIA_I32] = {"i32", "i4", 4, 4},
    [STRIA_I64] = {"i64", "i8", 8, 8},       [STRIA_U8] = {"u8", "u1", 1, 1},
    [STRIA_U16] = {"u16", "u2", 2, 2},       [STRIA_U32] = {"u32", "u4", 4, 4},
    [STRIA_U64] = {"u64", "u8", 8, 8},       [STRIA_F8E4M3] = {"f8e4m3", NULL, 1, 1},
    [STRIA_F8E5M2] = {"f8e5m2", NULL, 1, 1}, [STRIA_F16] = {"f16", "f2", 2, 2},
    [STRIA_BF16] = {"bf16", NULL, 2, 2},     [STRIA_F32] = {"f32", "f4", 4, 4},
    [STRIA_F64] = {"f64", "f8", 8, 8},       [STRIA_C64] = {"c64", "c8", 8, 4},
    [STRIA_C128] = {"c128", "c16", 16, 8},   [STRIA_BYTES] = {"S", NULL, 0, 1},
    [STRIA_UNICODE] = {"U", NULL, 0, 4},     [STRIA_VOID] = {"V", NULL, 0, 1},
    [STRIA_DATETIME] = {"M8", NULL, 8, 8},   [STRIA_TIMEDELTA] = {"m8", NULL, 8, 8},
};

enum { BUILTINS = STRIA_RECORD, CHARACTER = 4 /* Bytes of a character of UCS-4. */ };

stria_dtype stria_dtype_of(stria_kind kind)
{
    if ((unsigned)kind < BUILTINS) return dtype_of_number(kind);
    return (stria_dtype){.kind = (uint8_t)kind, .alignment = 1};
}

const char *stria__dtype_array_name(stria_kind kind)
{
    return (unsigned)kind < BUILTINS ? stria__builtins[kind].array : NULL;
}

stria_status stria_dtype_sized(stria_dtype *out, stria_kind kind, int64_t count)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "dtype: out is NULL");
    if (kind != STRIA_BYTES && kind != STRIA_UNICODE && kind != STRIA_VOID)
        return stria__fail(STRIA_ERR_ARGUMENT, "dtype: only bytes, unicode and void take a size");
    const int64_t unit = kind == STRIA_UNICODE ? CHARACTER : 1;
    if (count < 0 || count > INT32_MAX / unit)
        return stria__fail(STRIA_ERR_OVERFLOW,
                           "dtype: an item of %lld x %lld bytes is not between "
                           "0 and 2147483647 bytes",
                           (long long)count, (long long)unit);
    *out = stria_dtype_of(kind);
    out->itemsize = (int32_t)(count * unit);
    return STRIA_OK;
}

/* Tells whether byte order matters; it does not for items that consist of single bytes. */
static bool has_order(stria_dtype dtype)
{
    return dtype.kind == STRIA_UNICODE || dtype_is_time(dtype) ||
           (dtype.kind < STRIA_BYTES && dtype.itemsize > 1);
}

char stria__dtype_mark(stria_dtype dtype)
{
    const bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != dtype.swapped;
    return !has_order(dtype) ? '|' : big ? '>' : '<';
}

bool stria__dtype_is_valid(stria_dtype dtype)
{
    if (dtype.swapped && !has_order(dtype)) return false;
    if (dtype.record && dtype.kind != STRIA_RECORD && !dtype_is_time(dtype)) return false;
    if (dtype.record && (dtype.record->unit != 0) != dtype_is_time(dtype)) return false;
    if (dtype.kind < STRIA_BYTES || dtype_is_time(dtype))
        return dtype.itemsize == stria__builtins[dtype.kind].size;
    if (dtype.itemsize < 0 || dtype.kind > STRIA_RECORD) return false;
    return dtype.kind == STRIA_UNICODE ? dtype.itemsize % CHARACTER == 0
                                       : dtype.kind != STRIA_RECORD || dtype.record;
}

stria_status stria__check_dtype(stria_dtype dtype, const char *op)
{
    if (!stria__dtype_is_valid(dtype))
        return stria__fail(STRIA_ERR_DTYPE,
                           "%s: kind %d with an item size of %d bytes%s is no dtype", op,
                           (int)dtype.kind, (int)dtype.itemsize, dtype.swapped ? ", swapped," : "");
    return STRIA_OK;
}

stria_dtype stria_dtype_swap(stria_dtype dtype)
{
    if (has_order(dtype)) dtype.swapped = !dtype.swapped;
    return dtype;
}

bool stria_dtype_equal(stria_dtype a, stria_dtype b)
{
    return a.kind == b.kind && a.itemsize == b.itemsize && a.swapped == b.swapped &&
           stria__record_equal(a.record, b.record);
}

bool stria_dtype_is_complex(stria_dtype dtype)
{
    return is_complex_kind((stria_kind)dtype.kind);
}

stria_dtype stria_dtype_real(stria_dtype dtype)
{
    if (!stria_dtype_is_complex(dtype)) return dtype;
    stria_dtype out = stria_dtype_of(real_kind((stria_kind)dtype.kind));
    out.swapped = dtype.swapped;
    return out;
}

static int format_dtype(stria_dtype dtype, char *text, size_t size)
{
    if (dtype.kind >= BUILTINS) return stria__record_format(dtype, text, size);
    const struct builtin *b = &stria__builtins[dtype.kind];
    const char *mark = !dtype.swapped ? "" : __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "<" : ">";
    if (dtype.kind >= STRIA_BYTES && !dtype_is_time(dtype))
        return snprintf(
            text, size, "%s%s%d", mark, b->name,
            (int)(dtype.kind == STRIA_UNICODE ? dtype.itemsize / CHARACTER : dtype.itemsize));
    if (dtype_is_time(dtype)) {
        char name[32];
        (void)stria__time_format(dtype, name, sizeof name);
        return snprintf(text, size, "%s%s", mark, name);
    }
    /* A swapped f32 is written ">f4": the mark makes it NumPy's notation. */
    if (dtype.swapped && b->array) return snprintf(text, size, "%s%s", mark, b->array);
    return snprintf(text, size, "%s%s", mark, b->name);
}

stria_status stria_dtype_format(char *text, size_t size, size_t *length, stria_dtype dtype)
{
    if (!text && size > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "dtype_format: text is NULL, with a size of %zu",
                           size);
    const int whole = format_dtype(dtype, text, size);
    if (length) *length = (size_t)whole;
    return STRIA_OK;
}

struct dtype_text stria__dtype_text(stria_dtype dtype)
{
    struct dtype_text out;
    const int length = format_dtype(dtype, out.text, sizeof out.text);
    if (length < 0 || (size_t)length >= sizeof out.text)
        (void)snprintf(out.text, sizeof out.text, "record%d", (int)dtype.itemsize);
    return out;
}
