/* SPDX-License-Identifier: BSD-3-Clause */
#include "op.h"

#include <stdarg.h>
#include <stdio.h>

stria_status call_refuse(struct call *call, stria_status status, const char *format, ...)
{
    struct failure *failure = call->failure;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(failure->message, sizeof failure->message, format, args);
    va_end(args);
    failure->code = status;
    failure->usage = false;
    failure->placed = true;
    failure->at = call->at;
    call->refused = true;
    return status;
}
