/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text over views at inaccessible pages: any bytes, and words of the language in an order that
 * often means something. What is refused has a message and a column within the text, and leaves the
 * results as they were; prepared text gives the same, twice; a view by stria_eval_view is the view
 * that stria_eval gives. Memory and time are bounded by a budget.
 */
#include "guarded_views.h"
#include "text_grammar.h"

enum { MOST = 400 };

static void take_text(struct input *in, char *out)
{
    size_t length = 0;
    if (take_once(in, 16)) {
        while (in->left > 100 && length < MOST - 1) {
            const int byte = take_below(in, 256);
            out[length++] = (char)(byte ? byte : 1);
        }
        out[length] = 0;
        return;
    }
    length = put_text_value(in, out, MOST, 0);
    /* One byte is replaced by another, or by 0. */
    if (length && take_once(in, 6))
        out[(size_t)take_below(in, 256) % length] = (char)(1 + take_below(in, 127));
    else if (length > 2 && take_once(in, 12))
        out[(size_t)take_below(in, 256) % length] = 0;
}

static const stria_budget budget = {.bytes = 8 << 20, .seconds = 5};

static void check_refusal(const char *text)
{
    MUST(stria_last_error()[0] != 0, text);
    MUST(stria_eval_column() <= strlen(text) + 1, text);
    if (!stria_eval_column()) return;
    size_t column = 0;
    int begin = 0;
    const char *const message = stria_last_error();
    MUST(sscanf(message, "column %zu: %n", &column, &begin) == 1, text);
    MUST(column == stria_eval_column() && strncmp(message + begin, "column ", 7) != 0, message);
}

/*
 * Evaluates prepared text twice and, where memory and time are bounded enough, three times without
 * a budget, the last time as a graph.
 */
static void check_prepared(const struct guarded_views *g, const char *text, stria_status status,
                           const stria_results *wanted, const stria_exec *exec)
{
    const stria_view *views[GUARDED_VIEWS];
    stria_prepared *prepared = NULL;
    const stria_status read = stria_prepare(&prepared, text, GUARDED_VIEWS, text_names);
    MUST((read == STRIA_OK) == (prepared != NULL), text);
    MUST(read == STRIA_OK || status == read, text);
    if (!prepared) {
        check_refusal(text);
        return;
    }
    for (int i = 0; i < GUARDED_VIEWS; i++)
        views[i] = &g->views[i];
    for (int time = 0; time < (status == STRIA_OK ? 5 : 2); time++) {
        stria_results r = {0};
        refill_views(g);
        stria_exec how = *exec;
        if (time >= 2) how.budget = NULL;
        MUST(stria_prepared_run(&r, prepared, GUARDED_VIEWS, views, &how) == status, text);
        if (status == STRIA_OK) {
            check_results(&r, text);
            if (!strstr(text, "empty") && !strstr(text, "rand") && !strstr(text, "normal") &&
                !strstr(text, "uniform"))
                MUST(results_are_equal(&r, wanted), text);
        }
        stria_results_release(&r);
    }
    stria_prepared_release(prepared);
}

static void check_view(const struct guarded_views *g, const char *text, const stria_named *named,
                       stria_status status, const stria_results *wanted)
{
    stria_view view;
    view.data = NULL;
    refill_views(g);
    const stria_status made = stria_eval_view(&view, text, GUARDED_VIEWS, named);
    MUST(views_are_as_filled(g), text);
    if (made != STRIA_OK) {
        MUST(view.data == NULL, text);
        check_refusal(text);
        return;
    }
    const stria_view *const a = &wanted->one.view;
    MUST(status == STRIA_OK && !wanted->several && wanted->count == 1, text);
    MUST(a->data == view.data && a->ndim == view.ndim, text);
    MUST(!memcmp(a->shape, view.shape, (size_t)view.ndim * sizeof *view.shape), text);
    MUST(!memcmp(a->strides, view.strides, (size_t)view.ndim * sizeof *view.strides), text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[MOST + 1];
    static struct guarded_views g;
    struct input in = {data, size};
    const stria_exec exec = {
        .hints = take_once(&in, 2) ? STRIA_PROMOTE_AS_NUMPY : 0, .threads = 1, .budget = &budget};
    stria_named named[GUARDED_VIEWS];
    stria_results r = {0};
    take_views(&g, &in);
    take_text(&in, text);
    for (int i = 0; i < GUARDED_VIEWS; i++)
        named[i] = (stria_named){text_names[i], &g.views[i]};
    const stria_status status = stria_eval(&r, text, GUARDED_VIEWS, named, &exec);
    if (status == STRIA_OK) {
        check_results(&r, text);
    } else {
        MUST(r.count == 0 && !r.answers, text);
        check_refusal(text);
    }
    if (exec.hints == 0) check_view(&g, text, named, status, &r);
    check_prepared(&g, text, status, &r, &exec);
    stria_results_release(&r);
    return 0;
}
