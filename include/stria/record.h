/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Record dtypes: NumPy's structured dtypes. An item is a row of named fields at byte offsets.
 * Fields may be padded, out of order, overlapping or nested, and may be small arrays.
 *
 * A record's description is made once, is immutable and is reference-counted. A dtype value only
 * borrows it. Arrays that the library makes keep their dtype's description alive, and a description
 * keeps those of its nested fields alive. Whoever makes a record dtype holds one reference to its
 * description and gives it back with stria_dtype_release when no view uses the dtype any more.
 */
#ifndef STRIA_RECORD_H
#define STRIA_RECORD_H

#include "dtype.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Offsets of fields that stand for a place: directly behind the previous field, which is what a
 * field without an offset gets, and byte 0 for a field that is not the first one.
 */
enum { STRIA_OFFSET_NEXT = 0 };
#define STRIA_OFFSET_START INT64_MIN

typedef struct stria_field {
    const char *name;  /* UTF-8, not empty */
    const char *title; /* a second name, or NULL */
    stria_dtype dtype;
    int64_t offset; /* bytes from the start of the item, or one of the two above; of a record's own
                       fields always the bytes, 0 at its start */
    int ndim;       /* if > 0, the field is an array of that shape, in C order; with a size of 0 it
                       takes no bytes, whatever the other sizes are */
    const int64_t *shape;
} stria_field;

/*
 * Makes a record of `count` fields, all of which is copied. itemsize 0 means just large enough.
 * With align, the item size and the offsets that are STRIA_OFFSET_NEXT follow C's struct rules,
 * numpy.dtype(align=True); otherwise the fields are packed. *out is owned by the caller, who calls
 * stria_dtype_release. ARGUMENT (an empty or repeated name, nesting deeper than 32), BOUNDS (a
 * field outside the item), DTYPE (a field that has none), SHAPE, OVERFLOW, MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_record_make(stria_dtype *out, int count,
                                                        const stria_field *fields, int64_t itemsize,
                                                        bool align);

/* Keeps only the listed fields, at their offsets and in that order: numpy's x[['a', 'c']]. */
STRIA_API STRIA_MUST_USE stria_status stria_record_select(stria_dtype *out, stria_dtype dtype,
                                                          int count, const char *const *names);
/* Removes the padding between fields; numpy.lib.recfunctions.repack_fields(align=, recurse=). */
STRIA_API STRIA_MUST_USE stria_status stria_record_repack(stria_dtype *out, stria_dtype dtype,
                                                          bool align, bool recurse);
/* Swaps the byte order of every field, nested ones too; numpy.dtype.newbyteorder('S'). */
STRIA_API STRIA_MUST_USE stria_status stria_record_swap(stria_dtype *out, stria_dtype dtype);

/* Take and give back a reference to the description; they do nothing for other dtypes. */
STRIA_API stria_dtype stria_dtype_retain(stria_dtype dtype);
STRIA_API void stria_dtype_release(stria_dtype dtype);

STRIA_API int stria_record_count(stria_dtype dtype); /* 0 for other dtypes */
/* Returns a field, borrowed, with its offset and dtype resolved; NULL when i is out of range. */
STRIA_API const stria_field *stria_record_field(stria_dtype dtype, int i);
/* Finds a field by its name or title; NULL when there is none. */
STRIA_API const stria_field *stria_record_find(stria_dtype dtype, const char *name);

/*
 * Views one field of every item: numpy's x['f'], and recarray's x.f, where a field that is no
 * record loses the class. The shape of an array field is appended (SHAPE, OVERFLOW). A dotted name
 * ("position.x") leads into nested records where no field has the whole name. DTYPE when a is not a
 * record, ARGUMENT when there is no such field.
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_field(stria_view *out, const stria_view *a,
                                                       const char *name);

/*
 * Views the fields as one more dim where they have one dtype and are equally spaced (STRIDE
 * otherwise); numpy.lib.recfunctions.structured_to_unstructured(copy=False).
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_fields(stria_view *out, const stria_view *a);

#ifdef __cplusplus
}
#endif

#endif
