/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal functions of dates and durations. */
#pragma once

#include "stria/date.h"

static inline bool dtype_is_time(stria_dtype dtype)
{
    return dtype.kind == STRIA_DATETIME || dtype.kind == STRIA_TIMEDELTA;
}

/*
 * Reads "M8", "m8[25s]", "datetime64[ns]" and the like; false, with *status unchanged, if the text
 * does not begin like one of them.
 */
bool stria__time_parse(stria_dtype *out, const char *text, stria_status *status);
/* Returns the unit, and how many are counted; STRIA_NO_UNIT and 1 of other dtypes. */
stria_time_unit stria__dtype_unit(stria_dtype dtype, int32_t *multiple);

/* Writes "M8[25s]" as snprintf does. */
int stria__time_format(stria_dtype dtype, char *text, size_t size);
