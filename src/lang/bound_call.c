/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call whose arguments were bound once: the form that takes them, the parameter of each, and the
 * defaults of all others. Views, integers and bools become what the form takes without values in
 * between; what is rarer is bound as in any call, but to a parameter that is known.
 */
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "calling.h"
#include "plan/threads.h"
#include "stria/alloc.h"
#include "view/view.h"

enum { ROOM = 2048 /* bytes on the stack for what a small call keeps */, NOWHERE = -1 };

struct stria_bound {
    stria_allocator from;
    const stria_function *function;
    const struct form *form; /* NULL: arguments are joined, and each call finds its form */
    stria_promotion rule;
    bool by_name;      /* arguments but out= have names: their places are not the operation's */
    uint32_t gathered; /* parameters whose arguments became items of a tuple */
    char name[CALLED_NAME];
    struct pool pool; /* what defaults point at */
    struct arg args[MAX_PARAMS];
    int fallbacks; /* so many parameters have no argument: */
    signed char fallback[MAX_PARAMS];
    int count;
    signed char parameter[]; /* of each argument */
};

/* ---- binding --------------------------------------------------------------------------------- */

/* Tells whether the value is the bound one, or among those that were gathered into a tuple. */
static bool holds(const struct value *bound, const struct value *value)
{
    if (!bound || bound == value) return bound != NULL;
    if (bound->kind != VALUE_TUPLE) return false;
    const struct value *const items = bound->list.items;
    return value >= items && value < items + bound->list.count;
}

static int parameter_of(const struct calling *c, const struct form *form, const struct value *value)
{
    for (int i = 0; i < form->signature.count; i++)
        if (holds(c->invocation.args[i].value, value)) return i;
    return NOWHERE;
}

/* Notes where each argument went; false where one was joined with others, and has no place. */
static bool note_parameters(stria_bound *b, const struct calling *c, const struct form *form)
{
    const int positional = (int)c->given.npositional;
    for (int i = 0; i < b->count; i++) {
        b->by_name |= i >= positional && strcmp(c->given.keywords[i - positional].name, "out") != 0;
        const struct value *const value =
            i < positional ? &c->given.positional[i] : &c->given.keywords[i - positional].value;
        b->parameter[i] = (signed char)parameter_of(c, form, value);
        if (b->parameter[i] == NOWHERE) return false;
        if (c->invocation.args[b->parameter[i]].value != value)
            b->gathered |= UINT32_C(1) << b->parameter[i];
    }
    for (int p = 0; p < form->signature.count; p++) {
        b->args[p] = c->invocation.args[p];
        if (!memchr(b->parameter, p, (size_t)b->count))
            b->fallback[b->fallbacks++] = (signed char)p;
    }
    return true;
}

static stria_status bind_call(stria_bound *b, const stria_arg *args)
{
    struct calling c;
    const struct form *form;
    c.exec = (stria_exec){0};
    c.pool = (struct pool){0};
    stria__calling_start(&c, b->function, b->name, b->rule, b->count, args);
    stria_status status = stria__calling_read(&c, b->count, args);
    if (status == STRIA_OK) status = stria__find_form(&form, &c, b->rule);
    if (status == STRIA_OK) b->form = note_parameters(b, &c, form) ? form : NULL;
    b->pool = c.pool;
    return status;
}

stria_status stria_bind(stria_bound **out, const stria_function *function, stria_promotion rule,
                        int count, const stria_arg *args)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "bind: out is NULL");
    STRIA_TRY(stria__check_call(function, rule, count, args));
    const stria_allocator from = stria__allocator();
    stria_bound *const b = from.alloc(sizeof *b + (size_t)count, STRIA_ALIGNMENT, from.context);
    TRY_MEMORY(b);
    memset(b, 0, sizeof *b);
    b->from = from;
    b->function = function;
    b->rule = rule;
    b->count = count;
    stria__calling_name(b->name, function);
    const stria_status status = bind_call(b, args);
    if (status == STRIA_OK)
        *out = b;
    else
        stria_bound_release(b);
    return status;
}

void stria_bound_release(stria_bound *bound)
{
    if (!bound) return;
    const stria_allocator from = bound->from;
    stria__pool_free(&bound->pool);
    from.free(bound, sizeof *bound + (size_t)bound->count, from.context);
}

/* ---- calling --------------------------------------------------------------------------------- */

/* Room for the integers of two parameters; more are rare. */
struct integers_room {
    struct integers of[2];
    int used;
};

/* Binds what needs no value; false for all else. */
static bool bind_directly(struct arg *to, struct integers_room *room, enum param_type type,
                          int64_t n, const stria_arg *arg)
{
    const bool tuple = n == 1 && arg->kind == STRIA_ARG_TUPLE;
    switch (type) {
    case TYPE_ARRAY:
        to->given = true;
        to->view = arg->value.view;
        to->views = NULL;
        return n == 1 && arg->kind == STRIA_ARG_VIEW &&
               stria__check_view(arg->value.view, "call", "argument") == STRIA_OK;
    case TYPE_BOOL:
        to->given = true;
        to->truth = arg->value.truth;
        return n == 1 && arg->kind == STRIA_ARG_BOOL;
    case TYPE_INT:
    case TYPE_DIM:
        return room->used < 2 && stria__bind_integers(to, &room->of[room->used++], n, arg);
    case TYPE_INTS:
    case TYPE_DIMS:
        return room->used < 2 &&
               stria__bind_integers(to, &room->of[room->used++], tuple ? arg->count : n,
                                    tuple ? arg->value.items : arg);
    default: return false;
    }
}

/* Binds n arguments from place `at` on, which are one parameter's. */
static stria_status bind_parameter(struct calling *c, struct integers_room *room,
                                   const stria_bound *b, int at, int n, const stria_arg *args)
{
    const int i = b->parameter[at];
    const struct param *const param = &b->form->signature.params[i];
    struct arg *const to = &c->invocation.args[i];
    if (bind_directly(to, room, param->type, n, args + at)) return STRIA_OK;
    TAKE_ARRAY(struct value, values, &c->pool, (size_t)n + 1);
    STRIA_TRY(stria__arguments_read(values + 1, n, args + at, &c->pool));
    for (int k = 1; k <= n; k++)
        values[k].at = (size_t)(at + k - 1);
    values[0] = (struct value){.kind = VALUE_TUPLE, .at = (size_t)at};
    values[0].list.items = values + 1;
    values[0].list.count = (size_t)n;
    const bool gathered =
        n > 1 || (b->gathered >> i & 1 && !stria__is_whole(values + 1, param->type));
    const struct target target = {b->name, param, &c->pool, &c->failure};
    const stria_status status = stria__bind_value(to, gathered ? values : values + 1, &target);
    return status == STRIA_OK || status == STRIA_ERR_MEMORY
               ? status
               : stria__fail(status, "%s (argument %d)", c->failure.message, at + 1);
}

static stria_status bind_all(struct calling *c, struct integers_room *room, const stria_bound *b,
                             const stria_arg *args)
{
    room->used = 0;
    for (int at = 0, n; at < b->count; at += n) {
        for (n = 1; at + n < b->count && b->parameter[at + n] == b->parameter[at];)
            n++;
        STRIA_TRY(bind_parameter(c, room, b, at, n, args));
    }
    return STRIA_OK;
}

static stria_status call(stria_results *results, const stria_bound *bound, int count,
                         const stria_arg *args, const stria_exec *exec)
{
    if (!results || !bound || count != bound->count || (count && !args))
        return stria__fail(STRIA_ERR_ARGUMENT, "bound call: %s",
                           !results                ? "results is NULL"
                           : !bound                ? "bound is NULL"
                           : count != bound->count ? "there are not as many arguments as were bound"
                                                   : "arguments are missing");
    if (!bound->form) return stria_call(results, bound->function, bound->rule, count, args, exec);
    struct calling c;
    STRIA_TRY(stria__calling_exec(&c.exec, exec, bound->rule));
    stria_status status = STRIA_OK;
    if (!bound->by_name &&
        stria__call_operation(&status, results, bound->function, count, args, &c.exec))
        return status;

    COMPUTES(exec);
    max_align_t memory[ROOM / sizeof(max_align_t)];
    c.pool = (struct pool){.at = (char *)memory, .left = sizeof memory};
    stria__calling_start(&c, bound->function, bound->name, bound->rule, count, args);
    for (int i = 0; i < bound->fallbacks; i++)
        c.invocation.args[bound->fallback[i]] = bound->args[bound->fallback[i]];
    struct integers_room integers; /* which the form reads */
    status = bind_all(&c, &integers, bound, args);
    if (status == STRIA_OK) status = stria__run_form(results, &c, bound->form);
    stria__pool_free(&c.pool);
    return status;
}

stria_status stria_bound_call(stria_results *results, const stria_bound *bound, int count,
                              const stria_arg *args, const stria_exec *exec)
{
    return stria__results_tell(results, call(results, bound, count, args, exec));
}
