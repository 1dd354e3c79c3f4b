/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings and opaque bytes as Python writes them. */
#ifndef STRIA_OPS_FORMAT_QUOTED_H
#define STRIA_OPS_FORMAT_QUOTED_H

#include "ops/format/text.h"
#include "stria/dtype.h"

/* Writes an item of BYTES, UNICODE or VOID; a scalar of UNICODE is its text without quotes. */
void stria__write_quoted(struct text *out, stria_dtype dtype, const char *item, bool scalar);

#endif
