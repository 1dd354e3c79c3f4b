/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The units of dates and durations. A unit is a description as a record has one, so that whatever
 * keeps a record's description alive keeps a unit, too. Those of one unit are constants.
 */
#include "date.h"

#include <stdio.h>
#include <string.h>

#include "record.h"
#include "base/status.h"

static const char *const unit_names[] = {"",  "Y",  "M",  "W",  "D",  "h",  "m",
                                         "s", "ms", "us", "ns", "ps", "fs", "as"};

enum { UNITS = sizeof unit_names / sizeof *unit_names };

#define SINGLE(unit_) [unit_] = {.unit = (unit_), .multiple = 1}
static const struct stria_record single[UNITS] = {
    SINGLE(STRIA_YEARS),       SINGLE(STRIA_MONTHS),       SINGLE(STRIA_WEEKS),
    SINGLE(STRIA_DAYS),        SINGLE(STRIA_HOURS),        SINGLE(STRIA_MINUTES),
    SINGLE(STRIA_SECONDS),     SINGLE(STRIA_MILLISECONDS), SINGLE(STRIA_MICROSECONDS),
    SINGLE(STRIA_NANOSECONDS), SINGLE(STRIA_PICOSECONDS),  SINGLE(STRIA_FEMTOSECONDS),
    SINGLE(STRIA_ATTOSECONDS)};

stria_status stria_dtype_time(stria_dtype *out, stria_kind kind, stria_time_unit unit,
                              int32_t multiple)
{
    if (!out || (kind != STRIA_DATETIME && kind != STRIA_TIMEDELTA) || (unsigned)unit >= UNITS ||
        multiple < 1 || (unit == STRIA_NO_UNIT && multiple != 1))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "dtype: out must not be NULL, kind %d be DATETIME or TIMEDELTA, unit %d "
                           "be one of 0 to %d, and multiple %d be positive, 1 for no unit",
                           (int)kind, (int)unit, UNITS - 1, (int)multiple);
    stria_dtype made = stria_dtype_of(kind);
    if (unit != STRIA_NO_UNIT && multiple == 1) made.record = &single[unit];
    if (multiple > 1) STRIA_TRY(stria__record_of_unit(&made.record, unit, multiple));
    *out = made;
    return STRIA_OK;
}

stria_time_unit stria__dtype_unit(stria_dtype dtype, int32_t *multiple)
{
    const bool known = dtype_is_time(dtype) && dtype.record;
    *multiple = known ? dtype.record->multiple : 1;
    return known ? (stria_time_unit)dtype.record->unit : STRIA_NO_UNIT;
}

stria_status stria_dtype_unit(stria_time_unit *out, int32_t *out_multiple, stria_dtype dtype)
{
    int32_t multiple;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "dtype_unit: out is NULL");
    *out = stria__dtype_unit(dtype, &multiple);
    if (out_multiple) *out_multiple = multiple;
    return STRIA_OK;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Reads digits without leading zeros; no digits mean 1. NULL if there are too many or if they are
 * 0. */
static const char *parse_multiple(const char *text, int32_t *multiple)
{
    int64_t n = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && n <= INT32_MAX; c++)
        n = 10 * n + (*c - '0');
    *multiple = c == text ? 1 : (int32_t)(n <= INT32_MAX ? n : 0);
    return *text != '0' && *multiple > 0 ? c : NULL;
}

/* Reads "[25s]" or nothing; NO_UNIT with a multiple of 0 for other text. */
static stria_time_unit parse_unit(const char *text, int32_t *multiple)
{
    *multiple = *text ? 0 : 1;
    if (*text != '[') return STRIA_NO_UNIT;
    const char *const name = parse_multiple(text + 1, multiple);
    for (int unit = 1; name && unit < UNITS; unit++) {
        const size_t length = strlen(unit_names[unit]);
        if (!strncmp(name, unit_names[unit], length) && !strcmp(name + length, "]"))
            return (stria_time_unit)unit;
    }
    *multiple = 0;
    return STRIA_NO_UNIT;
}

bool stria__time_parse(stria_dtype *out, const char *text, stria_status *status)
{
    static const struct {
        const char *name;
        stria_kind kind;
    } names[] = {{"M8", STRIA_DATETIME},
                 {"m8", STRIA_TIMEDELTA},
                 {"datetime64", STRIA_DATETIME},
                 {"timedelta64", STRIA_TIMEDELTA}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i].name);
        int32_t multiple;
        if (strncmp(text, names[i].name, length) != 0) continue;
        const stria_time_unit unit = parse_unit(text + length, &multiple);
        *status = multiple ? stria_dtype_time(out, names[i].kind, unit, multiple)
                           : stria__fail(STRIA_ERR_FORMAT,
                                         "dtype: '%.60s' is not a unit of time; write %s[ns], "
                                         "%s[25s], ...: Y M W D h m s ms us ns ps fs as",
                                         text, names[i].name, names[i].name);
        return true;
    }
    return false;
}

int stria__time_format(stria_dtype dtype, char *text, size_t size)
{
    int32_t multiple;
    const char letter = dtype.kind == STRIA_DATETIME ? 'M' : 'm';
    const char *const name = unit_names[stria__dtype_unit(dtype, &multiple)];
    if (!*name) return snprintf(text, size, "%c8", letter);
    if (multiple == 1) return snprintf(text, size, "%c8[%s]", letter, name);
    return snprintf(text, size, "%c8[%d%s]", letter, (int)multiple, name);
}
