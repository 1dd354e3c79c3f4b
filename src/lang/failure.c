/* SPDX-License-Identifier: BSD-3-Clause */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "stria/eval.h"

stria_status stria__failure_set(struct failure *failure, stria_status code, bool usage, size_t at)
{
    failure->code = code;
    failure->usage = usage;
    failure->mismatch = false;
    failure->placed = at != NO_PLACE;
    failure->at = failure->placed ? at : 0;
    return code;
}

stria_status stria__fail_at(struct failure *failure, stria_status code, size_t at,
                            const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(failure->message, sizeof failure->message, format, args);
    va_end(args);
    return stria__failure_set(failure, code, true, at);
}

stria_status stria__fail_request(struct failure *failure, stria_status code, const char *format,
                                 ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(failure->message, sizeof failure->message, format, args);
    va_end(args);
    return stria__failure_set(failure, code, true, NO_PLACE);
}

stria_status stria__fail_library(struct failure *failure, stria_status code, size_t at)
{
    (void)snprintf(failure->message, sizeof failure->message, "%s", stria_last_error());
    return stria__failure_set(failure, code, false, at);
}

bool stria__failure_tells_more(const struct failure *a, const struct failure *b)
{
    if (!b->code) return true;
    if (a->mismatch != b->mismatch) return !a->mismatch;
    if (a->at != b->at) return a->at > b->at;
    return b->code == STRIA_ERR_ARGUMENT && a->code != STRIA_ERR_ARGUMENT;
}

stria_status stria__fail_memory(void)
{
    return stria__fail(STRIA_ERR_MEMORY, "no memory for what the call keeps of its arguments");
}

stria_status stria__fail_prefix(struct failure *failure, const char *name)
{
    char message[sizeof failure->message];
    memcpy(message, failure->message, sizeof message);
    const int n = snprintf(failure->message, sizeof failure->message, "%.300s: ", name);
    (void)snprintf(failure->message + n, sizeof failure->message - (size_t)n, "%.1000s", message);
    return failure->code;
}

size_t stria__column_of(const char *source, size_t at)
{
    size_t column = 1;
    for (size_t i = 0; i < at; i++)
        column += starts_character(source[i]);
    return column;
}

static _Thread_local size_t failed_column;

size_t stria_eval_column(void)
{
    return failed_column;
}

void stria__failure_start(void)
{
    failed_column = 0;
}

stria_status stria__failure_tell(const struct failure *failure, const char *source)
{
    failed_column = failure->placed ? stria__column_of(source, failure->at) : 0;
    if (!failed_column) return stria__fail(failure->code, "%s", failure->message);
    return stria__fail(failure->code, "column %zu: %s", failed_column, failure->message);
}
