/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_run.h"

#include "tool.h"

/* Reports "case NAME: message"; for an EXPR of the command line the place is shown. */
static int case_failed(const struct bench_request *q, const struct suite_case *c,
                       struct failure *failure)
{
    if (!q->suites) return report(failure, c->expr);
    char name[80];
    (void)snprintf(name, sizeof name, "case %.60s", c->name);
    (void)stria__fail_prefix(failure, name);
    failure->placed = false;
    return report(failure, NULL);
}

/* ---- what is measured ------------------------------------------------------------------------ */

struct run {
    struct bench_request *q;
    struct bench_layout *layouts;
    struct pool pool;
    struct progress *progress;
    size_t at;
};

/* Finds all layouts before anything is measured, so that a mistake in the last case is reported at
 * once. */
static int find_layouts(struct run *run)
{
    const struct suite_list *cases = &run->q->cases;
    run->layouts = must_take_array(&run->pool, cases->count + 1, sizeof *run->layouts);
    for (size_t i = 0; i < cases->count; i++) {
        struct failure failure = {0};
        if (bench_layout_make(&run->layouts[i], &cases->items[i], &run->q->settings, &run->pool,
                              &failure) != STRIA_OK)
            return case_failed(run->q, &cases->items[i], &failure);
    }
    return EXIT_OK;
}

static void tell_progress(double done, void *context)
{
    const struct run *run = context;
    progress_set(run->progress, (double)run->at + done, (double)run->q->cases.count);
}

static int show_measured(const struct run *run, const json_t *object)
{
    struct failure failure = {0};
    progress_clear(run->progress);
    if (bench_text_case(object, run->q->shape, &failure) != STRIA_OK) return report(&failure, NULL);
    (void)fflush(stdout);
    return EXIT_OK;
}

static int measure_cases(struct run *run, json_t *document)
{
    const struct bench_request *q = run->q;
    json_t *list = json_object_get(document, "cases");
    for (run->at = 0; run->at < q->cases.count; run->at++) {
        const struct suite_case *c = &q->cases.items[run->at];
        struct failure failure = {0};
        progress_detail(run->progress, c->name);
        json_t *object =
            bench_measure(c, &run->layouts[run->at], &q->settings, tell_progress, run, &failure);
        if (!object) return case_failed(q, c, &failure);
        (void)json_array_append_new(list, object);
        if (!q->json && show_measured(run, object) != EXIT_OK) return EXIT_FAILED;
    }
    if (q->calls) json_put(document, "calls", bench_measure_calls(&q->settings, q->filter));
    return EXIT_OK;
}

/* ---- what is shown --------------------------------------------------------------------------- */

static int show_document(const struct bench_request *q, json_t *document)
{
    struct failure failure = {0};
    json_t *groups = NULL;
    const stria_status status = q->json
                                    ? bench_groups(&groups, document, &failure)
                                    : bench_text_document(document, q->reports.count > 0, &failure);
    if (status != STRIA_OK) return report_file(&failure);
    if (!q->json) return EXIT_OK;
    json_put(document, "groups", groups);
    json_t *const told =
        q->shape ? json_array_get(json_object_get(document, "cases"), 0) : document;
    json_put(told, "ok", json_true());
    json_print(json_incref(told));
    return EXIT_OK;
}

static int list_cases(const struct run *run, json_t *document)
{
    json_t *list = json_object_get(document, "cases");
    for (size_t i = 0; i < run->q->cases.count; i++) {
        const struct suite_case *c = &run->q->cases.items[i];
        if (run->q->json)
            (void)json_array_append_new(
                list, bench_describe(c, &run->layouts[i], &run->q->settings.machine));
        else
            (void)printf("%-10s %-32s %-36s %s %s %s%s%s%s\n", c->suite, c->group, c->name,
                         c->dtype, c->shape, c->expr, c->to ? " to " : "", c->to ? c->to : "",
                         c->fill ? " fill" : "");
    }
    if (!run->q->json) return EXIT_OK;
    json_put(document, "ok", json_true());
    json_print(json_incref(document));
    return EXIT_OK;
}

static int measure_and_show(struct run *run, json_t *document)
{
    if (!run->q->json && !run->q->shape) bench_text_head();
    run->progress = progress_start("measuring");
    const int status = measure_cases(run, document);
    progress_stop(run->progress);
    return status == EXIT_OK ? show_document(run->q, document) : status;
}

static bool has_contraction(const struct run *run)
{
    bool found = false;
    for (size_t i = 0; i < run->q->cases.count; i++)
        found |= bench_contracts(&run->layouts[i]);
    return found;
}

int bench_run(struct bench_request *q)
{
    struct run run = {.q = q};
    suite_filter(&q->cases, q->filter);
    if (!q->cases.count && !(q->calls && bench_has_call(q->filter)))
        return usage_error("no case has '%.60s' in its suite, group or name", q->filter);
    int status = find_layouts(&run);
    if (status == EXIT_OK) {
        json_t *document = bench_document(&q->settings);
        if (!q->list && has_contraction(&run)) bench_put_blas(document);
        status = q->list ? list_cases(&run, document) : measure_and_show(&run, document);
        json_decref(document);
    }
    stria__pool_free(&run.pool);
    return status;
}

/* ---- stored documents ------------------------------------------------------------------------ */

static json_t *load_document(const char *path)
{
    json_t *document = NULL;
    struct failure failure = {0};
    if (json_read(&document, path, &failure) != STRIA_OK) (void)report_file(&failure);
    return document;
}

static bool same_case(const json_t *a, const json_t *b)
{
    return json_equal(json_object_get(a, "suite"), json_object_get(b, "suite")) &&
           json_equal(json_object_get(a, "name"), json_object_get(b, "name"));
}

/* Adds cases; a case that was measured again replaces the older one. */
static void merge_cases(json_t *into, const json_t *from)
{
    size_t i;
    json_t *object;
    json_array_foreach(from, i, object)
    {
        size_t at = 0;
        while (at < json_array_size(into) && !same_case(json_array_get(into, at), object))
            at++;
        if (at < json_array_size(into))
            (void)json_array_set(into, at, object);
        else
            (void)json_array_append(into, object);
    }
}

/* Adds the origin that both reports name: once, or one after the other. */
static void merge_origin(json_t *into, const json_t *from, const char *member, const char *between)
{
    const char *a = json_string_value(json_object_get(into, member));
    const char *b = json_string_value(json_object_get(from, member));
    if (a && b && strcmp(a, b) != 0) json_put(into, member, json_sprintf("%s%s%s", a, between, b));
}

/* Merges documents of one machine and one setting; others are refused. */
static bool merge_documents(json_t *into, const json_t *from, const char *path)
{
    static const char *const parts[] = {"isa", "threads", "regime"};
    json_t *a = json_object_get(into, "settings");
    const json_t *b = json_object_get(from, "settings");
    bool same = json_equal(json_object_get(into, "machine"), json_object_get(from, "machine"));
    for (int i = 0; i < 3; i++)
        same = same && json_equal(json_object_get(a, parts[i]), json_object_get(b, parts[i]));
    if (!same) {
        (void)usage_error("--report %.200s: another machine, isa, regime or number of threads than "
                          "the first",
                          path);
        return false;
    }
    merge_origin(a, b, "command", "; ");
    merge_origin(json_object_get(into, "versions"), json_object_get(from, "versions"), "commit",
                 ", ");
    merge_cases(json_object_get(into, "cases"), json_object_get(from, "cases"));
    json_t *calls = json_object_get(from, "calls");
    if (calls) json_put(into, "calls", json_incref(calls));
    return true;
}

int bench_show(const struct bench_request *q)
{
    json_t *document = load_document(q->reports.items[0]);
    int status = document ? EXIT_OK : EXIT_FAILED;
    for (size_t i = 1; i < q->reports.count && status == EXIT_OK; i++) {
        json_t *other = load_document(q->reports.items[i]);
        if (!other)
            status = EXIT_FAILED;
        else if (!merge_documents(document, other, q->reports.items[i]))
            status = EXIT_USAGE;
        json_decref(other);
    }
    if (status == EXIT_OK) status = show_document(q, document);
    json_decref(document);
    return status;
}
