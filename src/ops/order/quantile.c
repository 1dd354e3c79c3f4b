/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quantiles: the elements of an output are a line (lines.h), which is turned into keys, between two
 * of which each quantile lies.
 */
#include <math.h>
#include <string.h>

#include "ops/operands.h"
#include "ops/order/lines.h"
#include "ops/order/select.h"
#include "ops/order/value_keys.h"
#include "ops/reduce/reduction.h"
#include "simd/tuning.h"
#include "stria/axes.h"
#include "stria/order_statistics.h"

enum { CYCLES = 10 }; /* Cycles that an element takes. */

/*
 * Returns the kind that elements are selected as, which holds all of them exactly: floats, whose
 * leading bits differ sooner than those of small integers, where it can.
 */
static stria_kind select_kind(stria_kind kind)
{
    switch (kind) {
    case STRIA_I64:
    case STRIA_U64:
    case STRIA_F64: return kind;
    case STRIA_I32:
    case STRIA_U32: return STRIA_F64;
    default: return STRIA_F32;
    }
}

struct position {
    int64_t at;
    double share; /* Share of the element after it. */
};

static bool is_odd(double whole)
{
    return (int64_t)whole & 1;
}

/* Rounds to the nearest integer; ties go to the even one. */
static double nearest(double x)
{
    const double below = floor_of(x), rest = x - below;
    return rest > 0.5 || (rest == 0.5 && is_odd(below)) ? below + 1 : below;
}

static struct position between(double index, int64_t n)
{
    if (!(index > 0)) return (struct position){0, 0};
    if (index >= (double)(n - 1)) return (struct position){n - 1, 0};
    const double at = floor_of(index);
    return (struct position){(int64_t)at, index - at};
}

static struct position continuous(int64_t n, double q, double alpha, double beta)
{
    return between((double)n * q + (alpha + q * (1 - alpha - beta)) - 1, n);
}

/* Returns the element at a place, or the one after it unless `before`. */
static struct position observation(double index, bool before, int64_t n)
{
    return between(before ? floor_of(index) : floor_of(index) + 1, n);
}

static struct position position_of(stria_quantile_method method, int64_t n, double q)
{
    const double last = (double)(n - 1) * q, from_1 = (double)n * q - 1;
    switch (method) {
    case STRIA_QUANTILE_LOWER: return between(floor_of(last), n);
    case STRIA_QUANTILE_HIGHER: return between(-floor_of(-last), n);
    case STRIA_QUANTILE_NEAREST: return between(nearest(last), n);
    case STRIA_QUANTILE_MIDPOINT: return between((floor_of(last) + -floor_of(-last)) / 2, n);
    case STRIA_QUANTILE_INVERTED_CDF: return observation(from_1, from_1 == floor_of(from_1), n);
    case STRIA_QUANTILE_AVERAGED_INVERTED_CDF:
        return between(from_1 == floor_of(from_1) ? from_1 + 0.5 : floor_of(from_1) + 1, n);
    case STRIA_QUANTILE_CLOSEST_OBSERVATION: {
        const double index = from_1 - 0.5;
        return observation(index, index == floor_of(index) && is_odd(floor_of(index)), n);
    }
    case STRIA_QUANTILE_INTERPOLATED_INVERTED_CDF: return continuous(n, q, 0, 1);
    case STRIA_QUANTILE_HAZEN: return continuous(n, q, 0.5, 0.5);
    case STRIA_QUANTILE_WEIBULL: return continuous(n, q, 0, 0);
    case STRIA_QUANTILE_MEDIAN_UNBIASED: return continuous(n, q, 1.0 / 3, 1.0 / 3);
    case STRIA_QUANTILE_NORMAL_UNBIASED: return continuous(n, q, 3.0 / 8, 3.0 / 8);
    default: return between(last, n);
    }
}

bool stria__quantile_picks(stria_quantile_method method)
{
    return method == STRIA_QUANTILE_LOWER || method == STRIA_QUANTILE_HIGHER ||
           method == STRIA_QUANTILE_NEAREST || method == STRIA_QUANTILE_INVERTED_CDF ||
           method == STRIA_QUANTILE_CLOSEST_OBSERVATION;
}

/* Computes a mean in the dtype of floats, in which a sum may be infinite. */
static double mean_of(double a, double b, stria_kind kind)
{
    return kind == STRIA_F32 ? (double)((float)(a + b) / 2) : (a + b) / 2;
}

/* Interpolates, monotonically and exactly at both ends. */
static double interpolate(double a, double b, double share)
{
    const double way = b - a;
    if (share == 0 || a == b) return a;
    return share < 0.5 ? a + way * share : b - way * (1 - share);
}

struct job {
    stria_kind kind;  /* Kind of results: f64, or the integers that are selected. */
    int64_t n;        /* Elements of each output. */
    struct crew crew; /* Threads of an output: one, unless there are few outputs. */
    int nq;
    const double *q;
    stria_quantile_method method;
    bool skip_nan;
    stria_dtype dtype;      /* dtype that elements are selected as */
    struct value_form form; /* their keys */
};

/* A line, whose keys are in memory that is changed. */
struct quantile_line {
    const struct job *job;
    const char *row;
    char *keys;
    int64_t nans[CREW_MOST];
};

/* Makes keys of a part, of which those of NaN are counted. */
static void make_keys(void *data, int64_t part, struct share range)
{
    struct quantile_line *const l = data;
    const struct value_form *const f = &l->job->form;
    const int64_t n = range.last - range.first;
    char *const keys = l->keys + range.first * f->key;
    const bool odd = stria__make_keys(f, keys, l->row + range.first * f->size, n);
    l->nans[part] = odd ? stria__unite_keys(f, keys, n, false) : 0;
}

/* Makes keys of all; returns how many are no NaN. */
static int64_t begin_line(struct quantile_line *l)
{
    int64_t n = l->job->n;
    const int parts = stria__divide(&l->job->crew, n, make_keys, l);
    for (int i = 0; i < parts; i++)
        n -= l->nans[i];
    return n;
}

/* The number of a key, and its bits. */
static double number_of(const struct job *job, int64_t key, uint64_t *bits)
{
    union {
        float f32;
        double f64;
        uint64_t bits;
    } number = {.bits = 0};
    char at[sizeof key];
    put_key(at, 0, key, job->form.key);
    stria__make_numbers(&job->form, (char *)&number, at, 1);
    *bits = number.bits;
    switch (job->dtype.kind) {
    case STRIA_F32: return (double)number.f32;
    case STRIA_F64: return number.f64;
    case STRIA_I64: return (double)(int64_t)number.bits;
    default: return (double)number.bits;
    }
}

/* Selects element k of n numbers, and the one after it, or the same where it is the last. */
static void select_pair(double found[2], uint64_t *bits, struct quantile_line *l, int64_t n,
                        int64_t k, const struct key_sort *keys)
{
    const struct job *const job = l->job;
    struct nth nth = stria__nth_key(keys, job->n, k, &job->crew);
    uint64_t unused;
    found[0] = found[1] = number_of(job, nth.key, bits);
    if (k + 1 >= n) return;
    if (!nth.has_next) {
        (void)begin_line(l);
        nth.next = stria__nth_key(keys, job->n, k + 1, &job->crew).key;
    }
    found[1] = number_of(job, nth.next, &unused);
}

/* Writes the quantiles of a line; the room has keys of all elements twice. */
static void select_line(const void *context, char *const *rows, char *room)
{
    const struct job *const job = context;
    const int64_t size = round_up(job->n * job->form.key, LINE);
    const struct key_sort keys = {
        .keys = room, .spare = room + size, .size = job->form.key, .room = room + 2 * size};
    struct quantile_line l; /* what is not used is not cleared */
    l.job = job;
    l.row = rows[0];
    l.keys = room;
    for (int i = 0; i < job->nq; i++) {
        const int64_t n = begin_line(&l);
        double number = (double)NAN, found[2];
        uint64_t whole = 0;
        if (n > 0 && (n == job->n || job->skip_nan)) {
            const struct position at = position_of(job->method, n, job->q[i]);
            select_pair(found, &whole, &l, n, at.at, &keys);
            number = job->method == STRIA_QUANTILE_MEDIAN && at.share == 0.5
                         ? mean_of(found[0], found[1], (stria_kind)job->dtype.kind)
                         : interpolate(found[0], found[1], at.share);
        }
        memcpy(rows[1] + i * (int64_t)sizeof number,
               job->kind == STRIA_F64 ? (void *)&number : &whole, sizeof number);
    }
}

/*
 * Makes a view of the kept dims of a and one of all others, which come in any order; of a copy in
 * *made where they are not one dim as they lie.
 */
static stria_status turn_into_lines(stria_view *out, stria_array *made, const stria_view *a,
                                    uint64_t set, stria_dtype dtype, const stria_exec *exec)
{
    int order[STRIA_MAX_NDIM], kept = 0;
    stria_view turned;
    for (int d = 0; d < a->ndim; d++)
        if (!(set >> d & 1)) order[kept++] = d;
    int count = kept;
    for (int d = 0; d < a->ndim; d++) {
        int at = count;
        if (!(set >> d & 1)) continue;
        for (; at > kept && magnitude(a->strides[order[at - 1]]) < magnitude(a->strides[d]); at--)
            order[at] = order[at - 1];
        order[at] = d;
        count++;
    }
    STRIA_TRY(stria_permute(&turned, a, count, order));
    if (kept == count) return stria_unsqueeze(out, &turned, kept);
    if (kept == count - 1 || stria_flatten(out, &turned, kept, count - 1) == STRIA_OK) {
        if (kept == count - 1) *out = turned;
        return STRIA_OK;
    }
    STRIA_TRY(stria_empty(made, dtype, count, turned.shape));
    STRIA_TRY(stria_copy(&made->view, &turned, exec));
    return stria_flatten(out, &made->view, kept, count - 1);
}

/* Writes results, with the kept dims and one of quantiles. */
static stria_status select_all(const struct job *job, const stria_view *a,
                               const stria_view *results, const stria_exec *exec)
{
    const bool alone = job->crew.threads > 1;
    const struct lines lines = {
        .op = "quantile",
        .count = 2,
        .dim = a->ndim - 1,
        .operands = {{a, job->dtype, false}, {results, results->dtype, true}},
        .room = 2 * round_up(job->n * job->form.key, LINE) +
                stria__key_room(job->n, job->form.key, false, job->crew),
        .alone = alone,
        .cycles = CYCLES,
        .line = select_line,
        .context = job,
        .exec = exec};
    return stria__lines(&lines);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Rows with the dtypes of a mean: the same dtypes, and NaN of no elements. */
static const struct reduction_info quantile_row = REDUCTION_INFO(quantile, SUM, MEAN, WIDE, MEAN,
                                                                 FLOATING, 0, 0),
                                   median_row = REDUCTION_INFO(median, SUM, MEAN, WIDE, MEAN,
                                                               FLOATING, 0, 0);
/* The row of a method that gives an element, of integers and bools: there must be one. */
static const struct reduction_info element_row =
    REDUCTION_INFO(quantile, SUM, MEAN, WIDE, MEAN, SAME, NO_VALUE, 0);

/* A mean has the same dtypes and no element that it refuses, but complex ones. */
static stria_status begin_quantile(struct reduce_call *call, const struct reduction_info *row,
                                   const stria_view *a, int nq, const double *q, int count,
                                   const int *dims, stria_quantile_method method,
                                   const stria_exec *exec)
{
    STRIA_TRY(stria__check_exec(exec, row->name));
    STRIA_TRY(stria__check_view(a, row->name, "a"));
    if (stria_dtype_is_complex(a->dtype))
        return stria__fail(STRIA_ERR_DTYPE, "%s: complex numbers have no order", row->name);
    if (stria__quantile_picks(method) && a->dtype.kind <= STRIA_U64) row = &element_row;
    *call = (struct reduce_call){.row = row, .a = a, .count = count, .dims = dims, .exec = exec};
    STRIA_TRY(stria__check_reduction(call));
    if (nq < 0 || (nq > 0 && !q))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d quantiles%s", row->name, nq,
                           nq < 0 ? "" : ", and q is NULL");
    for (int i = 0; i < nq; i++)
        if (!(q[i] >= 0 && q[i] <= 1))
            return stria__fail(STRIA_ERR_ARGUMENT, "%s: q[%d] is %g, must be 0 to 1", row->name, i,
                               q[i]);
    if ((unsigned)method >= STRIA_QUANTILE_METHODS)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there is no method %d", row->name, (int)method);
    return STRIA_OK;
}

/* Checks out, which without its dim of quantiles is like a reduction's. */
static stria_status check_out(const stria_view *out, const struct reduce_call *call, int nq)
{
    stria_view first, kept;
    STRIA_TRY(stria__check_view(out, call->row->name, "out"));
    if (out->ndim < 1 || out->shape[0] != nq)
        return stria__fail(STRIA_ERR_SHAPE, "%s: out of shape %s, its first size must be %d",
                           call->row->name, stria__dims_text(out->ndim, out->shape).text, nq);
    if (nq == 0) return STRIA_OK;
    STRIA_TRY(stria_select(&first, out, 0, 0));
    STRIA_TRY(stria__check_reduced(&kept, &first, call));
    return stria__check_itself(out, call->row->name, "out");
}

/* Computes quantiles; row is the operation that was called, for messages. */
static stria_status quantiles(const struct reduction_info *row, const stria_view *out,
                              const stria_view *a, int nq, const double *q, int count,
                              const int *dims, stria_quantile_method method, bool skip_nan,
                              const stria_exec *exec)
{
    COMPUTES(exec);
    struct reduce_call call;
    int64_t shape[STRIA_MAX_NDIM];
    stria_view lines, rows;
    OWNED_ARRAYS(copy, results);
    STRIA_TRY(begin_quantile(&call, row, a, nq, q, count, dims, method, exec));
    STRIA_TRY(check_out(out, &call, nq));
    if (view_is_meta(out) || view_is_meta(a) || stria_numel(out) == 0) return STRIA_OK;
    const bool keepdims = out->ndim == a->ndim + 1;
    const struct crew crew = stria__crew_for(exec, call.n, CYCLES);
    struct job job = {.n = call.n,
                      .crew =
                          stria_numel(out) / nq < crew.threads ? crew : (struct crew){exec, 1, 1},
                      .nq = nq,
                      .q = q,
                      .method = method,
                      .skip_nan = skip_nan,
                      .dtype = stria_dtype_of(select_kind((stria_kind)a->dtype.kind))};
    (void)stria__value_form(&job.form, (stria_kind)job.dtype.kind, false);
    const bool whole = job.dtype.kind == STRIA_I64 || job.dtype.kind == STRIA_U64;
    job.kind = whole && stria__quantile_picks(method) ? (stria_kind)job.dtype.kind : STRIA_F64;
    STRIA_TRY(turn_into_lines(&lines, &copy, a, call.set, job.dtype, exec));
    shape[0] = nq;
    for (int d = 1; d < lines.ndim; d++)
        shape[d] = lines.shape[d - 1];
    STRIA_TRY(stria_empty(&results, stria_dtype_of(job.kind), lines.ndim, shape));
    STRIA_TRY(stria_movedim(&rows, &results.view, 1, &(int){0}, &(int){lines.ndim - 1}));
    STRIA_TRY(select_all(&job, &lines, &rows, exec));
    for (int d = 0; keepdims && d < a->ndim; d++)
        if (call.set >> d & 1) STRIA_TRY(stria_unsqueeze(&results.view, &results.view, d + 1));
    return stria_copy(out, &results.view, exec);
}

static stria_status read_options(stria_quantile_options *out, const stria_quantile_options *options)
{
    *out = options ? *options : (stria_quantile_options){.method = STRIA_QUANTILE_LINEAR};
    return stria__check_reserved(out->reserved, "options of a quantile");
}

stria_status stria_quantile(const stria_view *out, const stria_view *a, int q_count,
                            const double *q, int count, const int *dims,
                            const stria_quantile_options *options, const stria_exec *exec)
{
    stria_quantile_options o;
    STRIA_TRY(read_options(&o, options));
    return quantiles(&quantile_row, out, a, q_count, q, count, dims, o.method, o.skip_nan, exec);
}

stria_status stria_quantile_new(stria_array *out, const stria_view *a, int q_count, const double *q,
                                int count, const int *dims, const stria_quantile_options *options,
                                const stria_exec *exec)
{
    stria_quantile_options o;
    struct reduce_call call;
    int64_t shape[STRIA_MAX_NDIM + 1];
    MAKES(made, out, "quantile");
    STRIA_TRY(read_options(&o, options));
    STRIA_TRY(begin_quantile(&call, &quantile_row, a, q_count, q, count, dims, o.method, exec));
    shape[0] = q_count;
    const int ndim = 1 + stria__reduced_shape(shape + 1, &call, o.keepdims);
    if (ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_DIM, "quantile: the result has %d dims, at most %d", ndim,
                           STRIA_MAX_NDIM);
    STRIA_TRY(stria__empty_like_memory(&made, a, call.result, ndim, shape, STRIA_ORDER_C));
    return stria__deliver(out, &made,
                          stria_quantile(&made.view, a, q_count, q, count, dims, options, exec));
}

stria_status stria_median(const stria_view *out, const stria_view *a, int count, const int *dims,
                          const stria_exec *exec)
{
    static const double half = 0.5;
    stria_view with_dim;
    STRIA_TRY(stria__check_view(out, "median", "out"));
    STRIA_TRY(stria_unsqueeze(&with_dim, out, 0));
    return quantiles(&median_row, &with_dim, a, 1, &half, count, dims, STRIA_QUANTILE_MEDIAN, false,
                     exec);
}

stria_status stria_median_new(stria_array *out, const stria_view *a, int count, const int *dims,
                              bool keepdims, const stria_exec *exec)
{
    struct reduce_call call;
    int64_t shape[STRIA_MAX_NDIM];
    MAKES(made, out, "median");
    STRIA_TRY(
        begin_quantile(&call, &median_row, a, 0, NULL, count, dims, STRIA_QUANTILE_MEDIAN, exec));
    const int ndim = stria__reduced_shape(shape, &call, keepdims);
    STRIA_TRY(stria__empty_like_memory(&made, a, call.result, ndim, shape, STRIA_ORDER_C));
    return stria__deliver(out, &made, stria_median(&made.view, a, count, dims, exec));
}
