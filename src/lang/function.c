/* SPDX-License-Identifier: BSD-3-Clause */
#include "function.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stria/order_statistics.h"
#include "stria/sort.h"

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

stria_reduction stria__call_reduction(const struct invocation *call)
{
    static const char *const prefixes[] = {"exact_", "window_"};
    struct text_span name = call->name;
    int op = 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const size_t n = strlen(prefixes[i]);
        if (name.length > n && !memcmp(name.text, prefixes[i], n))
            name = (struct text_span){name.text + n, name.length - n};
    }
    while (op < STRIA_REDUCTIONS &&
           !stria__span_has(name, stria_reduction_name((stria_reduction)op)))
        op++;
    return (stria_reduction)op;
}

int stria__call_dims(const struct invocation *call, const struct arg *dims)
{
    const bool all = !dims->given || (dims->count == 0 && !call->numpy);
    return all ? STRIA_ALL_DIMS : (int)dims->count;
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

const char *stria__folding_name(const struct folding *f)
{
    switch (f->kind) {
    case FOLDING_REDUCES: return stria_reduction_name(f->reduction);
    case FOLDING_SCANS: return stria_scan_name(f->scan);
    case FOLDING_SORTS: return "sort";
    case FOLDING_ARGSORTS: return "argsort";
    default: return "median";
    }
}

void stria__folding_keep(struct invocation *c, struct folding what, int count, const int *dims)
{
    struct folding *const f = c->tells ? stria__pool_take(c->pool, sizeof *f) : NULL;
    if (!f) return; /* nobody asks, or there is no memory: it cannot be run again, which is all */
    *f = what;
    f->count = count;
    f->from = *c->self;
    for (int i = 0; i < count && i < STRIA_MAX_NDIM; i++)
        f->dims[i] = dims[i];
    c->folding = f;
}

stria_status stria__folding_run(const struct folding *f, const stria_view *out, const stria_view *a,
                                const stria_exec *exec)
{
    const stria_reduce_options options = {.ddof = f->ddof};
    stria_exec how = *exec;
    if (f->rule == STRIA_PROMOTE_NUMPY) how.hints |= STRIA_PROMOTE_AS_NUMPY;
    if (f->kind == FOLDING_SCANS) return stria_scan_dim(f->scan, out, a, f->dims[0], NULL, &how);
    if (f->kind == FOLDING_MEDIAN) return stria_median(out, a, f->count, f->dims, &how);
    if (f->kind == FOLDING_SORTS) return stria_sort(out, a, f->dims[0], false, &how);
    if (f->kind == FOLDING_ARGSORTS) return stria_argsort(out, a, f->dims[0], false, &how);
    return stria_reduce_dims(f->reduction, out, a, f->count, f->dims, &options, &how);
}
