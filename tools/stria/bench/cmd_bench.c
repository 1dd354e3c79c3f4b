/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria bench: how fast cases are materialized, beside memcpy and the best flat
 * copy. */
#include <limits.h>

#include "bench_run.h"
#include "host.h"
#include "system.h"
#include "tool.h"

/* The options that do not go directly into the request. */
struct given {
    struct bench_request q;
    struct suite_case one;
    struct texts with, reports;
    int64_t threads, rounds;
    double seconds;
    int regime;
};

static int take_suite(void *request, const char *name)
{
    struct bench_request *const q = &((struct given *)request)->q;
    struct failure failure = {0};
    if (suite_add_named(&q->cases, name, &failure) != STRIA_OK)
        return usage_error("%s", failure.message);
    q->suites = true;
    q->calls |= !strcmp(name, "small") || !strcmp(name, "all");
    return -1;
}

static int take_cases(void *request, const char *name)
{
    struct bench_request *const q = &((struct given *)request)->q;
    struct failure failure = {0};
    q->suites = true;
    return suite_add_file(&q->cases, name, &failure) == STRIA_OK ? -1 : report_file(&failure);
}

#define TO(member) offsetof(struct given, member)
static const struct flag flags[] = {
    {.name = "json", .kind = FLAG_TRUE, .to = TO(q.json)},
    {.name = "shape", .kind = FLAG_TEXT, .to = TO(one.shape)},
    {.name = "dtype", .kind = FLAG_TEXT, .to = TO(one.dtype)},
    {.name = "expr", .kind = FLAG_TEXT, .to = TO(one.expr)},
    {.name = "with", .kind = FLAG_LIST, .to = TO(with)},
    {.name = "to", .kind = FLAG_TEXT, .to = TO(one.to)},
    {.name = "fill", .kind = FLAG_TRUE, .to = TO(one.fill)},
    {.name = "suite", .kind = FLAG_CALL, .take = take_suite, .words = SUITE_NAMES " all"},
    {.name = "cases", .kind = FLAG_CALL, .take = take_cases},
    {.name = "filter", .kind = FLAG_TEXT, .to = TO(q.filter)},
    {.name = "list", .kind = FLAG_TRUE, .to = TO(q.list)},
    {.name = "report", .kind = FLAG_LIST, .to = TO(reports)},
    {.name = "threads", .kind = FLAG_NUMBER, .to = TO(threads), .low = 1, .high = INT_MAX},
    {.name = "isa", .kind = FLAG_TEXT, .to = TO(q.isa), .words = "scalar base avx2 avx512 neon"},
    {.name = "regime", .kind = FLAG_WORD, .to = TO(regime), .words = "hot l3 dram"},
    {.name = "seconds", .kind = FLAG_REAL, .to = TO(seconds), .high = 3600},
    {.name = "rounds", .kind = FLAG_NUMBER, .to = TO(rounds), .low = 1, .high = TIMING_MAX_ROUNDS},
    {.name = "limit", .kind = FLAG_NUMBER, .to = TO(q.settings.limit), .low = 1, .high = INT64_MAX},
    {0}};

/* Chooses the instruction set, before anything else of the library is called: the level is chosen
 * once. */
static int choose_isa(const char *isa)
{
    if (!isa) return -1;
    system_setenv("STRIA_ISA", isa);
    if (!strcmp(stria_isa_name(), isa)) return -1;
    return usage_error("--isa '%.60s' is not to be had here, where %s is the best of scalar, base, "
                       "avx2, avx512 and neon",
                       isa, stria_isa_name());
}

/* Checks that the options are complete and go together. Returns -1, or the exit status after a
 * complaint. */
static int check_request(struct given *g, const char *rest)
{
    const struct bench_request *const q = &g->q;
    struct suite_case *const one = &g->one;
    const bool described = one->dtype || one->expr || g->with.count || one->to || one->fill;
    if (rest) return usage_error("'%.60s' is no option", rest);
    if (g->with.count >= BENCH_MAX_INPUTS)
        return usage_error("at most %d times --with", BENCH_MAX_INPUTS - 1);
    for (size_t i = 0; i < g->with.count; i++)
        one->with[i] = g->with.items[i];
    if (g->reports.count && (q->suites || one->shape))
        return usage_error("--report shows a file: there is nothing to measure");
    if (!one->shape && !q->suites && !g->reports.count)
        return usage_error("--shape is missing, or --suite, --cases or --report");
    if (one->shape && q->suites)
        return usage_error("--shape is one case, --suite and --cases are others");
    if (described && !one->shape)
        return usage_error("--dtype, --expr, --with, --to and --fill go with "
                           "--shape; the cases of suites, files and reports have "
                           "their own");
    if (q->list && g->reports.count)
        return usage_error("--list names cases: it has no figures to show");
    return -1;
}

static void add_one(struct bench_request *q, struct suite_case *one)
{
    char name[200];
    if (!one->dtype) one->dtype = "f32";
    if (!one->expr) one->expr = "";
    const int length =
        snprintf(name, sizeof name, "%.20s %.60s %.80s", one->dtype, one->shape, one->expr);
    one->name = must_text(&q->cases.pool, name, (size_t)length);
    suite_add(&q->cases, *one);
}

/* The command line is told as it was, before its options are read, which reorders it. */
static void prepare_bench(void *request, int argc, char **argv)
{
    struct given *const g = request;
    g->q.settings.command = bench_command_line(&common.pool, argc, argv);
}

static int run_bench(void *request, int argc, char **argv)
{
    struct given *const g = request;
    struct bench_request *const q = &g->q;
    (void)argc;
    int status = check_request(g, argv[optind]);
    if (status < 0) status = choose_isa(q->isa);
    if (status < 0) {
        q->shape = g->one.shape;
        if (q->shape) add_one(q, &g->one);
        q->reports = g->reports;
        q->settings.threads = (int)g->threads;
        q->settings.regime = (enum regime)g->regime;
        q->settings.timing.rounds = (size_t)g->rounds;
        q->settings.timing.seconds = g->seconds >= 0 ? g->seconds : q->suites ? 1 : 2;
        q->settings.timing.threads = g->threads > 1;
        q->settings.planned = !q->suites;
        machine_read(&q->settings.machine);
        status = q->reports.count ? bench_show(q) : bench_run(q);
    }
    suite_free(&q->cases);
    return status;
}

const struct command bench_command = {
    .name = "bench",
    .summary = "throughput of copies, math and reductions, against memcpy",
    .flags = flags,
    .unlimited = true,
    .ops = true,
    .size = sizeof(struct given),
    .usual = &(const struct given){.q = {.filter = ""},
                                   .one = {.suite = "command line", .group = "one case"},
                                   .threads = 1,
                                   .seconds = -1},
    .prepare = prepare_bench,
    .run = run_bench,
};
