/* SPDX-License-Identifier: BSD-3-Clause */
#include "over_files.h"

#include <string.h>

#include "inputs.h"
#include "terminal.h"

static stria_status evaluate_and_act(struct over_files *o, struct evaluation *e)
{
    struct progress *progress = start_progress("computing");
    e->asking = o->asks;
    e->waiting.tells = false;
    const stria_status status = stria__evaluate(e);
    progress_stop(progress);
    STRIA_TRY(status);
    o->answer = e->answer;
    if (e->answer) return o->act(o, NULL, e->failure);
    if (e->many)
        return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, 0,
                              "the EXPR gives %zu arrays; pick one with [i]", e->count);
    return o->act(o, e->outputs[0], e->failure);
}

static int one_file(struct over_files *o)
{
    struct failure failure = {0};
    struct inputs inputs = {0};
    const char *expr = o->expr ? o->expr : "";
    struct evaluation e = inputs_evaluation(expr, &inputs, &failure);
    stria_status status = load_all(&inputs, o->path, o->rules, &o->with, SOURCE_READ, &failure);
    if (status == STRIA_OK) {
        status = evaluate_and_act(o, &e);
        if (o->files > 1) failure.file = source_name(o->path);
    }
    stria__evaluation_end(&e);
    inputs_free(&inputs);
    return status == STRIA_OK ? EXIT_OK : report(&failure, expr);
}

int over_files(void *request, int argc, char **argv)
{
    struct over_files *const o = request;
    int worst = EXIT_OK, left = argc - optind;
    const char *last = left ? argv[argc - 1] : "";
    if (!o->expr && !source_is_named(last) && (left > 1 || strchr(last, '('))) {
        o->expr = last;
        left--;
    }
    struct failure failure = {0};
    const bool found = load_joined(argv + optind, &left, &failure) == STRIA_OK;
    if (!found) worst = report(&failure, NULL);
    o->files = left;
    if (left < 1 && !o->expr) worst = usage_error("FILE expected");
    for (int i = 0; found && (i < left || (!i && o->expr)); i++) {
        o->path = left ? argv[optind + i] : "";
        const int status = one_file(o);
        if (status > worst) worst = status;
        if (status == EXIT_USAGE) break; /* The other files would fail for the same reason. */
    }
    return worst;
}
