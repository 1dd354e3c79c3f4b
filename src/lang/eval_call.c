/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Evaluates calls: the first row of the registry with that name whose signature takes the arguments
 * runs. Rows of one name are its overloads, so PyTorch's and NumPy's forms stand side by side.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "bind.h"
#include "eval.h"
#include "recording.h"
#include "registry.h"

struct lookup {
    const char *name;
    const stria_function *found; /* NULL if there is none. */
    /* The library whose forms are wanted (ANY: all), and one whose forms are not. */
    enum world world, passed_over;
    const struct value *receiver;
    const struct node *call; /* NULL: an attribute. */
    size_t start, end;       /* Bytes of the EXPR. */
};

static const struct node any_call = {.kind = NODE_CALL};

__attribute__((noinline)) static stria_status eval_star(struct evaluation *e,
                                                        const struct node *node, struct value *out)
{
    char text[VALUE_TEXT];
    STRIA_TRY(stria__eval_node(e, node->a, out));
    if (stria__value_is_sequence(out)) return STRIA_OK;
    return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, node->start,
                          "* wants a tuple or list, not %s", stria__value_describe(out, text));
}

/* Evaluates positional arguments, with room for all once the tuples behind * are known. */
static stria_status eval_positional(struct evaluation *e, const struct node *call,
                                    struct arguments *out)
{
    size_t room = 0, plain = 0;
    TAKE_ARRAY(struct value, values, &e->pool, call->count);
    const struct node *node = call->first;
    for (; node && node->kind != NODE_KEYWORD; node = node->next, plain++) {
        const bool star = node->kind == NODE_STAR;
        STRIA_TRY(star ? eval_star(e, node, &values[plain])
                       : stria__eval_node(e, node, &values[plain]));
        room += star ? values[plain].list.count : 1;
    }
    TAKE_TO(out->positional, &e->pool, room);
    node = call->first;
    for (size_t i = 0; i < plain; i++, node = node->next) {
        const bool star = node->kind == NODE_STAR;
        const size_t count = star ? values[i].list.count : 1;
        if (count)
            memcpy(out->positional + out->npositional, star ? values[i].list.items : &values[i],
                   count * sizeof *values);
        out->npositional += count;
    }
    return STRIA_OK;
}

static stria_status eval_arguments(struct evaluation *e, const struct node *call,
                                   struct arguments *out)
{
    if (!call) return STRIA_OK;
    STRIA_TRY(eval_positional(e, call, out));
    TAKE_TO(out->keywords, &e->pool, call->count);
    for (const struct node *node = call->first; node; node = node->next) {
        if (node->kind != NODE_KEYWORD) continue;
        struct keyword *keyword = &out->keywords[out->nkeywords++];
        keyword->name = node->text;
        keyword->at = node->start;
        STRIA_TRY(stria__eval_node(e, node->a, &keyword->value));
    }
    return STRIA_OK;
}

/* Tells whether the lookup wants this form. */
static bool is_meant(const struct form *form, const struct lookup *want)
{
    const enum world world = form->row->world;
    if (want->world != WORLD_ANY && world != WORLD_ANY && world != want->world) return false;
    if (world != WORLD_ANY && world == want->passed_over) return false;
    if (!want->call) return form->signature.attribute;
    return form->signature.self || !want->receiver;
}

/* Returns the next wanted form from *i on, or NULL after the last. */
static const struct form *next_form(const struct lookup *want, int *i)
{
    while (want->found && *i < want->found->count) {
        const struct form *const form = want->found->forms[(*i)++];
        if (is_meant(form, want)) return form;
    }
    return NULL;
}

/* Appends "; it is called as a or b". */
static void list_forms(struct failure *failure, const struct lookup *want)
{
    size_t used = strlen(failure->message);
    const char *joint = "; it is called as ";
    const struct form *form;
    for (int i = 0; used < sizeof failure->message && (form = next_form(want, &i));) {
        used += (size_t)snprintf(failure->message + used, sizeof failure->message - used, "%s%s",
                                 joint, form->row->signature);
        joint = " or ";
    }
}

__attribute__((noinline)) static stria_status unknown_op(struct evaluation *e,
                                                         const struct lookup *want, size_t at)
{
    struct lookup called = *want;
    int i = 0;
    called.call = &any_call;
    if (!want->call && next_form(&called, &i))
        return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, at, "%s is a method: write .%s(...)",
                              want->name, want->name);
    const char *const elsewhere = stria_function_elsewhere(want->name);
    if (elsewhere)
        return stria__fail_at(e->failure, STRIA_ERR_UNSUPPORTED, at,
                              "there is no op '%.60s'; write %s", want->name, elsewhere);
    char text[160];
    const char *close = stria__registry_suggest(want->name, text, sizeof text);
    const char *of = want->world == WORLD_TORCH   ? " of torch"
                     : want->world == WORLD_NUMPY ? " of np"
                                                  : "";
    return stria__fail_at(e->failure, STRIA_ERR_UNSUPPORTED, at, "there is no op '%.60s'%s%s%s%s",
                          want->name, of, close ? ", did you mean " : "", close ? close : "",
                          close ? "?" : "");
}

static bool any_form(const struct lookup *want)
{
    int i = 0;
    return next_form(want, &i) != NULL;
}

/* Tells whether x.name is a field, which numpy.recarray reads if no op has that name. */
static bool is_field(const struct lookup *want)
{
    return want->receiver && !want->call && want->receiver->kind == VALUE_ARRAY &&
           stria_record_find(want->receiver->view->dtype, want->name);
}

/* Refuses a step over more elements than the budget has time for. */
static stria_status check_elements(const struct evaluation *e, const struct form *form,
                                   const struct invocation *call)
{
    if (!e->timed || stria__form_is_views(form)) return STRIA_OK;
    double elements = 0;
    for (int i = 0; i < form->signature.count; i++) {
        const struct arg *const arg = &call->args[i];
        if (arg->view) elements += (double)stria_numel(arg->view);
        for (int64_t k = 0; arg->views && k < arg->count; k++)
            elements += (double)stria_numel(arg->views[k]);
    }
    const stria_status status = stria__budget_work(elements);
    return status == STRIA_OK ? status : stria__fail_library(e->failure, status, call->at);
}

/* Tells whether this is the last call of the EXPR and last_call runs it. */
static bool is_taken(const struct evaluation *e, const char *name, const struct node *call)
{
    return e->last_call && call && e->root->kind == NODE_CHAIN && !call->next &&
           call->end == e->root->end && (!e->last_names || stria__choice(e->last_names, name) >= 0);
}

static stria_status run_form(struct evaluation *e, const struct form *form,
                             const struct lookup *want, struct invocation *call, const char *name,
                             struct value *out)
{
    const int nargs = form->signature.count;
    const bool taken = is_taken(e, want->name, want->call);
    const struct pool_cleanup *const before = e->pool.cleanups;
    stria_array_release(&e->from);
    call->self = nargs ? call->args[0].view : NULL;
    call->copied = want->found->copied;
    call->row = form->row;
    STRIA_TRY(check_elements(e, form, call));
    /* The bound call is copied, since rows may move their arguments. */
    struct invocation *bound = NULL;
    if (e->waiting.records) STRIA_TRY(stria__record_bound(&bound, call, nargs));
    stria_status status = taken ? e->last_call(call, e->context) : form->row->run(call);
    if (status == STRIA_OK && call->copied) status = stria__call_copies(call);
    if (status == STRIA_OK && bound)
        status = stria__record_call(e->waiting.graph, form, call, bound, name);
    if (status != STRIA_OK) {
        stria_array_release(&call->out);
        return call->refused ? status : stria__fail_library(e->failure, status, call->at);
    }
    STRIA_TRY(stria__eval_result(e, call, nargs, name, want->end, out));
    if (!taken && !e->waiting.stepping && !bound) stria__pool_release(&e->pool, before);
    return STRIA_OK;
}

/* Binds the arguments to a signature; refuses them if they do not fit. */
static stria_status bind_arguments(struct invocation **out, struct evaluation *e,
                                   const struct signature *signature, const struct lookup *want,
                                   const struct arguments *given)
{
    struct invocation *call = *out = stria__pool_take(&e->pool, sizeof *call);
    TRY_MEMORY(call);
    const enum world rules = want->world == WORLD_ANY ? e->environment->rules : want->world;
    call->pool = &e->pool;
    call->failure = e->failure;
    call->at = want->start;
    call->x = e->environment->views[0].view;
    call->in_place = want->name[strlen(want->name) - 1] == '_';
    call->numpy = rules == WORLD_NUMPY;
    call->exec = e->waiting.exec;
    call->tells = e->waiting.tells;
    call->waiting = &e->waiting;
    call->name = stria__span_first(signature->names);
    return stria__bind_arguments(call->args, signature, given, &e->pool, e->failure);
}

static stria_status force_lists(struct evaluation *e, const struct value *value)
{
    return value->kind == VALUE_ARRAY ? STRIA_OK : stria__eval_force(e, value);
}

/* Computes the arrays among the arguments that may not wait, and those within lists. */
static stria_status force_arguments(struct evaluation *e, const struct arguments *given,
                                    enum may_wait waits)
{
    stria_status (*const force)(struct evaluation *, const struct value *) =
        waits == ALL_WAIT ? force_lists : stria__eval_force;
    stria_status (*const force_first)(struct evaluation *, const struct value *) =
        waits == NOTHING_WAITS ? stria__eval_force : force_lists;
    if (given->receiver) STRIA_TRY(force_first(e, given->receiver));
    for (size_t i = 0; i < given->npositional; i++)
        STRIA_TRY((i == 0 && !given->receiver ? force_first : force)(e, &given->positional[i]));
    for (size_t i = 0; i < given->nkeywords; i++)
        STRIA_TRY(force(e, &given->keywords[i].value));
    return STRIA_OK;
}

/* Keeps the failure if it tells more than earlier ones. MEMORY. */
static stria_status keep_worst(struct evaluation *e)
{
    if (!e->worst) e->worst = stria__pool_take(&e->pool, sizeof *e->worst);
    TRY_MEMORY(e->worst);
    if (stria__failure_tells_more(e->failure, e->worst)) *e->worst = *e->failure;
    return STRIA_OK;
}

/*
 * Tries the rows that let so much wait, and runs the first that takes the arguments. *found stays
 * false if none does. Before a row that may write to an array, all that waits is computed.
 */
static stria_status try_rows(struct evaluation *e, const struct lookup *want,
                             const struct arguments *given, enum may_wait waits, bool *found,
                             struct value *out)
{
    struct invocation *call;
    const struct form *form;
    bool forced = false;
    for (int i = 0; (form = next_form(want, &i));) {
        if (form->waits != waits) continue;
        if (!forced) STRIA_TRY(force_arguments(e, given, waits));
        forced = true;
        const stria_status status = bind_arguments(&call, e, &form->signature, want, given);
        if (status == STRIA_ERR_MEMORY) return status;
        if (status == STRIA_OK) {
            *found = true;
            if (waits == NOTHING_WAITS && !stria__form_is_views(form))
                STRIA_TRY(stria__wait_force_all(&e->waiting));
            return run_form(e, form, want, call, given->name, out);
        }
        STRIA_TRY(keep_worst(e));
    }
    return STRIA_OK;
}

/*
 * Calls a function: rows whose arguments may wait are tried first. If a bare name's rules are
 * NumPy's, PyTorch's forms are tried only if none of NumPy's takes the arguments.
 */
static stria_status call_row(struct evaluation *e, const struct lookup *want,
                             const struct arguments *given, struct value *out)
{
    struct lookup asked = *want;
    bool found = false;
    if (e->worst) e->worst->code = STRIA_OK;
    if (want->world == WORLD_ANY && e->environment->rules == WORLD_NUMPY)
        asked.passed_over = WORLD_TORCH;
    for (int rounds = asked.passed_over ? 2 : 1; rounds > 0 && !found; rounds--) {
        for (int waits = ALL_WAIT; waits >= NOTHING_WAITS && !found; waits--)
            STRIA_TRY(try_rows(e, &asked, given, (enum may_wait)waits, &found, out));
        asked.passed_over = WORLD_ANY;
    }
    if (found) return STRIA_OK;
    *e->failure = *e->worst;
    if (e->failure->mismatch) list_forms(e->failure, want);
    return e->failure->code;
}

stria_status stria__eval_call(struct evaluation *e, const char *name, enum world world,
                              const struct value *receiver, const struct node *node, size_t start,
                              size_t end, struct value *out)
{
    const struct lookup want = {
        name, stria_function_find(name), world, WORLD_ANY, receiver, node, start, end};
    struct arguments given = {
        .name = name, .receiver = receiver, .at = node ? node->end - 1 : start};
    const size_t mark = e->nheld;
    if (!any_form(&want) && is_field(&want)) {
        struct value field = {.kind = VALUE_STRING, .at = start};
        field.string.text = name;
        field.string.length = strlen(name);
        return stria__eval_field(e, receiver, &field, start, end, out);
    }
    if (!any_form(&want)) return unknown_op(e, &want, start);
    STRIA_TRY(eval_arguments(e, node, &given));
    if (is_taken(e, name, node)) STRIA_TRY(force_arguments(e, &given, NOTHING_WAITS));
    STRIA_TRY(call_row(e, &want, &given, out));
    stria__eval_release(e, mark, out);
    return STRIA_OK;
}

stria_status stria__eval_function(struct evaluation *e, const char *name, struct value *values,
                                  size_t count, size_t start, size_t end, struct value *out)
{
    const struct lookup want = {
        name, stria_function_find(name), WORLD_ANY, WORLD_ANY, NULL, &any_call, start, end};
    const struct arguments given = {
        .name = name, .at = start, .positional = values, .npositional = count};
    return call_row(e, &want, &given, out);
}
