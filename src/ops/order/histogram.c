/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts: of numbers in bins, of integers by value. Elements come piece by piece, as f64 or i64. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ops/operands.h"
#include "ops/order/select.h"
#include "stria/indexing.h"
#include "stria/order_statistics.h"

/* ---- checks ---------------------------------------------------------------------------------- */

stria_status stria__check_real(const stria_view *a, const char *op, const char *name)
{
    STRIA_TRY(stria__check_view(a, op, name));
    if (a->dtype.kind > STRIA_F64)
        return stria__refuse_dtype(a->dtype, op, name, ", must be a real number");
    return stria__check_memory(a, op, name);
}

/* Checks that a view is an i64 of one dim that can be written. */
static stria_status check_counts(const stria_view *counts, const char *op)
{
    STRIA_TRY(stria__check_writable(counts, op, "counts"));
    if (counts->ndim != 1)
        return stria__fail(STRIA_ERR_SHAPE, "%s: counts has %d dims, wants 1", op,
                           (int)counts->ndim);
    if (counts->dtype.kind != STRIA_I64)
        return stria__refuse_dtype(counts->dtype, op, "counts", ", must be i64");
    if (counts->shape[0] > 1 && counts->strides[0] < 8 && counts->strides[0] > -8)
        return stria__fail(STRIA_ERR_OVERLAP, "%s: elements of counts share bytes", op);
    return STRIA_OK;
}

/* Returns the threads that take numbers; as many as there are numbers enough for. */
static struct crew crew_of(const stria_view *a, int64_t counts)
{
    enum { CYCLES = 5, PER_COUNT = 4 };
    const int64_t n = stria_numel(a), most = n / PER_COUNT / (counts > 0 ? counts : 1);
    struct crew crew = stria__crew_for(NULL, n, CYCLES);
    if (most < crew.threads) crew.threads = most > 1 ? (int)most : 1;
    return crew;
}

/*
 * Counts numbers of one kind into new memory, so that counts may be anything. context begins with
 * the address of the counts, those of every thread and after them what it does not count.
 */
static stria_status count_into(const stria_view *counts, const stria_view *a, stria_kind kind,
                               take_numbers *take, void *context)
{
    OWNED_ARRAY(made);
    stria_view sum;
    const int64_t n = counts->shape[0], slots = n + 1;
    const struct crew crew = crew_of(a, n);
    if (view_is_meta(counts)) return STRIA_OK;
    STRIA_TRY(stria_zeros(&made, stria_dtype_of(STRIA_I64), 2, (int64_t[]){crew.threads, slots}));
    int64_t *const all = (int64_t *)(void *)made.view.data;
    *(int64_t **)context = all;
    STRIA_TRY(stria__numbers(a, kind, take, context, &crew));
    for (int64_t i = slots; i < crew.threads * slots; i++)
        all[i % slots] += all[i];
    STRIA_TRY(stria_select(&sum, &made.view, 0, 0));
    STRIA_TRY(stria_narrow(&sum, &sum, 0, 0, n));
    return stria_copy(counts, &sum, NULL);
}

/* ---- histograms ------------------------------------------------------------------------------ */

struct bins {
    int64_t *counts;
    double *edges;
    int64_t n;
    double low, high; /* the first and the last edge */
    double per_width; /* 1 / the width of bins of about one width, else 0 */
};

/*
 * Sets what is known of the edges. Bins are of one width if no edge is farther than a quarter of it
 * from where it would be, and numbers of this size tell much smaller distances apart: then a
 * division finds the bin of a number or one beside it.
 */
static void set_edges(struct bins *b, double *edges)
{
    const double low = edges[0], high = edges[b->n], width = (high - low) / (double)b->n,
                 size = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    b->edges = edges;
    b->low = low;
    b->high = high;
    b->per_width = 0;
    if (!(width > size * 0x1p-40) || !((double)b->n / (high - low) <= DBL_MAX)) return;
    for (int64_t i = 0; i < b->n; i++)
        if (!(fabs(edges[i] - (low + (double)i * width)) <= width / 4)) return;
    b->per_width = (double)b->n / (high - low);
    edges[b->n] = HUGE_VAL; /* the last bin has its end */
}

/* The last bin that begins at x or below; edges[0] <= x <= edges[n]. */
static int64_t find_bin(const struct bins *b, double x)
{
    int64_t low = 0, high = b->n;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (x < b->edges[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* Counts numbers in bins of about one width; those outside, and NaN, in slot n. No branches. */
static void count_by_width(const struct bins *b, int64_t *counts, const double *x, int64_t n)
{
    const double last = (double)(b->n - 1);
    for (int64_t i = 0; i < n; i++) {
        const double number = x[i], at = (number - b->low) * b->per_width;
        const double above = at > 0 ? at : 0, within = above < last ? above : last;
        const int64_t k = (int64_t)within;
        const int64_t bin = k - (number < b->edges[k]) + (number >= b->edges[k + 1]);
        counts[((number >= b->low) & (number <= b->high)) ? bin : b->n]++;
    }
}

static stria_status count_bins(const void *numbers, int64_t n, struct numbers_at at, void *context)
{
    const struct bins *const b = context;
    const double *const x = numbers;
    int64_t *const counts = b->counts + at.part * (b->n + 1);
    if (b->per_width > 0) {
        count_by_width(b, counts, x, n);
        return STRIA_OK;
    }
    for (int64_t i = 0; i < n; i++)
        if (x[i] >= b->low && x[i] <= b->high) counts[find_bin(b, x[i])]++;
    return STRIA_OK;
}

stria_status stria_histogram(const stria_view *counts, const stria_view *a, double lo, double hi,
                             const stria_exec *exec)
{
    TAKES_EXEC(exec, "histogram");
    IN_DEFAULT_FP_MODE;
    OWNED_ARRAY(edges);
    STRIA_TRY(stria__check_real(a, "histogram", "a"));
    STRIA_TRY(check_counts(counts, "histogram"));
    struct bins b = {.n = counts->shape[0]};
    if (b.n < 1)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "histogram: counts has no elements, wants 1 or more");
    if (!(lo < hi) || lo < -DBL_MAX || hi > DBL_MAX || hi - lo > DBL_MAX)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "histogram: from %g to %g, must be finite and in order", lo, hi);
    if (view_is_meta(counts)) return STRIA_OK;
    STRIA_TRY(stria_empty(&edges, stria_dtype_of(STRIA_F64), 1, (int64_t[]){b.n + 1}));
    double *const edge = (double *)(void *)edges.view.data;
    const double width = (hi - lo) / (double)b.n;
    for (int64_t i = 0; i < b.n; i++)
        edge[i] = lo + (double)i * width;
    edge[b.n] = hi;
    set_edges(&b, edge);
    return count_into(counts, a, STRIA_F64, count_bins, &b);
}

static stria_status check_order(const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != x[i] || (i > 0 && x[i] < x[i - 1]))
            return stria__fail(STRIA_ERR_ARGUMENT, "histogram: edges[%lld] is %g, after %g",
                               (long long)i, x[i], i > 0 ? x[i - 1] : x[i]);
    return STRIA_OK;
}

stria_status stria_histogram_edges(const stria_view *counts, const stria_view *a,
                                   const stria_view *edges, const stria_exec *exec)
{
    TAKES_EXEC(exec, "histogram_edges");
    IN_DEFAULT_FP_MODE;
    OWNED_ARRAY(wide);
    STRIA_TRY(stria__check_real(a, "histogram", "a"));
    STRIA_TRY(stria__check_real(edges, "histogram", "edges"));
    STRIA_TRY(check_counts(counts, "histogram"));
    struct bins b = {.n = counts->shape[0]};
    if (edges->ndim != 1 || edges->shape[0] != b.n + 1 || b.n < 1)
        return stria__fail(
            STRIA_ERR_SHAPE, "histogram: edges has shape %s; %lld counts, 1 or more, want (%lld,)",
            stria__dims_text(edges->ndim, edges->shape).text, (long long)b.n, (long long)b.n + 1);
    STRIA_TRY(stria_astype(&wide, edges, stria_dtype_of(STRIA_F64), STRIA_CAST_UNSAFE,
                           STRIA_COPY_ALWAYS, NULL, NULL));
    double *const edge = (double *)(void *)wide.view.data;
    STRIA_TRY(check_order(edge, b.n + 1));
    set_edges(&b, edge);
    return count_into(counts, a, STRIA_F64, count_bins, &b);
}

/* ---- counts of integers ---------------------------------------------------------------------- */

struct tally {
    int64_t *counts, n, largest[CREW_MOST];
    bool is_u64; /* Negative numbers are those above the largest count. */
};

static stria_status refuse_count(const struct tally *t, int64_t x, int64_t n)
{
    char number[32];
    if (t->is_u64)
        (void)snprintf(number, sizeof number, "%llu", (unsigned long long)x);
    else
        (void)snprintf(number, sizeof number, "%lld", (long long)x);
    return stria__fail(STRIA_ERR_BOUNDS, "bincount: an element is %s, and counts are of 0 to %lld",
                       number, (long long)(n - 1));
}

static stria_status tally(const void *numbers, int64_t n, struct numbers_at at, void *context)
{
    const struct tally *const t = context;
    const int64_t *const x = numbers;
    int64_t *const counts = t->counts + at.part * (t->n + 1);
    for (int64_t i = 0; i < n; i++) {
        const int64_t number = x[i];
        if ((uint64_t)number >= (uint64_t)t->n) return refuse_count(t, number, t->n);
        counts[number]++;
    }
    return STRIA_OK;
}

static stria_status find_largest(const void *numbers, int64_t n, struct numbers_at at,
                                 void *context)
{
    struct tally *const t = context;
    const int64_t *const x = numbers;
    uint64_t largest = t->largest[at.part] > 0 ? (uint64_t)t->largest[at.part] : 0;
    for (int64_t i = 0; i < n; i++) {
        if ((uint64_t)x[i] <= largest) continue; /* negative ones are above all others here */
        if (x[i] < 0) return refuse_count(t, x[i], INT64_MAX);
        largest = (uint64_t)x[i];
    }
    t->largest[at.part] = (int64_t)largest;
    return STRIA_OK;
}

static stria_status check_whole(const stria_view *a)
{
    STRIA_TRY(stria__check_real(a, "bincount", "a"));
    if (a->dtype.kind > STRIA_U64)
        return stria__refuse_dtype(a->dtype, "bincount", "a", ", must be bool or integers");
    return STRIA_OK;
}

stria_status stria_bincount(const stria_view *counts, const stria_view *a, const stria_exec *exec)
{
    TAKES_EXEC(exec, "bincount");
    IN_DEFAULT_FP_MODE;
    STRIA_TRY(check_whole(a));
    STRIA_TRY(check_counts(counts, "bincount"));
    struct tally t = {.n = counts->shape[0], .is_u64 = a->dtype.kind == STRIA_U64};
    return count_into(counts, a, STRIA_I64, tally, &t);
}

/* Finds how many counts a asks for, `least` at least. */
static stria_status find_counts(int64_t *n, const stria_view *a, int64_t least)
{
    struct tally t = {.is_u64 = a->dtype.kind == STRIA_U64};
    int64_t largest = -1;
    if (least < 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "bincount: %lld counts at least, must be 0 or more",
                           (long long)least);
    const struct crew crew = crew_of(a, 1);
    for (int i = 0; i < crew.threads; i++)
        t.largest[i] = -1;
    STRIA_TRY(stria__numbers(a, STRIA_I64, find_largest, &t, &crew));
    for (int i = 0; i < crew.threads; i++)
        largest = t.largest[i] > largest ? t.largest[i] : largest;
    if (largest == INT64_MAX) return refuse_count(&t, largest, INT64_MAX);
    *n = largest + 1 > least ? largest + 1 : least;
    return STRIA_OK;
}

stria_status stria_bincount_new(stria_array *out, const stria_view *a, int64_t least,
                                const stria_exec *exec)
{
    TAKES_EXEC(exec, "bincount_new");
    int64_t n;
    MAKES(made, out, "bincount");
    STRIA_TRY(check_whole(a));
    STRIA_TRY(find_counts(&n, a, least));
    STRIA_TRY(stria_empty(&made, stria_dtype_of(STRIA_I64), 1, &n));
    return stria__deliver(out, &made, stria_bincount(&made.view, a, NULL));
}

stria_status stria_histogram_new(stria_array *out, const stria_view *a, int64_t bins, double lo,
                                 double hi, const stria_exec *exec)
{
    MAKES(made, out, "histogram");
    STRIA_TRY(stria__check_view(a, "histogram", "a"));
    if (bins < 0) return stria__fail(STRIA_ERR_ARGUMENT, "histogram: %lld bins", (long long)bins);
    STRIA_TRY(
        stria__empty_like_memory(&made, a, stria_dtype_of(STRIA_I64), 1, &bins, STRIA_ORDER_C));
    return stria__deliver(out, &made, stria_histogram(&made.view, a, lo, hi, exec));
}

stria_status stria_histogram_edges_new(stria_array *out, const stria_view *a,
                                       const stria_view *edges, const stria_exec *exec)
{
    MAKES(made, out, "histogram");
    STRIA_TRY(stria__check_view(a, "histogram", "a"));
    STRIA_TRY(stria__check_view(edges, "histogram", "edges"));
    const int64_t bins = edges->ndim == 1 && edges->shape[0] > 0 ? edges->shape[0] - 1 : 0;
    STRIA_TRY(
        stria__empty_like_memory(&made, a, stria_dtype_of(STRIA_I64), 1, &bins, STRIA_ORDER_C));
    return stria__deliver(out, &made, stria_histogram_edges(&made.view, a, edges, exec));
}

/* Makes a copy of all elements in C order, in one dim, in a dtype that holds them. */
static stria_status flat_as(stria_array *out, const stria_view *a, stria_kind kind,
                            const stria_exec *exec)
{
    STRIA_TRY(stria_astype(out, a, stria_dtype_of(kind), STRIA_CAST_UNSAFE, STRIA_COPY_IF_NEEDED,
                           NULL, exec));
    return stria_reshape(out, &out->view, 1, (int64_t[]){-1}, STRIA_COPY_IF_NEEDED, NULL, exec);
}

stria_status stria_bincount_weights_new(stria_array *out, const stria_view *a,
                                        const stria_view *weights, int64_t least,
                                        const stria_exec *exec)
{
    TAKES_EXEC(exec, "bincount_weights_new");
    IN_DEFAULT_FP_MODE;
    int64_t n;
    OWNED_ARRAYS(sums, places, terms);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "bincount: out is NULL");
    STRIA_TRY(check_whole(a));
    STRIA_TRY(stria__check_real(weights, "bincount", "weights"));
    if (!view_same_shape(weights, a))
        return stria__fail(STRIA_ERR_SHAPE, "bincount: weights has shape %s, a %s",
                           stria__dims_text(weights->ndim, weights->shape).text,
                           stria__dims_text(a->ndim, a->shape).text);
    STRIA_TRY(find_counts(&n, a, least));
    STRIA_TRY(flat_as(&places, a, STRIA_I64, exec));
    STRIA_TRY(flat_as(&terms, weights, STRIA_F64, exec));
    STRIA_TRY(stria_zeros(&sums, stria_dtype_of(STRIA_F64), 1, &n));
    return stria__deliver(out, &sums,
                          stria_index_add(&sums.view, &places.view, &terms.view, NULL, 0, exec));
}
