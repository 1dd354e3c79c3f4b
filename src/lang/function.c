/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/array.h"
#include "function.h"

#include "view/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "registry.h"

stria_status stria__call_refuse(struct invocation *call, stria_status status, const char *format,
                                ...)
{
    struct failure *failure = call->failure;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(failure->message, sizeof failure->message, format, args);
    va_end(args);
    call->refused = true;
    return stria__failure_set(failure, status, false, call->at);
}

stria_status stria__call_views(struct invocation *c, const struct arg *of,
                               stria_status (*view)(stria_view *out, const stria_view *a))
{
    if (!of->views) return view(&c->out.view, of->view);
    STRIA_TRY(stria__call_pieces(c, of->count));
    for (int64_t i = 0; i < of->count; i++)
        STRIA_TRY(view(&c->pieces[i], of->views[i]));
    return STRIA_OK;
}

stria_status stria__call_answer(struct invocation *c, struct value answer)
{
    c->answers = true;
    c->answer = answer;
    return STRIA_OK;
}

stria_status stria__call_integer(struct invocation *c, int64_t integer)
{
    return stria__call_answer(c, (struct value){.kind = VALUE_INT, .integer = integer});
}

stria_status stria__call_truth(struct invocation *c, bool truth)
{
    return stria__call_answer(c, (struct value){.kind = VALUE_BOOL, .truth = truth});
}

stria_status stria__call_sizes(struct invocation *c, size_t n, const int64_t *values, int64_t unit)
{
    TAKE_ARRAY(struct value, items, c->pool, n);
    for (size_t d = 0; d < n; d++)
        items[d] = (struct value){.kind = VALUE_INT, .integer = values[d] / unit};
    return stria__call_answer(c, (struct value){.kind = VALUE_TUPLE, .list = {items, n}});
}

stria_status stria__call_told(struct invocation *c, stria_status status)
{
    c->refused = status != STRIA_OK && c->failure->code == status;
    return status;
}

stria_status stria__call_hold(struct invocation *c, const stria_view **out, stria_array made)
{
    const stria_array *const kept = stria__pool_keep(c->pool, made);
    TRY_MEMORY(kept);
    *out = &kept->view;
    return STRIA_OK;
}

stria_status stria__call_flat(struct invocation *c, const stria_view **out, const stria_view *a)
{
    stria_array flat = {0};
    const int64_t n = stria_numel(a);
    STRIA_TRY(stria_reshape(&flat, a, 1, &n, STRIA_COPY_IF_NEEDED, NULL, NULL));
    return stria__call_hold(c, out, flat);
}

stria_status stria__call_math(struct math **out, struct invocation *c, int count,
                              const stria_view *const *operands)
{
    struct math *const math = *out = stria__pool_take(c->pool, sizeof *math);
    TRY_MEMORY(math);
    TAKE_ARRAY(stria_view, copies, c->pool, (size_t)count);
    math->rule = stria__call_rule(c);
    math->count = count;
    for (int i = 0; i < count; i++) {
        copies[i] = *operands[i];
        math->operands[i] = &copies[i];
    }
    return STRIA_OK;
}

stria_status stria__call_number(double *out, const stria_view *scalar)
{
    stria_view to;
    STRIA_TRY(stria_view_foreign(&to, out, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    return stria_copy(&to, scalar, NULL);
}

stria_status stria__call_wrote(struct invocation *c, const stria_view *out, stria_status status)
{
    if (status == STRIA_OK) array_share(&c->out, out);
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
    TAKE_TO(call->pieces, call->pool, (size_t)count);
    call->many = true;
    call->count = count;
    return STRIA_OK;
}

stria_status stria__call_piece(struct invocation *call, int64_t i, stria_array made)
{
    const stria_view *kept = NULL;
    STRIA_TRY(stria__call_hold(call, &kept, made));
    call->pieces[i] = *kept;
    return STRIA_OK;
}

stria_status stria__call_give(struct invocation *call, int count, stria_array *made,
                              stria_status status)
{
    if (status == STRIA_OK) status = stria__call_pieces(call, count);
    for (int i = 0; i < count; i++)
        if (status == STRIA_OK)
            status = stria__call_piece(call, i, made[i]);
        else
            stria_array_release(&made[i]);
    return status;
}

stria_status stria__call_copies(struct invocation *call)
{
    if (!call->many) return stria_clone_new(&call->out, &call->out.view, NULL);
    for (int64_t i = 0; i < call->count; i++) {
        stria_array copied = {0};
        STRIA_TRY(stria_clone_new(&copied, &call->pieces[i], NULL));
        STRIA_TRY(stria__call_piece(call, i, copied));
    }
    return STRIA_OK;
}

stria_status stria__call_bytes(struct invocation *call, int64_t **out, const int64_t *elements,
                               int64_t count, stria_dtype dtype)
{
    TAKE_TO(*out, call->pool, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        if (__builtin_mul_overflow(elements[i], dtype.itemsize, &(*out)[i]))
            return stria__call_refuse(call, STRIA_ERR_OVERFLOW,
                                      "%lld items of %d bytes do not fit in 64 bits",
                                      (long long)elements[i], (int)dtype.itemsize);
    return STRIA_OK;
}

stria_status stria__call_strides(struct invocation *c, int64_t **out, const struct arg *size,
                                 const struct arg *stride, stria_dtype dtype)
{
    if (size->count == stride->count)
        return stria__call_bytes(c, out, stride->ints, stride->count, dtype);
    return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "%lld sizes and %lld strides",
                              (long long)size->count, (long long)stride->count);
}

int stria__call_dims(const struct invocation *call, const struct arg *dims)
{
    const bool all = !dims->given || (dims->count == 0 && !call->numpy);
    return all ? STRIA_ALL_DIMS : (int)dims->count;
}

stria_status stria__call_choice(struct invocation *c, int i, const char *names, const char *refusal)
{
    c->args[i].integer = stria__choice(names, c->args[i].text);
    return c->args[i].integer >= 0
               ? STRIA_OK
               : stria__call_refuse(c, STRIA_ERR_ARGUMENT, refusal, c->args[i].text);
}

stria_status stria__call_policy(struct invocation *c, int i)
{
    return stria__call_choice(c, i, "unsafe|same_kind|safe|equiv|no",
                              "casting '%.40s' is not one of NumPy's");
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
    struct folding *const f = stria__pool_take(c->pool, sizeof *f);
    if (!f) return; /* it cannot be run again, which is all */
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
    if (f->kind == FOLDING_SCANS) return stria_scan_dim(out, f->scan, a, f->dims[0], NULL, &how);
    if (f->kind == FOLDING_MEDIAN) return stria_median(out, a, f->count, f->dims, &how);
    if (f->kind == FOLDING_SORTS) return stria_sort(out, a, f->dims[0], false, &how);
    if (f->kind == FOLDING_ARGSORTS) return stria_argsort(out, a, f->dims[0], false, &how);
    return stria_reduce_dims(out, f->reduction, a, f->count, f->dims, &options, &how);
}
