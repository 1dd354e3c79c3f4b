/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dates and durations as text. The calendar is the Gregorian one for all years, before its
 * introduction too; there are no leap seconds and no time zones. Products that leave 64 bits wrap.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dtype/date.h"
#include "ops/format/columns.h"

/* ---- counts ---------------------------------------------------------------------------------- */

static int64_t load_count(stria_dtype dtype, const char *item)
{
    uint64_t bits;
    memcpy(&bits, item, sizeof bits);
    return (int64_t)(dtype.swapped ? __builtin_bswap64(bits) : bits);
}

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* Divides, rounding down; returns the rest, which is not negative. */
static int64_t split_count(int64_t *count, int64_t by)
{
    int64_t rest = *count % by;
    *count /= by;
    if (rest < 0) {
        rest += by;
        --*count;
    }
    return rest;
}

/* ---- dates ----------------------------------------------------------------------------------- */

struct day {
    int64_t year;
    int month, day;
};

/*
 * Computes the date of a number of days since 1970-01-01. 400 years have 146097 days; years that
 * begin in March have the leap day at their end, and months whose starts are a straight line,
 * rounded.
 */
static struct day day_of(int64_t days)
{
    /* Days from 0000-03-01 to 1970-01-01, and days of 400 years. */
    enum { TO_MARCH = 719468, CYCLE = 146097 };
    int64_t cycle = days;
    const int64_t rest = split_count(&cycle, CYCLE) + TO_MARCH;
    const int64_t day = rest % CYCLE;
    const int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    const int64_t of_year = day - (365 * year + year / 4 - year / 100);
    const int64_t month = (5 * of_year + 2) / 153;
    return (struct day){400 * (cycle + rest / CYCLE) + year + (month >= 10),
                        (int)(month < 10 ? month + 3 : month - 9),
                        (int)(of_year - (153 * month + 2) / 5 + 1)};
}

static int put_day(char *text, size_t size, int64_t days)
{
    const struct day d = day_of(days);
    return snprintf(text, size, "%04" PRId64 "-%02d-%02d", d.year, d.month, d.day);
}

static int put_months(char *text, size_t size, int64_t months)
{
    const int month = (int)split_count(&months, 12);
    return snprintf(text, size, "%04" PRId64 "-%02d", months + 1970, month + 1);
}

/* Writes the digits of a second that the unit counts: 0 for seconds, 18 for attoseconds. */
static int put_seconds(char *text, size_t size, int64_t count, int digits)
{
    int64_t second = 1;
    for (int i = 0; i < digits; i++)
        second *= 10;
    const int64_t fraction = split_count(&count, second);
    const int of_day = (int)split_count(&count, 86400);
    int n = put_day(text, size, count);
    n += snprintf(text + n, size - (size_t)n, "T%02d:%02d:%02d", of_day / 3600, of_day / 60 % 60,
                  of_day % 60);
    if (digits) n += snprintf(text + n, size - (size_t)n, ".%0*" PRId64, digits, fraction);
    return n;
}

static int put_hours(char *text, size_t size, int64_t hours)
{
    const int hour = (int)split_count(&hours, 24);
    const int n = put_day(text, size, hours);
    return n + snprintf(text + n, size - (size_t)n, "T%02d", hour);
}

static int put_minutes(char *text, size_t size, int64_t minutes)
{
    const int minute = (int)split_count(&minutes, 60);
    const int n = put_hours(text, size, minutes);
    return n + snprintf(text + n, size - (size_t)n, ":%02d", minute);
}

static int put_date(char *text, size_t size, stria_time_unit unit, int64_t count)
{
    switch (unit) {
    case STRIA_NO_UNIT: return snprintf(text, size, "%" PRId64, count); /* NumPy refuses these. */
    case STRIA_YEARS: return snprintf(text, size, "%04" PRId64, (int64_t)((uint64_t)count + 1970));
    case STRIA_MONTHS: return put_months(text, size, count);
    case STRIA_WEEKS: return put_day(text, size, times(count, 7));
    case STRIA_DAYS: return put_day(text, size, count);
    case STRIA_HOURS: return put_hours(text, size, count);
    case STRIA_MINUTES: return put_minutes(text, size, count);
    default: return put_seconds(text, size, count, 3 * (int)(unit - STRIA_SECONDS));
    }
}

static int put_scalar_duration(char *text, size_t size, stria_time_unit unit, int64_t count)
{
    static const char *const names[] = {"generic time units",
                                        "years",
                                        "months",
                                        "weeks",
                                        "days",
                                        "hours",
                                        "minutes",
                                        "seconds",
                                        "milliseconds",
                                        "microseconds",
                                        "nanoseconds",
                                        "picoseconds",
                                        "femtoseconds",
                                        "attoseconds"};
    return snprintf(text, size, "%" PRId64 " %s", count, names[unit]);
}

struct date_text stria__date_text(stria_dtype dtype, const char *item, bool scalar)
{
    struct date_text out;
    int32_t multiple;
    const stria_time_unit unit = stria__dtype_unit(dtype, &multiple);
    const int64_t stored = load_count(dtype, item), count = times(stored, multiple);
    const bool none = stored == INT64_MIN, date = dtype.kind == STRIA_DATETIME;
    const bool quoted = !scalar && (date || none);
    char *const text = out.text + quoted;
    const size_t size = sizeof out.text - 1;
    if (none)
        out.length = snprintf(text, size, "NaT");
    else if (date)
        out.length = put_date(text, size, unit, count);
    else if (scalar)
        out.length = put_scalar_duration(text, size, unit, count);
    else
        out.length = snprintf(text, size, "%" PRId64, stored);
    if (!quoted) return out;
    out.text[0] = text[out.length] = '\'';
    out.length += 2;
    return out;
}
