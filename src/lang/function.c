/* SPDX-License-Identifier: BSD-3-Clause */
#include "function.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

stria_status stria__call_refuse(struct invocation *call, stria_status status, const char *format,
                                ...)
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

stria_exec stria__call_exec(const struct invocation *call)
{
    stria_exec exec = call->exec ? *call->exec : (stria_exec){0};
    if (call->numpy)
        exec.hints |= STRIA_PROMOTE_AS_NUMPY;
    else
        exec.hints &= ~(uint32_t)STRIA_PROMOTE_AS_NUMPY;
    return exec;
}

stria_status stria__call_pieces(struct invocation *call, int64_t count)
{
    call->pieces = stria__pool_array(call->pool, (size_t)count, sizeof *call->pieces);
    TRY_MEMORY(call->pieces);
    call->many = true;
    call->count = count;
    return STRIA_OK;
}

stria_status stria__call_piece(struct invocation *call, int64_t i, stria_array made)
{
    const stria_array *const kept = stria__pool_keep(call->pool, made);
    TRY_MEMORY(kept);
    call->pieces[i] = kept->view;
    return STRIA_OK;
}

stria_status stria__call_copies(struct invocation *call)
{
    if (!call->many) return stria_clone(&call->out, &call->out.view);
    for (int64_t i = 0; i < call->count; i++) {
        stria_array copied = {0};
        STRIA_TRY(stria_clone(&copied, &call->pieces[i]));
        STRIA_TRY(stria__call_piece(call, i, copied));
    }
    return STRIA_OK;
}

stria_status stria__call_bytes(struct invocation *call, int64_t **out, const int64_t *elements,
                               int64_t count, stria_dtype dtype)
{
    *out = stria__pool_array(call->pool, (size_t)count, sizeof **out);
    TRY_MEMORY(*out);
    for (int64_t i = 0; i < count; i++)
        if (__builtin_mul_overflow(elements[i], dtype.itemsize, &(*out)[i]))
            return stria__call_refuse(call, STRIA_ERR_OVERFLOW,
                                      "%lld items of %d bytes do not fit in 64 bits",
                                      (long long)elements[i], (int)dtype.itemsize);
    return STRIA_OK;
}

stria_status stria__call_deliver(struct invocation *call, stria_array *made, stria_status status)
{
    if (status == STRIA_OK)
        call->out = *made;
    else
        stria_array_release(made);
    return status;
}

stria_status stria__call_policy(struct invocation *c, const char *text, stria_cast_policy *out)
{
    static const char *const names[] = {[STRIA_CAST_UNSAFE] = "unsafe",
                                        [STRIA_CAST_SAME_KIND] = "same_kind",
                                        [STRIA_CAST_SAFE] = "safe",
                                        [STRIA_CAST_EQUIV] = "equiv",
                                        [STRIA_CAST_NO] = "no"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i])) continue;
        *out = (stria_cast_policy)i;
        return STRIA_OK;
    }
    return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "casting '%.40s' is not one of NumPy's", text);
}

const char *stria__math_name(const struct math *math)
{
    return math->subscripts ? "einsum" : stria_op_name(math->op);
}
