/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that are timed: text over x and y, which gives a view that is copied, or a computation. */
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "stria/copy.h"
#include "stria/eval.h"
#include "tune.h"

struct tune_places tune_places(const struct tuner *t, int64_t bytes)
{
    const int64_t last = t->best.l3.size > 0 ? t->best.l3.size : 8 * t->best.l2.size,
                  apart = (bytes + TUNE_APART) / TUNE_APART * TUNE_APART;
    const int64_t count = bytes > last / 8 ? t->room / apart : 1;
    return (struct tune_places){count < 1 ? 1 : count, apart, 0};
}

int64_t tune_place(struct tune_places *places)
{
    return places->next++ % places->count * places->apart;
}

struct tuned_call {
    stria_view x, y, out;
    stria_results view; /* The view that is copied. */
    /* The computation, if there is no view; both NULL: the text has no meaning. */
    stria_graph *graph;
    const char *text; /* Static text. */
    struct tune_places places;
    stria_status status; /* Status of the last run. */
};

static const stria_exec one_thread = {.threads = 1};

static stria_status shape_input(stria_view *out, stria_buffer *buffer, const char *dtype, int ndim,
                                const int64_t *shape)
{
    stria_dtype type;
    STRIA_TRY(stria_dtype_parse(&type, dtype));
    return stria_view_make(out, buffer, type, ndim, shape, NULL, 0);
}

static stria_status make_graph(struct tuned_call *c)
{
    static const char *const names[] = {"x", "y"};
    int inputs[2], node;
    STRIA_TRY(stria_graph_make(&c->graph, STRIA_PROMOTE_TORCH));
    STRIA_TRY(stria_graph_input(c->graph, &inputs[0], &c->x));
    STRIA_TRY(stria_graph_input(c->graph, &inputs[1], &c->y));
    STRIA_TRY(stria_graph_text(c->graph, &node, c->text, 2, names, inputs));
    c->out = *stria_graph_geometry(c->graph, node);
    return stria_graph_prepare(c->graph, 1, &node);
}

static stria_status make_call(struct tuned_call *c, struct tuner *t, const char *dtype, int ndim,
                              const int64_t *shape)
{
    STRIA_TRY(shape_input(&c->x, t->x, dtype, ndim, shape));
    STRIA_TRY(shape_input(&c->y, t->y, dtype, ndim, shape));
    const stria_named x = {"x", &c->x};
    if (!strpbrk(c->text, "+*y") && !strstr(c->text, "sum") && !strstr(c->text, "max")) {
        STRIA_TRY(stria_eval(&c->view, c->text, 1, &x, &one_thread));
        c->out = c->view.one.view;
    } else {
        STRIA_TRY(make_graph(c));
    }
    const stria_view like = c->out;
    const int64_t in = stria_nbytes(&c->x), out = stria_nbytes(&like);
    c->places = tune_places(t, in > out ? in : out);
    return stria_view_make(&c->out, t->out, like.dtype, like.ndim, like.shape, NULL, 0);
}

struct tuned_call *tune_call(struct tuner *t, const char *text, const char *dtype, int ndim,
                             const int64_t *shape)
{
    struct tuned_call *const c = must_malloc(sizeof *c);
    *c = (struct tuned_call){.text = text};
    c->status = make_call(c, t, dtype, ndim, shape);
    if (c->status == STRIA_OK) return c;
    tune_call_free(c);
    return NULL;
}

int64_t tune_call_bytes(const struct tuned_call *call)
{
    return stria_nbytes(&call->out);
}

void tune_call_free(struct tuned_call *call)
{
    if (!call) return;
    stria_results_release(&call->view);
    stria_graph_release(call->graph);
    free(call);
}

struct trial {
    struct tuned_call *call;
    const struct stria__machine *numbers;
};

static void run_trial(void *context)
{
    const struct trial *const trial = context;
    struct tuned_call *const c = trial->call;
    const int64_t at = tune_place(&c->places);
    stria_view out = c->out, x = c->graph ? c->x : c->view.one.view, y = c->y;
    out.data += at, x.data += at, y.data += at;
    stria__machine_use(trial->numbers);
    if (c->graph)
        c->status = stria_graph_run((const stria_view *[]){&out}, c->graph, 2,
                                    (const stria_view *[]){&x, &y}, &one_thread);
    else
        c->status = stria_copy(&out, &x, &one_thread);
}

/*
 * Times a call under several kinds of numbers. Each sample begins with a call that is not counted:
 * stores through the caches leave dirty lines, which the next call would wait for.
 */
void tune_compare(struct tuner *t, struct tuned_call *call, int count,
                  const struct stria__machine *numbers, double *seconds)
{
    struct trial trials[TIMING_MAX_CONTENDERS];
    struct contender contenders[TIMING_MAX_CONTENDERS];
    for (int i = 0; i < count; i++) {
        trials[i] = (struct trial){call, &numbers[i]};
        contenders[i] = (struct contender){call->text, run_trial, &trials[i], NULL, NULL};
    }
    const struct timed timed =
        time_interleaved(contenders, (size_t)count,
                         (struct timing){.rounds = (size_t)t->rounds, .warm = true}, NULL, NULL);
    for (int i = 0; i < count; i++) {
        seconds[i] = quartiles_of(contenders[i].seconds, timed.rounds).q1;
        free(contenders[i].seconds);
    }
    stria__machine_use(&t->best);
}
