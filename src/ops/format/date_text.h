/* SPDX-License-Identifier: BSD-3-Clause */
/* Dates and durations as text, as NumPy writes them. */
#ifndef STRIA_OPS_FORMAT_DATE_TEXT_H
#define STRIA_OPS_FORMAT_DATE_TEXT_H

#include <stdbool.h>

#include "stria/dtype.h"

struct date_text {
    char text[80];
    int length;
};

/*
 * A date is ISO 8601 as far as its unit is exact, in quotes unless `scalar`; a duration is its
 * number, which a scalar tells in units. dtype is DATETIME or TIMEDELTA.
 */
struct date_text stria__date_text(stria_dtype dtype, const char *item, bool scalar);

#endif
