/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Status names and the thread's message, which is a fixed buffer, so that reporting never
 * allocates.
 */
#include "status.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[1024];

const char *stria_last_error(void)
{
    return message;
}

const char *stria_status_name(stria_status status)
{
    /* In the order of the codes, which go down from 0. */
    static const char *const names[] = {"ok",       "argument",    "shape",    "dim",      "index",
                                        "stride",   "broadcast",   "bounds",   "overflow", "dtype",
                                        "readonly", "overlap",     "copy",     "memory",   "io",
                                        "format",   "unsupported", "cancelled"};
    const size_t code = 0 - (size_t)status;
    return code < sizeof names / sizeof *names ? names[code] : "unknown";
}

/* Composes the message in a local buffer, because arguments may point into the old message. */
stria_status stria_fail(stria_status status, const char *format, ...)
{
    char text[sizeof message];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    memcpy(message, text, sizeof text);
    return status;
}

struct dims_text stria__dims_text(int n, const int64_t *values)
{
    struct dims_text out;
    const size_t size = sizeof out.text;
    const size_t longest = 24; /* Enough for ", -9223372036854775808" and the end of the text. */
    size_t used = (size_t)snprintf(out.text, size, "(");
    for (int i = 0; i < n; i++) {
        if (used + longest + sizeof ", ...)" > size) {
            (void)snprintf(out.text + used, size - used, ", ...)");
            return out;
        }
        used += (size_t)snprintf(out.text + used, size - used, i ? ", %" PRId64 : "%" PRId64,
                                 values[i]);
    }
    (void)snprintf(out.text + used, size - used, n == 1 ? ",)" : ")");
    return out;
}
