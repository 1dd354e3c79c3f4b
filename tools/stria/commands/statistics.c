/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mean and variance are those of blocks, each computed in two passes over numbers that lie in the
 * cache, and joined by the formula of Chan, Golub and LeVeque (1983): exact to rounding whatever
 * the mean is beside the deviation.
 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#include "elements.h"
#include "must.h"

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

stria_status statistics_of(struct statistics *out, const stria_view *a, struct progress *progress)
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
