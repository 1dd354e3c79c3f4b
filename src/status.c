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
    switch (status) {
    case STRIA_OK: return "ok";
    case STRIA_ERR_ARGUMENT: return "argument";
    case STRIA_ERR_SHAPE: return "shape";
    case STRIA_ERR_DIM: return "dim";
    case STRIA_ERR_INDEX: return "index";
    case STRIA_ERR_STRIDE: return "stride";
    case STRIA_ERR_BROADCAST: return "broadcast";
    case STRIA_ERR_BOUNDS: return "bounds";
    case STRIA_ERR_OVERFLOW: return "overflow";
    case STRIA_ERR_DTYPE: return "dtype";
    case STRIA_ERR_READONLY: return "readonly";
    case STRIA_ERR_OVERLAP: return "overlap";
    case STRIA_ERR_COPY: return "copy";
    case STRIA_ERR_MEMORY: return "memory";
    case STRIA_ERR_IO: return "io";
    case STRIA_ERR_FORMAT: return "format";
    case STRIA_ERR_UNSUPPORTED: return "unsupported";
    }
    return "unknown";
}

/* Composes the message in a local buffer, because arguments may point into the old message. */
static void set_message(const char *format, va_list args)
{
    char text[sizeof message];
    (void)vsnprintf(text, sizeof text, format, args);
    memcpy(message, text, sizeof text);
}

stria_status stria__fail(stria_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_message(format, args);
    va_end(args);
    return status;
}

stria_status stria_fail(stria_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_message(format, args);
    va_end(args);
    return status;
}

struct dims_text stria__dims_text(int n, const int64_t *values)
{
    struct dims_text out;
    const size_t size = sizeof out.text;
    const size_t longest = 24; /* ", -9223372036854775808" and the end of the text */
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
