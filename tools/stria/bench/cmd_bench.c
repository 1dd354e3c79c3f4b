/* SPDX-License-Identifier: BSD-3-Clause */
/* stria bench: how fast cases are materialized, beside memcpy and the best flat copy. */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_run.h"
#include "command.h"
#include "machine.h"
#include "must.h"

static int run_bench(int argc, char **argv);

enum {
    JSON = 1,
    SHAPE,
    DTYPE,
    EXPR,
    WITH,
    TO,
    FILL,
    SUITE,
    CASES,
    FILTER,
    LIST,
    REPORT,
    THREADS,
    ISA,
    REGIME,
    SECONDS,
    ROUNDS,
    LIMIT
};
static const struct option options[] = {{"json", no_argument, NULL, JSON},
                                        {"shape", required_argument, NULL, SHAPE},
                                        {"dtype", required_argument, NULL, DTYPE},
                                        {"expr", required_argument, NULL, EXPR},
                                        {"with", required_argument, NULL, WITH},
                                        {"to", required_argument, NULL, TO},
                                        {"fill", no_argument, NULL, FILL},
                                        {"suite", required_argument, NULL, SUITE},
                                        {"cases", required_argument, NULL, CASES},
                                        {"filter", required_argument, NULL, FILTER},
                                        {"list", no_argument, NULL, LIST},
                                        {"report", required_argument, NULL, REPORT},
                                        {"threads", required_argument, NULL, THREADS},
                                        {"isa", required_argument, NULL, ISA},
                                        {"regime", required_argument, NULL, REGIME},
                                        {"seconds", required_argument, NULL, SECONDS},
                                        {"rounds", required_argument, NULL, ROUNDS},
                                        {"limit", required_argument, NULL, LIMIT},
                                        {0}};

const struct command bench_command = {
    .name = "bench",
    .summary = "throughput of copies, math and reductions, against memcpy",
    .options = options,
    .letters = "",
    .unlimited = true,
    .ops = true,
    .run = run_bench,
};

/* Before the library is asked anything else: the level is chosen once. */
static int choose_isa(const char *isa)
{
    if (!isa) return -1;
    (void)setenv("STRIA_ISA", isa, 1);
    if (!strcmp(stria_isa_name(), isa)) return -1;
    return usage_error(&bench_command,
                       "--isa '%.60s' is not to be had here, where %s is the best of scalar, base, "
                       "avx2, avx512 and neon",
                       isa, stria_isa_name());
}

struct numbers {
    int64_t threads, rounds, limit;
    double seconds;
};

static int take_seconds(double *to, const char *text)
{
    char *end;
    const double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds >= 0 && seconds <= 3600))
        return usage_error(&bench_command, "--seconds wants a number from 0 to 3600, not '%.60s'",
                           text);
    *to = seconds;
    return -1;
}

/* The options that want a number: -1, or the exit status after a complaint. */
static int take_number(struct numbers *n, int option, const char *text)
{
    const struct {
        int option;
        const char *name;
        int64_t *to, low, high;
    } all[] = {{THREADS, "threads", &n->threads, 1, INT_MAX},
               {ROUNDS, "rounds", &n->rounds, 1, TIMING_MAX_ROUNDS},
               {LIMIT, "limit", &n->limit, 1, INT64_MAX}};
    if (option == SECONDS) return take_seconds(&n->seconds, text);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].option != option) continue;
        if (read_integer(all[i].to, text, all[i].low, all[i].high)) return -1;
        return usage_error(&bench_command,
                           "--%s wants a whole number from %lld to %lld, not '%.60s'", all[i].name,
                           (long long)all[i].low, (long long)all[i].high, text);
    }
    return -1;
}

static int take_suite(struct bench_request *q, const char *name, bool file)
{
    struct failure failure = {0};
    const stria_status status = file ? suite_add_file(&q->cases, name, &failure)
                                     : suite_add_named(&q->cases, name, &failure);
    if (status != STRIA_OK && file) return report_file(&failure);
    if (status != STRIA_OK) return usage_error(&bench_command, "%s", failure.message);
    q->suites = true;
    q->calls |= !file && (!strcmp(name, "small") || !strcmp(name, "all"));
    return -1;
}

static int take_array(struct suite_case *one, const char *text)
{
    int i = 0;
    while (i < BENCH_MAX_INPUTS - 1 && one->with[i])
        i++;
    if (i == BENCH_MAX_INPUTS - 1)
        return usage_error(&bench_command, "at most %d times --with", BENCH_MAX_INPUTS - 1);
    one->with[i] = text;
    return -1;
}

/* -1, or the exit status that ends the command. */
static int take_option(struct bench_request *q, struct suite_case *one, int option)
{
    switch (option) {
    case JSON: q->json = true; break;
    case SHAPE: one->shape = optarg; break;
    case DTYPE: one->dtype = optarg; break;
    case EXPR: one->expr = optarg; break;
    case WITH: return take_array(one, optarg);
    case TO: one->to = optarg; break;
    case FILL: one->fill = true; break;
    case FILTER: q->filter = optarg; break;
    case LIST: q->list = true; break;
    case REPORT:
        if (q->nreports == BENCH_MAX_REPORTS)
            return usage_error(&bench_command, "at most %d times --report", BENCH_MAX_REPORTS);
        q->reports[q->nreports++] = optarg;
        break;
    case ISA: q->isa = optarg; break;
    case SUITE: return take_suite(q, optarg, false);
    case CASES: return take_suite(q, optarg, true);
    case REGIME:
        if (regime_read(&q->settings.regime, optarg)) break;
        return usage_error(&bench_command, "--regime is hot, l3 or dram, not '%.60s'", optarg);
    case 'h': return EXIT_OK;
    case '?': return EXIT_USAGE;
    default: break;
    }
    return -1;
}

/* What is missing or does not go together: -1, or the exit status after a complaint. */
static int check_together(const struct bench_request *q, const struct suite_case *one)
{
    const bool described = one->dtype || one->expr || one->with[0] || one->to || one->fill;
    if (q->nreports && (q->suites || one->shape))
        return usage_error(&bench_command, "--report shows a file: there is nothing to measure");
    if (!one->shape && !q->suites && !q->nreports)
        return usage_error(&bench_command, "--shape is missing, or --suite, --cases or --report");
    if (one->shape && q->suites)
        return usage_error(&bench_command, "--shape is one case, --suite and --cases are others");
    if (described && !one->shape)
        return usage_error(&bench_command, "--dtype, --expr, --with, --to and --fill go with "
                                           "--shape; the cases of suites, files and reports have "
                                           "their own");
    if (q->list && q->nreports)
        return usage_error(&bench_command, "--list names cases: it has no figures to show");
    return -1;
}

static int read_options(struct bench_request *q, struct numbers *n, struct suite_case *one,
                        int argc, char **argv)
{
    for (int option; (option = next_option(argc, argv, &bench_command)) != -1;) {
        int status = take_number(n, option, optarg);
        if (status < 0) status = take_option(q, one, option);
        if (status >= 0) return status;
    }
    if (optind < argc) return usage_error(&bench_command, "'%.60s' is no option", argv[optind]);
    const int status = check_together(q, one);
    if (status >= 0) return status;
    return choose_isa(q->isa);
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

static int run_bench(int argc, char **argv)
{
    struct bench_request q = {.filter = ""};
    struct suite_case one = {.suite = "command line", .group = "one case"};
    struct numbers n = {.threads = 1, .seconds = -1};
    q.settings.command = bench_command_line(&q.cases.pool, argc, argv);
    int status = read_options(&q, &n, &one, argc, argv);
    if (status < 0) {
        q.shape = one.shape;
        if (q.shape) add_one(&q, &one);
        q.settings.threads = (int)n.threads;
        q.settings.timing.rounds = (size_t)n.rounds;
        q.settings.timing.seconds = n.seconds >= 0 ? n.seconds : q.suites ? 1 : 2;
        q.settings.timing.threads = n.threads > 1;
        q.settings.limit = n.limit;
        q.settings.planned = !q.suites;
        machine_read(&q.settings.machine);
        status = q.nreports ? bench_show(&q) : bench_run(&q);
    }
    suite_free(&q.cases);
    return status;
}
