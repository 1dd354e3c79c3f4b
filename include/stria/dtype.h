/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element types. A dtype is a small value: it tells what the bytes of one item mean, how many there
 * are, and in which order. Views and copies look at the item size only.
 */
#ifndef STRIA_DTYPE_H
#define STRIA_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_kind {
    STRIA_BOOL = 0,
    STRIA_I8 = 1,
    STRIA_I16 = 2,
    STRIA_I32 = 3,
    STRIA_I64 = 4,
    STRIA_U8 = 5,
    STRIA_U16 = 6,
    STRIA_U32 = 7,
    STRIA_U64 = 8,
    STRIA_F8E4M3 = 9, /* torch.float8_e4m3fn: no infinities */
    STRIA_F8E5M2 = 10,
    STRIA_F16 = 11,
    STRIA_BF16 = 12,
    STRIA_F32 = 13,
    STRIA_F64 = 14,
    STRIA_C64 = 15,       /* complex: two f32 */
    STRIA_C128 = 16,      /* complex: two f64 */
    STRIA_BYTES = 17,     /* NumPy S: fixed-length byte string */
    STRIA_UNICODE = 18,   /* NumPy U: fixed-length UCS-4 string, item size a multiple of 4 */
    STRIA_VOID = 19,      /* NumPy V: opaque bytes */
    STRIA_DATETIME = 20,  /* NumPy M: 64-bit dates, see date.h */
    STRIA_TIMEDELTA = 21, /* NumPy m: 64-bit durations */
    STRIA_RECORD = 22     /* named fields, described by `record` */
} stria_kind;

struct stria_record;

typedef struct stria_dtype {
    uint8_t kind; /* stria_kind */
    bool swapped; /* items are stored in the other byte order than the machine's; never true */
                  /* of items without an order: single bytes, BYTES, VOID, RECORD */
    uint16_t alignment; /* bytes; the natural alignment in C, 1 for bytes and void */
    int32_t itemsize;   /* bytes of one item, > 0 except for empty strings and void */
    /* Borrowed and immutable: the fields of a RECORD, or the unit of a date or a duration. */
    const struct stria_record *record; /* NULL for other kinds, and for no unit */
} stria_dtype;

/*
 * Returns the native dtype of a numeric kind (BOOL .. C128); of the sized kinds one with an item
 * size of 0; of dates and durations those without a unit.
 */
STRIA_API STRIA_CONST stria_dtype stria_dtype_of(stria_kind kind);

/*
 * Makes a fixed-size dtype. kind is BYTES, UNICODE or VOID; count is the number of bytes, or of
 * characters for UNICODE. ARGUMENT for another kind, OVERFLOW when the item exceeds 2^31 - 1 bytes.
 */
STRIA_API STRIA_MUST_USE stria_status stria_dtype_sized(stria_dtype *out, stria_kind kind,
                                                        int64_t count);

/* Returns the dtype of the same item in the other byte order (numpy.dtype.newbyteorder('S')). */
STRIA_API STRIA_CONST stria_dtype stria_dtype_swap(stria_dtype dtype);

/*
 * Tells whether items are the same in every bit: kind, size, byte order, and of records, dates and
 * durations what describes them. Alignments may differ.
 */
STRIA_API bool stria_dtype_equal(stria_dtype a, stria_dtype b);
/* Tells whether it is C64 or C128, in either byte order. */
STRIA_API STRIA_CONST bool stria_dtype_is_complex(stria_dtype dtype);
/* Returns the real dtype of one half of a complex item, and other dtypes as they are. */
STRIA_API STRIA_CONST stria_dtype stria_dtype_real(stria_dtype dtype);

/*
 * Reads the name of a dtype: Stria's ("f32", "S5"), NumPy's and PyTorch's ("float32", "half",
 * "torch.float", "np.int_"), or NumPy's codes, which count bytes ("f4", ">i2", "|V12", "d").
 * Dates and durations are "M8[ns]", "<m8[25s]", "datetime64[D]"; what a multiple of a unit becomes
 * is given back by stria_dtype_release (record.h). "float", "int" and "complex" are Python's, which
 * both take for 64, 64 and 128 bits; "torch.float" has
 * 32. "i8" and "u8" are eight bits; "<i8" and "=i8" eight bytes. The tool and its expressions read
 * names by this function. Records are what numpy.dtype takes: "[('a', '<i4'), ('b', 'f8', (2,))]",
 * "{'names': ['a'], 'formats': ['f4'], 'offsets': [4], 'itemsize': 16}", "i4,(2,)f8", owned by the
 * caller (record.h). FORMAT for other texts, OVERFLOW for items above 2^31 - 1 bytes; for records
 * also what stria_record_make refuses.
 */
STRIA_API STRIA_MUST_USE stria_status stria_dtype_parse(stria_dtype *out, const char *text);

/*
 * Writes the short name ("f32", ">i4", "S5"), of a record what NumPy's str(dtype) has. text
 * receives at most size bytes, terminated, and may be NULL where size is 0 (ARGUMENT otherwise);
 * *length, which may be NULL, becomes the length of the whole, as snprintf counts it.
 * stria_dtype_parse makes an equal dtype of it, aligned as this one is.
 */
STRIA_API stria_status stria_dtype_format(char *text, size_t size, size_t *length,
                                          stria_dtype dtype);

#ifdef __cplusplus
}
#endif

#endif
