/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal functions of record descriptions. */
#pragma once

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/text_reader.h"
#include "base/text_writer.h"
#include "stria/date.h"
#include "stria/record.h"

enum { RECORD_DEPTH = 32 }; /* Most levels of records within records. */

struct label;

/* The body that a dtype refers to: the fields of a record, or the unit of a date or a duration. */
struct stria_record {
    atomic_int_least64_t references;
    stria_allocator allocator;
    size_t allocated; /* Allocated bytes; 0 for a constant, which is not counted. */
    int count, labels;
    int depth; /* 1 when no field is a record; 0 for a unit. */
    stria_field *fields;
    struct label *index; /* Sorted by text. */
    uint8_t unit;        /* The stria_time_unit; 0 for a record. */
    int32_t multiple;    /* Count of the unit; 0 for a record. */
};

/* Makes the description of a unit's multiple. */
stria_status stria__record_of_unit(const struct stria_record **out, stria_time_unit unit,
                                   int32_t multiple);

/*
 * Compares the fields: names, titles, dtypes, offsets and shapes, nested ones too; NULL equals
 * NULL.
 */
bool stria__record_equal(const struct stria_record *a, const struct stria_record *b);

const struct stria_record *stria__record_retain(const struct stria_record *record);
void stria__record_release(const struct stria_record *record);

/* Returns all fields, as stria_record_field returns one; NULL when the dtype is no record. */
const stria_field *stria__record_fields(int *count, stria_dtype dtype);

/* Returns the offset by which a field to be made asks for that byte. */
static inline int64_t field_offset(int64_t byte)
{
    return byte ? byte : STRIA_OFFSET_START;
}

/* Writes a record as NumPy's str(dtype) has it, as snprintf does. */
int stria__record_format(stria_dtype dtype, char *text, size_t size);
/* Writes a dtype as it stands within a record; align tells whether that record is aligned. */
void stria__dtype_print(struct written *to, stria_dtype dtype, bool align);
/*
 * Writes the list of the fields of a record as files have it: fields follow each other, padding is
 * listed between them, and the function prints dtypes.
 */
typedef void record_print(struct written *to, stria_dtype dtype);
void stria__record_print_file(struct written *to, stria_dtype dtype, record_print *format);

/* Reads the format of a field in the notation of a file. */
typedef stria_status record_format(stria_dtype *out, const char *text);

/* Reads a text, and holds what is kept until its end. */
struct record_text {
    /* Set by the caller; tells where reading ended, and what was expected there. */
    struct reader r;
    bool align; /* Records are aligned unless they say otherwise. */
    /* Reads the formats of a file's list of fields; NULL: the text is not that of a file. */
    record_format *file;
    size_t room;    /* Bytes of memory that may still be taken for a file. */
    int depth;      /* Number of records around the current place. */
    int64_t *sizes; /* Place for the next shape. */
    char *texts;    /* Place for the next string. */
};

/*
 * Reads what stria__record_format writes, what NumPy's dtype() takes besides, and "i4,(2,)f8". A
 * file's text may be refused by ARGUMENT and OVERFLOW, too, if the record cannot be made.
 */
stria_status stria__record_parse(stria_dtype *out, struct record_text *text);

/*
 * Computes the bytes of a field with its array shape; the record's constructor proved that they
 * fit, or that a size is 0.
 */
int64_t stria__field_bytes(const stria_field *field);
