/* SPDX-License-Identifier: BSD-3-Clause */
/* stria bench: how fast a case is materialized, beside memcpy and the best flat copy. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_case.h"
#include "command.h"
#include "dtype_value.h"
#include "json_out.h"
#include "report.h"

static int run_bench(int argc, char **argv);

const struct command bench_command = {
    .name = "bench",
    .summary = "throughput of copying what a chain makes, against memcpy",
    .help =
        "stria bench --shape 4096,4096 [--dtype f32] [--expr '.T'] [--threads N] [--isa NAME]\n"
        "            [--json]\n\n"
        "Makes an array, applies the chain, and measures the copy of the result into C order: the\n"
        "public call, and a plan made once and kept. memcpy and flat copies of as many bytes run\n"
        "in the same rounds, so the ratios hold on a noisy machine. The result is checked against\n"
        "plain index arithmetic before anything is timed.\n\n"
        "  --shape N,N,N   sizes of the array\n"
        "  --dtype NAME    its dtype; f32 when left out\n"
        "  --expr EXPR     the chain; one that ends in .contiguous(...) or .clone() measures that\n"
        "  --threads N     at most N threads, memcpy included; 1 when left out\n"
        "  --isa NAME      scalar, base, avx2, avx512, neon: at most this instruction set\n"
        "  --seconds S     about how long to measure; 2 when left out\n"
        "  --json          one JSON object\n\n"
        "GB/s is bytes read plus written in 10^9 per second, elements of stride 0 read once;\n"
        "ratios compare times for the same bytes written, above 1 is faster.\n",
    .letters = "h",
    .ops = true,
    .run = run_bench,
};

struct request {
    const char *shape, *dtype, *expr, *isa;
    int64_t threads, seconds;
    bool json;
};

struct results {
    struct contender contenders[BENCH_CONTENDERS];
    size_t rounds;
    int flat; /* the fastest of memcpy and the flat copies */
};

enum { MEMCPY = 0, FLATS = 3, CASE = 3, PLANNED = 4 };

static struct quartiles speed(const struct results *r, const struct bench_case *c, int i)
{
    double moved[64]; /* seconds would invert the order of the quartiles */
    const double bytes = i < FLATS ? 2.0 * (double)c->bytes : c->moved;
    for (size_t k = 0; k < r->rounds; k++)
        moved[k] = bytes * 1e-9;
    return quartiles_of_ratio(moved, r->contenders[i].seconds, r->rounds);
}

static struct quartiles ratio(const struct results *r, int of, int to)
{
    return quartiles_of_ratio(r->contenders[to].seconds, r->contenders[of].seconds, r->rounds);
}

static void find_best_flat(struct results *r)
{
    for (int i = 1; i < FLATS; i++)
        if (quartiles_of(r->contenders[i].seconds, r->rounds).median <
            quartiles_of(r->contenders[r->flat].seconds, r->rounds).median)
            r->flat = i;
}

static void print_text(const struct request *q, const struct results *r, const struct bench_case *c)
{
    char shape[400], strides[400];
    struct arena arena = {0};
    const stria_view *a = &c->source.view;
    (void)printf("%s %s, strides %s: %" PRId64 " bytes\n", dtype_text(a->dtype, &arena),
                 tuple_text(a->shape, a->ndim, shape, sizeof shape),
                 tuple_text(a->strides, a->ndim, strides, sizeof strides), c->bytes);
    (void)printf("%s on %s, %d thread%s, %zu rounds; checked\n\n", c->plan.strategy,
                 stria_isa_name(), (int)q->threads, q->threads == 1 ? "" : "s", r->rounds);
    (void)printf("%-20s %9s  %-19s %10s %10s\n", "", "GB/s", "quartiles", "x memcpy", "x flat");
    for (int i = 0; i < BENCH_CONTENDERS; i++) {
        const struct quartiles s = speed(r, c, i);
        (void)printf("%-20s %9.2f  %8.2f ..%8.2f %10.2f %10.2f\n", r->contenders[i].name, s.median,
                     s.q1, s.q3, ratio(r, i, MEMCPY).median, ratio(r, i, r->flat).median);
    }
    arena_free(&arena);
}

static json_t *json_quartiles(struct quartiles q)
{
    json_t *object = json_object();
    json_put(object, "median", json_real(q.median));
    json_put(object, "q1", json_real(q.q1));
    json_put(object, "q3", json_real(q.q3));
    return object;
}

static void print_json(const struct request *q, const struct results *r, const struct bench_case *c)
{
    const stria_view *a = &c->source.view;
    json_t *object = json_object(), *rows = json_array();
    json_put(object, "dtype", json_dtype(a->dtype));
    json_put(object, "shape", json_integers(a->shape, a->ndim));
    json_put(object, "strides", json_integers(a->strides, a->ndim));
    json_put(object, "expr", json_string(q->expr));
    json_put(object, "threads", json_integer(q->threads));
    json_put(object, "isa", json_string(stria_isa_name()));
    json_put(object, "strategy", json_string(c->plan.strategy));
    json_put(object, "bytes", json_integer(c->bytes));
    json_put(object, "bytes_moved", json_integer((json_int_t)c->moved));
    json_put(object, "rounds", json_integer((json_int_t)r->rounds));
    json_put(object, "checked", json_true());
    json_put(object, "best_flat", json_string(r->contenders[r->flat].name));
    for (int i = 0; i < BENCH_CONTENDERS; i++) {
        json_t *row = json_object();
        json_put(row, "name", json_string(r->contenders[i].name));
        json_put(row, "seconds", json_quartiles(quartiles_of(r->contenders[i].seconds, r->rounds)));
        json_put(row, "gb_per_s", json_quartiles(speed(r, c, i)));
        json_put(row, "ratio_to_memcpy", json_quartiles(ratio(r, i, MEMCPY)));
        json_put(row, "ratio_to_flat", json_quartiles(ratio(r, i, r->flat)));
        (void)json_array_append_new(rows, row);
    }
    json_put(object, "results", rows);
    json_print(object);
}

static int measure(const struct request *q, const struct array_spec *x)
{
    struct failure failure = {0};
    struct bench_case c;
    if (bench_case_make(&c, x, q->expr, (int)q->threads, &failure) != STRIA_OK)
        return report(&failure, q->expr);
    if (!bench_case_check(&c)) {
        bench_case_end(&c);
        (void)fputs("stria: the copy is wrong: this is a defect, nothing was timed\n", stderr);
        return EXIT_FAILED;
    }
    struct results r = {0};
    bench_case_contenders(&c, r.contenders);
    struct progress *progress = progress_start("measuring");
    r.rounds = time_interleaved(r.contenders, BENCH_CONTENDERS, (double)q->seconds, progress);
    progress_stop(progress);
    find_best_flat(&r);
    if (q->json)
        print_json(q, &r, &c);
    else
        print_text(q, &r, &c);
    for (int i = 0; i < BENCH_CONTENDERS; i++)
        free(r.contenders[i].seconds);
    bench_case_end(&c);
    return EXIT_OK;
}

/* Before the library is asked anything else: the level is chosen once. */
static int choose_isa(const char *isa)
{
    if (!isa) return -1;
    (void)setenv("STRIA_ISA", isa, 1);
    if (!strcmp(stria_isa_name(), isa)) return -1;
    return usage_error(&bench_command, "--isa %s is not to be had here; %s is the best below it",
                       isa, stria_isa_name());
}

static int check_request(const struct request *q, struct array_spec *x, struct arena *arena)
{
    struct failure failure = {0};
    *x = array_spec_default();
    if (!q->shape) return usage_error(&bench_command, "--shape is missing");
    x->ndim = read_integers(x->shape, STRIA_MAX_NDIM, q->shape);
    if (x->ndim < 0)
        return usage_error(&bench_command, "--shape wants integers like 4096,4096, not '%.60s'",
                           q->shape);
    if (q->dtype && dtype_text_read(&x->dtype, q->dtype, arena, &failure) != STRIA_OK)
        return usage_error(&bench_command, "--dtype: %s", failure.message);
    return choose_isa(q->isa);
}

enum { JSON = 1, SHAPE, DTYPE, EXPR, THREADS, ISA, SECONDS };

static const struct option options[] = {{"json", no_argument, NULL, JSON},
                                        {"shape", required_argument, NULL, SHAPE},
                                        {"dtype", required_argument, NULL, DTYPE},
                                        {"expr", required_argument, NULL, EXPR},
                                        {"threads", required_argument, NULL, THREADS},
                                        {"isa", required_argument, NULL, ISA},
                                        {"seconds", required_argument, NULL, SECONDS},
                                        {"help", no_argument, NULL, 'h'},
                                        {0}};

static int run_bench(int argc, char **argv)
{
    struct request q = {.expr = "", .threads = 1, .seconds = 2};
    struct array_spec x;
    for (int option; (option = next_option(argc, argv, options, &bench_command)) != -1;) {
        switch (option) {
        case JSON: q.json = true; break;
        case SHAPE: q.shape = optarg; break;
        case DTYPE: q.dtype = optarg; break;
        case EXPR: q.expr = optarg; break;
        case ISA: q.isa = optarg; break;
        case THREADS:
            if (!read_integer(&q.threads, optarg, 1, INT_MAX))
                return usage_error(&bench_command, "--threads wants a number from 1");
            break;
        case SECONDS:
            if (!read_integer(&q.seconds, optarg, 0, 3600))
                return usage_error(&bench_command, "--seconds wants a number from 0 to 3600");
            break;
        default: return option == 'h' ? EXIT_OK : EXIT_USAGE;
        }
    }
    if (optind < argc) return usage_error(&bench_command, "'%.60s' is no option", argv[optind]);
    struct arena arena = {0};
    int status = check_request(&q, &x, &arena);
    if (status < 0) status = measure(&q, &x);
    arena_free(&arena);
    return status;
}
