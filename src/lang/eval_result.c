/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles results of calls: who owns them, whether bytes moved, and the step that is shown. */
#include <string.h>

#include "view/array.h"
#include "eval.h"

const char *stria__outcome_name(stria_outcome outcome)
{
    static const char *const names[] = {
        [STRIA_IS_SAME] = "same", [STRIA_IS_VIEW] = "view", [STRIA_IS_COPY] = "copy"};
    return names[outcome];
}

stria_status stria__geometry_of(struct array_geometry *out, struct evaluation *e,
                                const stria_view *view)
{
    const size_t n = (size_t)view->ndim, size = n * sizeof(int64_t);
    TAKE_ARRAY(int64_t, dims, &e->pool, 2 * n);
    if (n) {
        memcpy(dims, view->shape, size);
        memcpy(dims + n, view->strides, size);
    }
    *out = (struct array_geometry){.dtype = view->dtype,
                                   .flags = view->flags,
                                   .ndim = view->ndim,
                                   .shape = dims,
                                   .strides = dims + n,
                                   .offset = stria_offset(view),
                                   .alias = stria__environment_owner(e->environment, view->buffer)};
    return STRIA_OK;
}

static stria_outcome compare(stria_outcome so_far, const stria_view *out, const stria_view *in)
{
    if (so_far == STRIA_IS_SAME || stria_same_view(out, in)) return STRIA_IS_SAME;
    return out->buffer == in->buffer ? STRIA_IS_VIEW : so_far;
}

/* Compares a result with every array among the arguments: the same view, the same memory, or
 * neither. */
static stria_outcome outcome_of(const struct invocation *call, int nargs, const stria_view *out)
{
    stria_outcome outcome = STRIA_IS_COPY;
    for (int i = 0; i < nargs; i++) {
        const struct arg *arg = &call->args[i];
        if (arg->view) outcome = compare(outcome, out, arg->view);
        for (int64_t k = 0; arg->views && k < arg->count; k++)
            outcome = compare(outcome, out, arg->views[k]);
    }
    return outcome;
}

/* Returns the only array among the arguments, or NULL. */
static const stria_view *only_array(const struct invocation *call, int nargs)
{
    const stria_view *only = NULL;
    for (int i = 0; i < nargs; i++) {
        const struct arg *arg = &call->args[i];
        if (arg->views || (arg->view && only)) return NULL;
        if (arg->view) only = arg->view;
    }
    return only;
}

static bool asks_for_c_order(const struct invocation *call, int nargs)
{
    for (int i = 0; i < nargs; i++)
        if (call->args[i].format != STRIA_ORDER_C) return false;
    return true;
}

/* Joins outcomes of a tuple: partly copied counts as copied, partly the same as a view. */
static stria_outcome join_outcomes(stria_outcome a, stria_outcome b)
{
    if (a == STRIA_IS_COPY || b == STRIA_IS_COPY) return STRIA_IS_COPY;
    return a == b ? a : STRIA_IS_VIEW;
}

/* Holds count arrays, zeroed until they are made. */
static stria_status hold_arrays(stria_array **arrays, struct evaluation *e, size_t count)
{
    if (e->nheld == e->room) {
        const size_t room = e->room ? 2 * e->room : 16;
        TAKE_ARRAY(struct held, held, &e->pool, room);
        if (e->nheld) memcpy(held, e->held, e->nheld * sizeof *held);
        e->held = held;
        e->room = room;
    }
    TAKE_TO(*arrays, &e->pool, count);
    e->held[e->nheld++] = (struct held){*arrays, count};
    return STRIA_OK;
}

static stria_status own(struct evaluation *e, struct invocation *call, stria_array **arrays,
                        size_t *count)
{
    *count = call->many ? (size_t)call->count : 1;
    if (*count > EVAL_MAX_ARRAYS - e->made)
        return stria__fail_at(e->failure, STRIA_ERR_UNSUPPORTED, call->at,
                              "one text makes at most %d arrays", EVAL_MAX_ARRAYS);
    e->made += *count;
    STRIA_TRY(hold_arrays(arrays, e, *count));
    if (!call->many) {
        **arrays = call->out.owned ? call->out : stria__array_of(&call->out.view);
        stria__wait_hold(&e->waiting, *arrays);
        return STRIA_OK;
    }
    for (size_t i = 0; i < *count; i++)
        (*arrays)[i] = stria__array_of(&call->pieces[i]);
    stria_array_release(&call->out);
    return STRIA_OK;
}

static stria_status set_value(struct evaluation *e, struct value *out, bool many,
                              const stria_array *arrays, size_t count)
{
    out->kind = many ? VALUE_TUPLE : VALUE_ARRAY;
    if (!many) {
        out->view = &arrays->view;
        return STRIA_OK;
    }
    out->list.count = count;
    TAKE_TO(out->list.items, &e->pool, count);
    for (size_t i = 0; i < count; i++) {
        out->list.items[i].kind = VALUE_ARRAY;
        out->list.items[i].at = out->at;
        out->list.items[i].view = &arrays[i].view;
    }
    return STRIA_OK;
}

stria_status stria__eval_share(struct evaluation *e, const struct value *tuple, struct value *out)
{
    const size_t count = tuple->list.count;
    stria_array *arrays;
    STRIA_TRY(hold_arrays(&arrays, e, count));
    for (size_t i = 0; i < count; i++)
        arrays[i] = stria__array_of(tuple->list.items[i].view);
    out->at = tuple->at;
    return set_value(e, out, true, arrays, count);
}

/*
 * Applies NumPy's rule for new arrays of a class: a matrix has 2 dims. With fewer dims it becomes a
 * row; with more, reshape refuses, and results of other ops lose the class.
 */
static stria_status form(stria_view *view, const char *name)
{
    const bool matrix = (view->flags & STRIA_CLASS_MASK) == STRIA_CLASS_MATRIX;
    if (!matrix || view->ndim == 2 || !strcmp(name, "index")) return STRIA_OK;
    const bool reshapes = !strcmp(name, "reshape") || !strcmp(name, "view");
    const bool stays = view->ndim < 2 || reshapes;
    return stria_view_as_class(view, view, stays ? STRIA_CLASS_MATRIX : 0);
}

stria_status stria__call_class(struct invocation *call, const char *name)
{
    if (!call->many) return form(&call->out.view, name);
    for (int64_t i = 0; i < call->count; i++)
        STRIA_TRY(form(&call->pieces[i], name));
    return STRIA_OK;
}

/* Lists the call as a step to show. */
static stria_status add_step(struct evaluation *e, const struct invocation *call, int nargs,
                             const char *name, size_t end, const stria_array *arrays, size_t count)
{
    TAKE(struct step, step, &e->pool);
    TAKE_ARRAY(struct array_geometry, outs, &e->pool, count);
    step->kind = count ? STRIA_IS_SAME : STRIA_IS_VIEW;
    for (size_t i = 0; i < count; i++) {
        STRIA_TRY(stria__geometry_of(&outs[i], e, &arrays[i].view));
        step->kind = join_outcomes(step->kind, outcome_of(call, nargs, &arrays[i].view));
    }
    step->op = stria__pool_text(&e->pool, name, strlen(name));
    TRY_MEMORY(step->op);
    step->start = call->at;
    step->end = end;
    step->many = call->many;
    step->count = count;
    step->outs = outs;
    const stria_view *from = only_array(call, nargs);
    stria_array_release(&e->from);
    if (from) {
        TAKE(stria_view, kept, &e->pool);
        *kept = *from;
        step->from = kept;
        e->from = stria__array_of(from);
    }
    step->math = call->math;
    step->folding = call->folding;
    step->how = call->how;
    step->by_rows = asks_for_c_order(call, nargs);
    if (e->last)
        e->last->next = step;
    else
        e->first = step;
    e->last = step;
    return STRIA_OK;
}

stria_status stria__eval_result(struct evaluation *e, struct invocation *call, int nargs,
                                const char *name, size_t end, struct value *out)
{
    *out = (struct value){.at = call->at};
    if (call->answers) {
        *out = call->answer;
        out->at = call->at;
        out->answered = true;
        return STRIA_OK;
    }
    stria_array *arrays = NULL;
    size_t count = 0;
    stria_status status = stria__call_class(call, name);
    if (status != STRIA_OK)
        (void)stria__fail_library(e->failure, status, call->at);
    else
        status = own(e, call, &arrays, &count);
    if (status != STRIA_OK) {
        stria_array_release(&call->out);
        return status;
    }
    STRIA_TRY(set_value(e, out, call->many, arrays, count));
    return e->unlisted ? STRIA_OK : add_step(e, call, nargs, name, end, arrays, count);
}
