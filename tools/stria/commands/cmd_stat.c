/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria stat FILE... [EXPR]. */
#include <math.h>

#include "elements.h"
#include "over_files.h"
#include "stria/exact.h"
#include "tool.h"

enum { STATISTICS_BINS = 20 };

struct statistics {
    int64_t count, nans, infinities, zeros;
    stria_kind kind; /* Kind of least and most: I64, U64 or F64. */
    union number {
        int64_t i;
        uint64_t u;
        double f;
    } least, most;    /* Extremes except NaN; without meaning if there are only NaN. */
    double mean, std; /* Mean and deviation except NaN, of the whole population: NumPy's ddof=0. */
    double low, high; /* Ends of the histogram, which has finite numbers. */
    bool drawn;       /* There are finite numbers. */
    int64_t bins[STATISTICS_BINS];
};

struct pass {
    const stria_view *a;
    struct elements elements;
    struct progress *progress;
    int64_t done, all;
    stria_exact *moments, *extremes; /* States of all elements except NaN. */
};

/* ---- a block --------------------------------------------------------------------------------- */

static stria_status next_block(struct pass *p, const struct tiles *tiles, void **x, int64_t *n)
{
    STRIA_TRY(elements_read(&p->elements, p->a, tiles, x, n));
    p->done += *n;
    progress_set(p->progress, (double)p->done, (double)p->all);
    return STRIA_OK;
}

/* Moves the elements that are not NaN to the front; returns their number. */
static int64_t take_floats(struct statistics *s, double *x, int64_t n)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        const double f = x[i];
        x[kept] = f;
        kept += f == f;
        s->infinities += isinf(f) != 0;
        s->zeros += f == 0;
        if (f < s->low && isfinite(f)) s->low = f;
        if (f > s->high && isfinite(f)) s->high = f;
    }
    s->nans += n - kept;
    return kept;
}

static stria_status take_block(struct statistics *s, const struct pass *p, void *x, int64_t n)
{
    const bool floats = s->kind == STRIA_F64;
    const int64_t kept = floats ? take_floats(s, x, n) : n;
    const stria_exec exec = {.threads = 1};
    stria_view numbers;
    for (int64_t i = 0; i < n && !floats; i++)
        s->zeros += ((const uint64_t *)x)[i] == 0;
    s->count += n;
    STRIA_TRY(stria_view_foreign(&numbers, x, stria_dtype_of(s->kind), 1, &kept, NULL, 0));
    STRIA_TRY(stria_exact_add(p->moments, &numbers, &exec));
    return stria_exact_add(p->extremes, &numbers, &exec);
}

/* ---- passes ---------------------------------------------------------------------------------- */

static stria_status round_to(void *to, stria_kind kind, const stria_exact *state,
                             stria_reduction what)
{
    stria_view view;
    STRIA_TRY(stria_view_foreign(&view, to, stria_dtype_of(kind), 0, NULL, NULL, 0));
    return stria_exact_result(&view, state, what, 0);
}

static stria_status find_results(struct statistics *s, const struct pass *p)
{
    s->mean = s->std = NAN;
    if (s->count == s->nans) return STRIA_OK;
    STRIA_TRY(round_to(&s->mean, STRIA_F64, p->moments, STRIA_MEAN));
    STRIA_TRY(round_to(&s->std, STRIA_F64, p->moments, STRIA_STD));
    STRIA_TRY(round_to(&s->least, s->kind, p->extremes, STRIA_MIN));
    STRIA_TRY(round_to(&s->most, s->kind, p->extremes, STRIA_MAX));
    if (s->kind != STRIA_F64) {
        STRIA_TRY(round_to(&s->low, STRIA_F64, p->extremes, STRIA_MIN));
        STRIA_TRY(round_to(&s->high, STRIA_F64, p->extremes, STRIA_MAX));
    }
    s->drawn = s->low <= s->high;
    return STRIA_OK;
}

static stria_status measure_moments(struct statistics *s, struct pass *p)
{
    struct tiles tiles;
    STRIA_TRY(stria_exact_make(&p->moments, STRIA_EXACT_MOMENTS, NULL));
    STRIA_TRY(stria_exact_make(&p->extremes, STRIA_EXACT_EXTREMES, NULL));
    elements_tiles(&tiles, p->a, p->a);
    do {
        void *x;
        int64_t n;
        STRIA_TRY(next_block(p, &tiles, &x, &n));
        STRIA_TRY(take_block(s, p, x, n));
    } while (tiles_next(&tiles));
    return find_results(s, p);
}

/* Counts in equal bins from low to high; the last one has both of its ends, as in
 * numpy.histogram. */
static void count_in_bins(struct statistics *s, const void *x, int64_t n)
{
    const double width = s->high / STATISTICS_BINS - s->low / STATISTICS_BINS;
    for (int64_t i = 0; i < n; i++) {
        const double f = s->kind == STRIA_I64   ? (double)((const int64_t *)x)[i]
                         : s->kind == STRIA_U64 ? (double)((const uint64_t *)x)[i]
                                                : ((const double *)x)[i];
        if (!isfinite(f)) continue;
        const double at = width > 0 ? (f - s->low) / width : 0;
        s->bins[at < STATISTICS_BINS ? (int)at : STATISTICS_BINS - 1]++;
    }
}

static stria_status draw_histogram(struct statistics *s, struct pass *p)
{
    struct tiles tiles;
    elements_tiles(&tiles, p->a, p->a);
    do {
        void *x;
        int64_t n;
        STRIA_TRY(next_block(p, &tiles, &x, &n));
        count_in_bins(s, x, n);
    } while (tiles_next(&tiles));
    return STRIA_OK;
}

static stria_status statistics_of(struct statistics *out, const stria_view *a,
                                  struct progress *progress)
{
    struct pass p = {.a = a, .progress = progress, .all = 2 * stria_numel(a)};
    *out = (struct statistics){.kind = (stria_kind)elements_kind(a->dtype)};
    out->low = (double)INFINITY;
    out->high = (double)-INFINITY;
    STRIA_TRY(elements_open(&p.elements, a->dtype));
    stria_status status = measure_moments(out, &p);
    if (status == STRIA_OK && out->drawn) status = draw_histogram(out, &p);
    stria_exact_release(p.moments);
    stria_exact_release(p.extremes);
    stria_array_release(&p.elements.room);
    return status;
}

static const struct flag flags[] = {OVER_FILES_FLAGS, {0}};

/* ---- text ------------------------------------------------------------------------------------ */

static const char *number_text(double x, char text[40])
{
    /* A NaN is printed without a sign. */
    (void)snprintf(text, 40, "%.6g", isnan(x) ? (double)NAN : x);
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
    if (o->files > 1) (void)printf("file   %s\n", source_name(o->path));
    (void)printf("array  %s %s\n", dtype_text(a->dtype, &common.pool),
                 tuple_text(a->shape, a->ndim, text, sizeof text));
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

/* Makes an extreme as JSON, which has no integers beyond 2^63 - 1 here. */
static json_t *json_extreme(const struct statistics *s, bool most)
{
    if (s->count == s->nans) return json_null();
    if (s->kind == STRIA_I64) return json_integer(most ? s->most.i : s->least.i);
    if (s->kind == STRIA_F64) return json_float(most ? s->most.f : s->least.f);
    const uint64_t u = most ? s->most.u : s->least.u;
    return u > INT64_MAX ? json_real((double)u) : json_integer((json_int_t)u);
}

static void print_json(const struct over_files *o, const stria_view *a, const struct statistics *s)
{
    json_t *const histogram = s->drawn ? json_of("{s:f,s:f,s:o}", "low", s->low, "high", s->high,
                                                 "counts", json_integers(s->bins, STATISTICS_BINS))
                                       : json_null();
    json_print(json_of("{s:b,s:o,s:o,s:o,s:I,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "ok", true, "file",
                       json_text(o->path), "dtype", json_dtype(a->dtype), "shape",
                       json_integers(a->shape, a->ndim), "count", (json_int_t)s->count, "nan",
                       (json_int_t)s->nans, "inf", (json_int_t)s->infinities, "zeros",
                       (json_int_t)s->zeros, "min", json_extreme(s, false), "max",
                       json_extreme(s, true), "mean", json_float(s->mean), "std",
                       json_float(s->std), "histogram", histogram));
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Returns the statistics that an EXPR can compute of elements that are no real numbers. */
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
    if (kind < 0 || kind == STRIA_C128)
        return fail_found(failure, STRIA_ERR_DTYPE, "stat is of real numbers; %s",
                          what_instead(a->dtype));
    struct progress *progress = start_progress("reading");
    const stria_status status = statistics_of(&s, a, progress);
    progress_stop(progress);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    if (again && !o->json) (void)putchar('\n');
    again = true;
    (o->json ? print_json : print_text)(o, a, &s);
    return STRIA_OK;
}

const struct command stat_command = {
    .name = "stat",
    .summary = "count, min, max, mean, std, NaNs and a histogram of the values",
    .flags = flags,
    .ops = true,
    .raw = true,
    .joins = true,
    .size = sizeof(struct over_files),
    .usual = &(const struct over_files){.act = stat_one},
    .run = over_files,
};
