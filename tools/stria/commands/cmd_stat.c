/* SPDX-License-Identifier: BSD-3-Clause */
/* stria stat FILE... [EXPR] */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "dtype_text.h"
#include "elements.h"
#include "json_out.h"
#include "over_files.h"
#include "report.h"
#include "statistics.h"

static int run_stat(int argc, char **argv);

static const struct option options[] = {OVER_FILES_OPTIONS, {0}};

const struct command stat_command = {
    .name = "stat",
    .summary = "count, min, max, mean, std, NaNs and a histogram of the values",
    .options = options,
    .letters = "",
    .ops = true,
    .raw = true,
    .joins = true,
    .run = run_stat,
};

/* ---- text ------------------------------------------------------------------------------------ */

static const char *number_text(double x, char text[40])
{
    (void)snprintf(text, 40, "%.6g", isnan(x) ? (double)NAN : x); /* without a sign */
    return text;
}

static const char *extreme_text(const struct statistics *s, bool most, char text[40])
{
    if (s->count == s->nans)
        (void)snprintf(text, 40, "none");
    else if (s->kind == STRIA_I64)
        (void)snprintf(text, 40, "%" PRId64, most ? s->most.i : s->least.i);
    else if (s->kind == STRIA_U64)
        (void)snprintf(text, 40, "%" PRIu64, most ? s->most.u : s->least.u);
    else
        (void)number_text(most ? s->most.f : s->least.f, text);
    return text;
}

static void print_histogram(const struct statistics *s)
{
    enum { WIDTH = 50 };
    static const char bar[] = "##################################################";
    char low[40];
    int64_t largest = 1;
    if (!s->drawn) return;
    for (int i = 0; i < STATISTICS_BINS; i++)
        if (s->bins[i] > largest) largest = s->bins[i];
    (void)putchar('\n');
    for (int i = 0; i < STATISTICS_BINS; i++) {
        const double at = s->low + (s->high / STATISTICS_BINS - s->low / STATISTICS_BINS) * i;
        const double part = (double)s->bins[i] / (double)largest * WIDTH;
        (void)printf("%12s  %-*.*s %" PRId64 "\n", number_text(at, low), WIDTH, (int)ceil(part),
                     bar, s->bins[i]);
    }
    (void)printf("%12s\n", number_text(s->high, low));
}

static void print_text(const struct over_files *o, const stria_view *a, const struct statistics *s)
{
    char text[400];
    struct pool pool = {0};
    if (o->files > 1) (void)printf("file   %s\n", source_name(o->path));
    (void)printf("array  %s %s\n", dtype_text(a->dtype, &pool),
                 tuple_text(a->shape, a->ndim, text, sizeof text));
    stria__pool_free(&pool);
    (void)printf("count  %" PRId64 "\n", s->count);
    if (s->kind == STRIA_F64)
        (void)printf("nan    %" PRId64 "\ninf    %" PRId64 "\n", s->nans, s->infinities);
    (void)printf("zeros  %" PRId64 "\n", s->zeros);
    (void)printf("min    %s\n", extreme_text(s, false, text));
    (void)printf("max    %s\n", extreme_text(s, true, text));
    (void)printf("mean   %s\n", number_text(s->mean, text));
    (void)printf("std    %s\n", number_text(s->std, text));
    print_histogram(s);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_number(double x)
{
    if (isnan(x)) return json_null();
    return isinf(x) ? json_string(x > 0 ? "inf" : "-inf") : json_real(x);
}

/* Beyond 2^63 - 1 there is no integer of JSON here. */
static json_t *json_extreme(const struct statistics *s, bool most)
{
    if (s->count == s->nans) return json_null();
    if (s->kind == STRIA_I64) return json_integer(most ? s->most.i : s->least.i);
    if (s->kind == STRIA_F64) return json_number(most ? s->most.f : s->least.f);
    const uint64_t u = most ? s->most.u : s->least.u;
    return u > INT64_MAX ? json_real((double)u) : json_integer((json_int_t)u);
}

static void print_json(const struct over_files *o, const stria_view *a, const struct statistics *s)
{
    json_t *object = json_object();
    json_put(object, "ok", json_true());
    json_put(object, "file", json_text(o->path));
    json_put(object, "dtype", json_dtype(a->dtype));
    json_put(object, "shape", json_integers(a->shape, a->ndim));
    json_put(object, "count", json_integer(s->count));
    json_put(object, "nan", json_integer(s->nans));
    json_put(object, "inf", json_integer(s->infinities));
    json_put(object, "zeros", json_integer(s->zeros));
    json_put(object, "min", json_extreme(s, false));
    json_put(object, "max", json_extreme(s, true));
    json_put(object, "mean", json_number(s->mean));
    json_put(object, "std", json_number(s->std));
    json_t *histogram = s->drawn ? json_object() : json_null();
    if (s->drawn) {
        json_put(histogram, "low", json_real(s->low));
        json_put(histogram, "high", json_real(s->high));
        json_put(histogram, "counts", json_integers(s->bins, STATISTICS_BINS));
    }
    json_put(object, "histogram", histogram);
    json_print(object);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* What an EXPR can make of elements that are no real numbers. */
static const char *what_instead(stria_dtype dtype)
{
    switch (dtype.kind) {
    case STRIA_C64:
    case STRIA_C128: return "an EXPR takes .real, .imag or .abs()";
    case STRIA_DATETIME:
    case STRIA_TIMEDELTA: return "an EXPR takes the counts of dates, .view(i64)";
    case STRIA_RECORD: return "an EXPR takes a field, ['name']";
    default: return "an EXPR takes bytes, .view(u8)";
    }
}

static stria_status stat_one(struct over_files *o, const stria_view *a, void *own,
                             struct failure *failure)
{
    struct statistics s;
    int *number = own;
    const int kind = elements_kind(a->dtype);
    if (kind < 0 || kind == STRIA_C128) {
        (void)stria__fail_request(failure, STRIA_ERR_DTYPE, "stat is of real numbers; %s",
                                  what_instead(a->dtype));
        failure->usage = false;
        return STRIA_ERR_DTYPE;
    }
    struct progress *progress = start_progress("reading");
    const stria_status status = statistics_of(&s, a, progress);
    progress_stop(progress);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    if ((*number)++ && !o->json) (void)putchar('\n');
    (o->json ? print_json : print_text)(o, a, &s);
    return STRIA_OK;
}

static int run_stat(int argc, char **argv)
{
    struct over_files o;
    int number = 0;
    over_files_start(&o, &stat_command, argc);
    for (int option; (option = next_option(argc, argv, &stat_command)) != -1;)
        if (!over_files_option(&o, option)) {
            stria__pool_free(&o.pool);
            return option == 'h' ? EXIT_OK : EXIT_USAGE;
        }
    return over_files(&o, argc, argv, stat_one, &number);
}
