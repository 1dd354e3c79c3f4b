/* SPDX-License-Identifier: BSD-3-Clause */
/* stria stat FILE... [EXPR] */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "elements.h"
#include "inputs.h"
#include "json.h"
#include "must.h"
#include "over_files.h"
#include "report.h"
#include "terminal.h"

enum { STATISTICS_BINS = 20 };

struct statistics {
    int64_t count, nans, infinities, zeros;
    stria_kind kind; /* of least and most: I64, U64 or F64 */
    union {
        int64_t i;
        uint64_t u;
        double f;
    } least, most;    /* of what is no NaN; without meaning where there is nothing else */
    double mean, std; /* of the same, the whole population: NumPy's ddof=0 */
    double low, high; /* of finite numbers: the ends of the histogram */
    bool drawn;       /* there are finite numbers */
    int64_t bins[STATISTICS_BINS];
};

/*
 * Mean and variance are those of blocks, each computed in two passes over numbers that lie in the
 * cache, and joined by the formula of Chan, Golub and LeVeque (1983): exact to rounding whatever
 * the mean is beside the deviation.
 */
struct moments {
    double count, mean, squares; /* squares: the sum of those of the differences from the mean */
};

static void join(struct moments *all, const struct moments *block)
{
    if (block->count == 0) return;
    const double count = all->count + block->count, apart = block->mean - all->mean;
    all->squares += block->squares + apart * apart * all->count * block->count / count;
    all->mean += apart * block->count / count;
    all->count = count;
}

/* Four sums side by side: one alone waits for each addition. */
static double sum(const double *x, int64_t n)
{
    double s[4] = {0};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            s[k] += x[i + k];
    for (; i < n; i++)
        s[0] += x[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static double sum_of_squares(const double *x, int64_t n, double mean)
{
    double s[4] = {0};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            s[k] += (x[i + k] - mean) * (x[i + k] - mean);
    for (; i < n; i++)
        s[0] += (x[i] - mean) * (x[i] - mean);
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static void add_numbers(struct moments *all, const double *x, int64_t n)
{
    struct moments block = {(double)n, 0, 0};
    if (n == 0) return;
    block.mean = sum(x, n) / (double)n;
    block.squares = sum_of_squares(x, n, block.mean);
    join(all, &block);
}

/* ---- the kinds: each leaves the numbers that count in f, as f64 ------------------------------ */

static int64_t take_signed(struct statistics *s, const int64_t *x, int64_t n, double *f)
{
    for (int64_t i = 0; i < n; i++) {
        if (x[i] < s->least.i) s->least.i = x[i];
        if (x[i] > s->most.i) s->most.i = x[i];
        s->zeros += x[i] == 0;
        f[i] = (double)x[i];
    }
    return n;
}

static int64_t take_unsigned(struct statistics *s, const uint64_t *x, int64_t n, double *f)
{
    for (int64_t i = 0; i < n; i++) {
        if (x[i] < s->least.u) s->least.u = x[i];
        if (x[i] > s->most.u) s->most.u = x[i];
        s->zeros += x[i] == 0;
        f[i] = (double)x[i];
    }
    return n;
}

static int64_t take_floats(struct statistics *s, const double *x, int64_t n, double *f)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        f[kept] = x[i];
        kept += x[i] == x[i];
        s->infinities += isinf(x[i]) != 0;
        s->zeros += x[i] == 0;
    }
    for (int64_t i = 0; i < kept; i++) {
        if (f[i] < s->least.f) s->least.f = f[i];
        if (f[i] > s->most.f) s->most.f = f[i];
        if (isinf(f[i])) continue;
        if (f[i] < s->low) s->low = f[i];
        if (f[i] > s->high) s->high = f[i];
    }
    s->nans += n - kept;
    return kept;
}

static int64_t take(struct statistics *s, const void *x, int64_t n, double *f)
{
    switch (s->kind) {
    case STRIA_I64: return take_signed(s, x, n, f);
    case STRIA_U64: return take_unsigned(s, x, n, f);
    default: return take_floats(s, x, n, f);
    }
}

static void start(struct statistics *s, stria_kind kind)
{
    *s = (struct statistics){.kind = kind, .low = INFINITY, .high = -INFINITY};
    if (kind == STRIA_I64) {
        s->least.i = INT64_MAX;
        s->most.i = INT64_MIN;
    } else if (kind == STRIA_U64) {
        s->least.u = UINT64_MAX;
    } else {
        s->least.f = INFINITY;
        s->most.f = -INFINITY;
    }
}

/* ---- passes ---------------------------------------------------------------------------------- */

struct pass {
    const stria_view *a;
    struct elements elements;
    struct progress *progress;
    double *f;
    int64_t done, all;
};

static stria_status next_block(struct pass *p, const struct tiles *tiles, const void **x,
                               int64_t *n)
{
    STRIA_TRY(elements_read(&p->elements, p->a, tiles, x, n));
    p->done += *n;
    if (p->all) progress_set(p->progress, (int)((double)p->done / (double)p->all * 1000));
    return STRIA_OK;
}

static stria_status measure(struct statistics *s, struct pass *p)
{
    struct moments all = {0};
    struct tiles tiles;
    elements_tiles(&tiles, p->a, p->a);
    do {
        const void *x;
        int64_t n;
        STRIA_TRY(next_block(p, &tiles, &x, &n));
        s->count += n;
        add_numbers(&all, p->f, take(s, x, n, p->f));
    } while (tiles_next(&tiles));
    s->mean = all.count > 0 ? all.mean : NAN;
    s->std = all.count > 0 ? sqrt(all.squares / all.count) : NAN;
    if (s->kind == STRIA_I64) {
        s->low = (double)s->least.i;
        s->high = (double)s->most.i;
    } else if (s->kind == STRIA_U64) {
        s->low = (double)s->least.u;
        s->high = (double)s->most.u;
    }
    s->drawn = s->count > 0 && s->low <= s->high;
    return STRIA_OK;
}

/* Equal bins from low to high; the last one has both of its ends, as in numpy.histogram. */
static void count_in_bins(struct statistics *s, const double *x, int64_t n)
{
    const double width = s->high / STATISTICS_BINS - s->low / STATISTICS_BINS;
    for (int64_t i = 0; i < n; i++) {
        if (isinf(x[i])) continue;
        const double at = width > 0 ? (x[i] - s->low) / width : 0;
        s->bins[at < STATISTICS_BINS ? (int)at : STATISTICS_BINS - 1]++;
    }
}

static stria_status draw(struct statistics *s, struct pass *p)
{
    struct statistics ignored;
    struct tiles tiles;
    start(&ignored, s->kind);
    elements_tiles(&tiles, p->a, p->a);
    do {
        const void *x;
        int64_t n;
        STRIA_TRY(next_block(p, &tiles, &x, &n));
        count_in_bins(s, p->f, take(&ignored, x, n, p->f));
    } while (tiles_next(&tiles));
    return STRIA_OK;
}

static stria_status statistics_of(struct statistics *out, const stria_view *a,
                                  struct progress *progress)
{
    struct pass p = {.a = a, .progress = progress, .all = 2 * stria_numel(a)};
    start(out, (stria_kind)elements_kind(a->dtype));
    STRIA_TRY(elements_open(&p.elements, a->dtype));
    p.f = must_malloc(ELEMENTS_BLOCK * sizeof *p.f);
    stria_status status = measure(out, &p);
    if (status == STRIA_OK && out->drawn) status = draw(out, &p);
    free(p.f);
    stria_array_release(&p.elements.room);
    return status;
}

static int run_stat(int argc, char **argv);

static const struct flag flags[] = {OVER_FILES_FLAGS, {0}};

const struct command stat_command = {
    .name = "stat",
    .summary = "count, min, max, mean, std, NaNs and a histogram of the values",
    .flags = flags,
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

static stria_status stat_one(struct over_files *o, const stria_view *a, struct failure *failure)
{
    struct statistics s;
    static bool again;
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
    if (again && !o->json) (void)putchar('\n');
    again = true;
    (o->json ? print_json : print_text)(o, a, &s);
    return STRIA_OK;
}

static int run_stat(int argc, char **argv)
{
    struct over_files o = {.act = stat_one};
    const int status = read_options(&stat_command, &o, argc, argv);
    return status >= 0 ? status : over_files(&o, argc, argv);
}
