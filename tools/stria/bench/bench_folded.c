/* SPDX-License-Identifier: BSD-3-Clause */
/* The definitions, one element of one output after the other. */
#include "bench_folded.h"

#include <math.h>
#include <string.h>

#include "bench_values.h"

/* ---- a walk ---------------------------------------------------------------------------------- */

/* The dims of a that belong to one output, or those that count the outputs. */
struct walk {
    int ndim;
    int64_t n[STRIA_MAX_NDIM], s[STRIA_MAX_NDIM], index[STRIA_MAX_NDIM], at;
};

static bool is_folded(const struct folding *f, const stria_view *a, int d)
{
    bool found = f->count == STRIA_ALL_DIMS;
    for (int i = 0; i < f->count; i++)
        found |= f->dims[i] == d || f->dims[i] == d - a->ndim;
    return found;
}

static struct walk walk_of(const struct folding *f, const stria_view *a, bool folded)
{
    struct walk w = {0};
    for (int d = a->ndim - 1; d >= 0; d--) {
        if (is_folded(f, a, d) != folded) continue;
        w.n[w.ndim] = a->shape[d];
        w.s[w.ndim++] = a->strides[d];
    }
    return w;
}

/* The next element in C order; false after the last, where it begins again. */
static bool next(struct walk *w)
{
    for (int d = 0; d < w->ndim; d++) {
        w->at += w->s[d];
        if (++w->index[d] < w->n[d]) return true;
        w->at -= w->n[d] * w->s[d];
        w->index[d] = 0;
    }
    return false;
}

/* ---- what an output is made of --------------------------------------------------------------- */

struct facts {
    int64_t n, some, most_at, least_at; /* elements, those that are not 0, places of the extremes */
    double most, least, magnitudes;
    uint64_t whole;
    long double sum, squares; /* squares of the distances from the first element */
    long double apart;        /* sum of those distances */
};

static double number_at(const stria_view *a, int64_t at)
{
    const char *const item = a->data + at;
    if (values_is_integer(a->dtype)) return (double)values_integer(item, a->dtype);
    return values_real(item, a->dtype);
}

static struct facts facts_of(const stria_view *a, struct walk *w, int64_t origin)
{
    struct facts f = {0};
    const bool whole = values_is_integer(a->dtype);
    const double first = number_at(a, origin + w->at);
    f.most = f.least = first;
    do {
        const double x = number_at(a, origin + w->at);
        const long double apart = (long double)x - first;
        if (whole) f.whole += (uint64_t)values_integer(a->data + origin + w->at, a->dtype);
        f.sum += x;
        f.squares += apart * apart;
        f.apart += apart;
        f.magnitudes += fabs(x);
        f.some += x != 0;
        if (x > f.most) f.most_at = f.n;
        if (x < f.least) f.least_at = f.n;
        f.most = fmax(f.most, x);
        f.least = fmin(f.least, x);
        f.n++;
    } while (next(w));
    return f;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Between what lies some units of f64 of `terms` below and above, rounded to the dtype. */
static bool is_near(const char *item, stria_dtype dtype, double wanted, double terms)
{
    const double part = terms * 0x1p-46, got = values_real(item, dtype);
    return got >= values_rounded(wanted - part, dtype) &&
           got <= values_rounded(wanted + part, dtype);
}

static bool is_real(const struct folding *f, const char *item, stria_dtype dtype,
                    const struct facts *facts)
{
    const double n = (double)facts->n, sum = (double)facts->sum;
    const long double rest = facts->squares - facts->apart * facts->apart / facts->n;
    const double var = (double)(rest / (n - f->ddof));
    switch (f->reduction) {
    case STRIA_SUM: return is_near(item, dtype, sum, facts->magnitudes);
    case STRIA_MEAN: return is_near(item, dtype, sum / n, facts->magnitudes / n);
    case STRIA_VAR: return is_near(item, dtype, var, var * n);
    default: return is_near(item, dtype, sqrt(var), sqrt(var) * n);
    }
}

static bool is_reduced(const struct folding *f, const char *item, stria_dtype dtype,
                       const struct facts *facts)
{
    const bool whole = values_is_integer(dtype);
    const int64_t got = whole ? values_integer(item, dtype) : 0;
    switch (f->reduction) {
    case STRIA_ALL: return got == (facts->some == facts->n);
    case STRIA_ANY: return got == (facts->some > 0);
    case STRIA_COUNT_NONZERO: return got == facts->some;
    case STRIA_ARGMAX: return got == facts->most_at;
    case STRIA_ARGMIN: return got == facts->least_at;
    case STRIA_MAX: return (whole ? (double)got : values_real(item, dtype)) == facts->most;
    case STRIA_MIN: return (whole ? (double)got : values_real(item, dtype)) == facts->least;
    default: return whole ? (uint64_t)got == facts->whole : is_real(f, item, dtype, facts);
    }
}

/* The mean of the middle two: as many elements lie below as above, and it is the middle of both. */
static bool is_median(const char *item, stria_dtype dtype, const stria_view *a, struct walk *w,
                      int64_t origin)
{
    const double got = values_real(item, dtype);
    double below = -HUGE_VAL, above = HUGE_VAL;
    int64_t n = 0, less = 0, more = 0;
    do {
        const double x = number_at(a, origin + w->at);
        if (x < got) below = fmax(below, x);
        if (x > got) above = fmin(above, x);
        less += x < got;
        more += x > got;
        n++;
    } while (next(w));
    if (less <= (n - 1) / 2 && more <= (n - 1) / 2) return true;
    return n % 2 == 0 && less == n / 2 && more == n / 2 &&
           is_near(item, dtype, below / 2 + above / 2, fabs(got));
}

static bool is_scanned(const stria_view *out, const stria_view *a, struct walk *w, int64_t origin,
                       struct walk *to, int64_t target)
{
    const bool whole = values_is_integer(out->dtype);
    long double sum = 0;
    double terms = 0;
    uint64_t total = 0;
    do {
        const char *const item = out->data + target + to->at;
        const double x = number_at(a, origin + w->at);
        if (whole) total += (uint64_t)values_integer(a->data + origin + w->at, a->dtype);
        sum += x;
        terms += fabs(x);
        if (whole ? (uint64_t)values_integer(item, out->dtype) != total
                  : !is_near(item, out->dtype, (double)sum, terms))
            return false;
        (void)next(to);
    } while (next(w));
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

bool folded_checkable(const struct folding *f, const stria_view *out, const stria_view *a)
{
    static const bool reductions[STRIA_REDUCTIONS] = {
        [STRIA_SUM] = true,    [STRIA_MEAN] = true,         [STRIA_VAR] = true,
        [STRIA_STD] = true,    [STRIA_MAX] = true,          [STRIA_MIN] = true,
        [STRIA_ALL] = true,    [STRIA_ANY] = true,          [STRIA_ARGMAX] = true,
        [STRIA_ARGMIN] = true, [STRIA_COUNT_NONZERO] = true};
    if (!values_convertible(a->dtype, out->dtype) || (a->flags & (STRIA_CONJ | STRIA_NEG)))
        return false;
    if (f->kind == FOLDING_SCANS) return f->scan == STRIA_CUMSUM;
    return f->kind == FOLDING_MEDIAN || reductions[f->reduction];
}

void folded_fill(const struct folding *f, char *data, int64_t size, stria_dtype dtype)
{
    const bool reduces = f->kind == FOLDING_REDUCES;
    values_fill_numbers(data, size, dtype, 2);
    if (reduces && f->reduction == STRIA_ANY) memset(data, 0, (size_t)size);
    if (reduces && f->reduction == STRIA_ALL && dtype.kind == STRIA_BOOL)
        memset(data, 1, (size_t)size);
}

bool folded_right(const struct folding *f, const stria_view *out, const stria_view *a)
{
    struct walk kept = walk_of(f, a, false), inner = walk_of(f, a, true);
    struct folding none = {.count = 0};
    const bool scans = f->kind == FOLDING_SCANS;
    struct walk to = scans ? walk_of(f, out, false) : walk_of(&none, out, false),
                along = walk_of(f, out, true);
    bool right = true;
    do {
        const char *const item = out->data + to.at;
        if (scans) {
            right = is_scanned(out, a, &inner, kept.at, &along, to.at);
        } else if (f->kind == FOLDING_MEDIAN) {
            right = is_median(item, out->dtype, a, &inner, kept.at);
        } else {
            const struct facts facts = facts_of(a, &inner, kept.at);
            right = is_reduced(f, item, out->dtype, &facts);
        }
        (void)next(&to);
    } while (right && next(&kept));
    return right;
}
