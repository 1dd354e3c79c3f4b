/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls functions by name: the first form that takes the arguments. Elementwise operations on views
 * and numbers, which are most calls of an interpreter, go to the library without being bound; so do
 * views with integers, without values in between.
 */
#include <stdio.h>
#include <string.h>

#include "view/array.h"
#include "calling.h"
#include "plan/threads.h"

enum { ROOM = 4096 /* Bytes on the stack for the values of a small call. */ };

/* ---- elementwise operations ------------------------------------------------------------------ */

/* Makes a number a weak scalar; false if the argument is no operand. */
static bool operand_of(stria_view *scalar, const stria_view **out, const stria_arg *arg)
{
    *out = scalar;
    if (arg->name) return false;
    switch (arg->kind) {
    case STRIA_ARG_VIEW: *out = arg->value.view; return *out != NULL;
    case STRIA_ARG_REF: return stria_ref_view(scalar, arg->value.ref) == STRIA_OK;
    case STRIA_ARG_BOOL: return stria_weak(scalar, STRIA_BOOL, &arg->value.truth) == STRIA_OK;
    case STRIA_ARG_INT: return stria_weak(scalar, STRIA_I64, &arg->value.integer) == STRIA_OK;
    case STRIA_ARG_FLOAT: return stria_weak(scalar, STRIA_F64, &arg->value.real) == STRIA_OK;
    case STRIA_ARG_COMPLEX:
        return stria_weak(scalar, STRIA_C128, arg->value.complex_parts) == STRIA_OK;
    default: return false;
    }
}

/* Returns the array of an argument out=, or NULL if it is none. */
static const stria_view *out_of(const stria_arg *arg)
{
    const bool is_out = arg->kind == STRIA_ARG_VIEW && arg->name && !strcmp(arg->name, "out");
    return is_out ? arg->value.view : NULL;
}

/*
 * Runs the call if it is one operation on operands alone, into new memory or into out=. It is not
 * inlined, so that other calls need not take its 6 KB of the stack.
 */
__attribute__((noinline)) bool stria__call_operation(stria_status *status, stria_results *results,
                                                     const stria_function *function, int count,
                                                     const stria_arg *args, const stria_exec *exec)
{
    stria_view scalars[STRIA_USER_INPUTS];
    const stria_view *operands[STRIA_USER_INPUTS];
    const int op = function->operation, n = op < 0 ? count : stria_op_inputs((stria_op)op);
    const stria_view *const out = count == n + 1 ? out_of(&args[n]) : NULL;
    if (op < 0 || count != n + (out != NULL)) return false;
    for (int i = 0; i < n; i++)
        if (!operand_of(&scalars[i], &operands[i], &args[i])) return false;
    *status = out ? stria_elementwise(out, (stria_op)op, n, operands, exec)
                  : stria_elementwise_new(&results->one, (stria_op)op, n, operands, exec);
    if (*status != STRIA_OK) return true;
    if (out) array_share(&results->one, out);
    stria__results_single(results);
    return true;
}

/* ---- all others ------------------------------------------------------------------------------ */

static bool is_meant(const struct form *form, stria_promotion rule, size_t arguments)
{
    const enum world world = form->row->world,
                     other = rule == STRIA_PROMOTE_NUMPY ? WORLD_TORCH : WORLD_NUMPY;
    return world != other && (!form->signature.attribute || arguments == 1);
}

static stria_status take_results(stria_results *results, struct invocation *call)
{
    if (!call->answers && !call->many) return stria__results_take(results, &call->out, call->pool);
    TAKE_ARRAY(const stria_view *, views, call->pool, (size_t)call->count);
    for (int64_t i = 0; i < call->count; i++)
        views[i] = &call->pieces[i];
    return stria__results_tuple(results, call->answers ? &call->answer : NULL, call->count, views,
                                call->pool);
}

stria_status stria__run_form(stria_results *results, struct calling *c, const struct form *form)
{
    struct invocation *const call = &c->invocation;
    call->name = form->signature.name;
    call->self = form->signature.count ? call->args[0].view : NULL;
    call->row = form->row;
    call->copied = c->function->copied;
    stria_status status = form->row->run(call);
    if (status == STRIA_OK && call->copied) status = stria__call_copies(call);
    if (status == STRIA_OK) status = stria__call_class(call, c->given.name);
    if (status == STRIA_OK) status = take_results(results, call);
    stria_array_release(&call->out);
    if (call->refused) return stria__fail(status, "%s: %s", c->given.name, c->failure.message);
    return status;
}

/* Refuses the call with the failure that tells most, and appends how the function is called. */
static stria_status refuse_call(const struct calling *c, const struct failure *worst,
                                stria_promotion rule)
{
    char text[sizeof worst->message + 40];
    int used = snprintf(text, sizeof text, "%s", worst->message);
    if (worst->at < c->given.npositional + c->given.nkeywords)
        used += snprintf(text + used, sizeof text - (size_t)used, " (argument %zu)", worst->at + 1);
    const char *joint = "; it is called as ";
    for (int i = 0; worst->mismatch && i < c->function->count && used < (int)sizeof text; i++) {
        const struct form *const form = c->function->forms[i];
        if (!is_meant(form, rule, 1)) continue;
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "%s%s", joint, form->row->signature);
        joint = " or ";
    }
    return stria__fail(worst->code, "%s", text);
}

stria_status stria__find_form(const struct form **out, struct calling *c, stria_promotion rule)
{
    struct failure worst;
    worst.code = STRIA_OK;
    for (int i = 0; i < c->function->count; i++) {
        const struct form *const form = *out = c->function->forms[i];
        if (!is_meant(form, rule, c->given.npositional + c->given.nkeywords)) continue;
        const stria_status status = stria__bind_arguments(c->invocation.args, &form->signature,
                                                          &c->given, &c->pool, &c->failure);
        if (status == STRIA_OK || status == STRIA_ERR_MEMORY) return status;
        if (stria__failure_tells_more(&c->failure, &worst)) worst = c->failure;
    }
    if (!worst.code)
        return stria__fail(STRIA_ERR_UNSUPPORTED, "%s: %s has no such function", c->given.name,
                           rule == STRIA_PROMOTE_NUMPY ? "NumPy" : "PyTorch");
    return refuse_call(c, &worst, rule);
}

/* Binds integers, or dims, that lie side by side; false where something else is among them. */
bool stria__bind_integers(struct arg *to, struct integers *room, int64_t count,
                          const stria_arg *from)
{
    if (count < 1 || count > STRIA_MAX_NDIM || !from) return false;
    for (int64_t i = 0; i < count; i++) {
        const int64_t integer = from[i].value.integer;
        if (from[i].kind != STRIA_ARG_INT || from[i].name || (int)integer != integer) return false;
        room->ints[i] = integer;
        room->dims[i] = (int)integer;
    }
    to->given = true;
    to->integer = *room->ints;
    to->dim = *room->dims;
    to->count = count;
    to->ints = room->ints;
    to->dims = room->dims;
    return true;
}

/* Binds an array and integers by position, if the form takes nothing else. */
static bool bind_in_place(struct arg *to, struct integers *room, const struct form *form, int count,
                          const stria_arg *args)
{
    const struct signature *const s = &form->signature;
    int used = 1;
    if (count < s->count || s->count < 1 || args->name || args->kind != STRIA_ARG_VIEW ||
        s->params->type != TYPE_ARRAY ||
        stria__check_view(args->value.view, "call", "argument") != STRIA_OK)
        return false;
    to->given = true;
    to->view = args->value.view;
    to->views = NULL;
    for (int i = 1; i < s->count; i++) {
        const enum param_type type = s->params[i].type;
        const bool several = type == TYPE_INTS || type == TYPE_DIMS, last = i == s->count - 1;
        const bool tuple = several && args[i].kind == STRIA_ARG_TUPLE && !args[i].name;
        const int n = several && !tuple && s->params[i].variadic ? count - i : 1;
        if (several ? !last : type != TYPE_INT && type != TYPE_DIM) return false;
        if (!stria__bind_integers(&to[i], room, tuple ? args[i].count : n,
                                  tuple ? args[i].value.items : &args[i]))
            return false;
        used = i + n;
    }
    return used == count;
}

/* Positional arguments first, then those with names. */
stria_status stria__calling_read(struct calling *c, int count, const stria_arg *args)
{
    int positional = 0;
    while (positional < count && !args[positional].name)
        positional++;
    struct value *const values = stria__pool_array(&c->pool, (size_t)count, sizeof *values);
    struct keyword *const keywords =
        stria__pool_array(&c->pool, (size_t)(count - positional), sizeof *keywords);
    TRY_MEMORY(values && keywords);
    STRIA_TRY(stria__arguments_read(values, count, args, &c->pool));
    for (int i = positional; i < count; i++) {
        if (!args[i].name)
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "%s: argument %d has no name and follows one that has",
                               c->given.name, i + 1);
        keywords[i - positional] =
            (struct keyword){.name = args[i].name, .at = (size_t)i, .value = values[i]};
    }
    c->given.positional = values;
    c->given.npositional = (size_t)positional;
    c->given.keywords = keywords;
    c->given.nkeywords = (size_t)(count - positional);
    c->given.at = (size_t)count; /* Missing arguments are reported at no place. */
    return STRIA_OK;
}

static stria_status call_form(stria_results *results, struct calling *c, stria_promotion rule,
                              int count, const stria_arg *args)
{
    struct integers room;
    const struct form *form = c->function->forms[0];
    if (!is_meant(form, rule, (size_t)count) ||
        !bind_in_place(c->invocation.args, &room, form, count, args)) {
        STRIA_TRY(stria__calling_read(c, count, args));
        STRIA_TRY(stria__find_form(&form, c, rule));
    }
    return stria__run_form(results, c, form);
}

void stria__calling_name(char name[CALLED_NAME], const stria_function *function)
{
    (void)stria_function_name(name, CALLED_NAME, NULL, function);
}

/* Returns the first array among the arguments, or a scalar if there is none. */
static const stria_view *first_view(stria_view *none, int count, const stria_arg *args)
{
    static const float zero;
    for (int i = 0; i < count; i++)
        if (args[i].kind == STRIA_ARG_VIEW && args[i].value.view)
            return args[i].value.view;
        else if (args[i].kind == STRIA_ARG_REF && args[i].value.ref)
            return stria_ref_view(none, args[i].value.ref) == STRIA_OK ? none : NULL;
    return stria_scalar(none, STRIA_F32, &zero) == STRIA_OK ? none : NULL;
}

void stria__calling_start(struct calling *c, const stria_function *function, const char *name,
                          stria_promotion rule, int count, const stria_arg *args)
{
    struct invocation *const call = &c->invocation;
    c->function = function;
    memset(&c->given, 0, sizeof c->given);
    c->given.name = name;
    memset(&c->failure, 0, offsetof(struct failure, message));
    call->at = 0; /* one by one, which is twice as fast as clearing all that lies between them */
    call->tells = call->refused = call->many = call->answers = false;
    call->waiting = NULL;
    call->pieces = NULL;
    call->count = 0;
    call->sparse = NULL;
    call->math = NULL;
    call->how = NULL;
    call->folding = NULL;
    array_none(&call->out);
    memset(&call->out.view, 0, offsetof(stria_view, shape));
    call->pool = &c->pool;
    call->failure = &c->failure;
    call->exec = &c->exec;
    call->numpy = rule == STRIA_PROMOTE_NUMPY;
    call->in_place = function->name.text[function->name.length - 1] == '_';
    call->x = first_view(&c->none, count, args);
}

stria_status stria__check_call(const stria_function *function, stria_promotion rule, int count,
                               const stria_arg *args)
{
    if (!function || count < 0 || (count && !args))
        return stria__fail(STRIA_ERR_ARGUMENT, "call: %s",
                           !function ? "there is no such function" : "arguments are missing");
    if (rule != STRIA_PROMOTE_TORCH && rule != STRIA_PROMOTE_NUMPY)
        return stria__fail(STRIA_ERR_ARGUMENT, "call: rule %d is none", (int)rule);
    return STRIA_OK;
}

stria_status stria__calling_exec(stria_exec *out, const stria_exec *exec, stria_promotion rule)
{
    if (exec) STRIA_TRY(stria__check_exec(exec, "call"));
    *out = exec ? *exec : (stria_exec){0};
    out->hints &= ~(uint32_t)STRIA_PROMOTE_AS_NUMPY;
    if (rule == STRIA_PROMOTE_NUMPY) out->hints |= STRIA_PROMOTE_AS_NUMPY;
    return STRIA_OK;
}

static stria_status call(stria_results *results, const stria_function *function,
                         stria_promotion rule, int count, const stria_arg *args,
                         const stria_exec *exec)
{
    if (!results) return stria__fail(STRIA_ERR_ARGUMENT, "call: results is NULL");
    STRIA_TRY(stria__check_call(function, rule, count, args));
    struct calling
        c; /* a few KB, most of which stay unset: clearing them would take longer than a call */
    STRIA_TRY(stria__calling_exec(&c.exec, exec, rule));
    stria_status status = STRIA_OK;
    if (stria__call_operation(&status, results, function, count, args, &c.exec)) return status;

    COMPUTES(exec);
    max_align_t room[ROOM / sizeof(max_align_t)];
    char name[CALLED_NAME];
    stria__calling_name(name, function);
    c.pool = (struct pool){.at = (char *)room, .left = sizeof room};
    stria__calling_start(&c, function, name, rule, count, args);
    status = call_form(results, &c, rule, count, args);
    stria__pool_free(&c.pool);
    return status;
}

stria_status stria_call(stria_results *results, const stria_function *function,
                        stria_promotion rule, int count, const stria_arg *args,
                        const stria_exec *exec)
{
    return stria__results_tell(results, call(results, function, rule, count, args, exec));
}
