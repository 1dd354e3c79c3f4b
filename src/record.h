/* SPDX-License-Identifier: BSD-3-Clause */
/* What the other layers need of record descriptions beyond the public header. */
#ifndef STRIA_SRC_RECORD_H
#define STRIA_SRC_RECORD_H

#include "stria/record.h"

/* Same fields: names, titles, dtypes, offsets and shapes, nested ones too; NULL equals NULL. */
bool stria__record_equal(const struct stria_record *a, const struct stria_record *b);

const struct stria_record *stria__record_retain(const struct stria_record *record);
void stria__record_release(const struct stria_record *record);

/* All fields, as stria_record_field gives them one by one; NULL when the dtype is no record. */
const stria_field *stria__record_fields(int *count, stria_dtype dtype);

/* Bytes of one field, its array shape included; the record's constructor proved that they fit. */
int64_t stria__field_bytes(const stria_field *field);

#endif
