/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dates and durations, NumPy's datetime64 and timedelta64: 64-bit counts of a unit, from 1970-01-01
 * on for dates. INT64_MIN is no time, "NaT". Views, copies, files and text keep the unit. There is
 * no arithmetic on them, and no conversion from one unit to another: view them as STRIA_I64
 * (stria_view_dtype), compute, and view the result under its unit again. As in NumPy, views of
 * integers become dates in the same way.
 */
#ifndef STRIA_DATE_H
#define STRIA_DATE_H

#include "dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_time_unit {
    STRIA_NO_UNIT = 0, /* numpy.dtype('m8'): counts of nothing in particular */
    STRIA_YEARS = 1,
    STRIA_MONTHS = 2,
    STRIA_WEEKS = 3,
    STRIA_DAYS = 4,
    STRIA_HOURS = 5,
    STRIA_MINUTES = 6,
    STRIA_SECONDS = 7,
    STRIA_MILLISECONDS = 8,
    STRIA_MICROSECONDS = 9,
    STRIA_NANOSECONDS = 10,
    STRIA_PICOSECONDS = 11,
    STRIA_FEMTOSECONDS = 12,
    STRIA_ATTOSECONDS = 13
} stria_time_unit;

/*
 * Makes the dtype that counts `multiple` units, 25 seconds for example; kind is DATETIME or
 * TIMEDELTA. As a record dtype it is owned by the caller, who calls stria_dtype_release
 * (record.h); where the multiple is 1 that does nothing. ARGUMENT for another kind or unit, a
 * multiple below 1, and one of no unit; MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_dtype_time(stria_dtype *out, stria_kind kind,
                                                       stria_time_unit unit, int32_t multiple);

/*
 * Tells the unit of a date or a duration, and how many of them are counted, where out_multiple is
 * not NULL; STRIA_NO_UNIT and 1 of other dtypes. ARGUMENT: out is NULL.
 */
STRIA_API STRIA_MUST_USE stria_status stria_dtype_unit(stria_time_unit *out, int32_t *out_multiple,
                                                       stria_dtype dtype);

#ifdef __cplusplus
}
#endif

#endif
