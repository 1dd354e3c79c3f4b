/* SPDX-License-Identifier: BSD-3-Clause */
/* States: made, added to, merged, rounded. What is added goes to a state of its own first. */
#include "ops/exact/state.h"

#include <string.h>

#include "ops/operands.h"
#include "stria/order_statistics.h"

/* Bits that stand for reductions. */
enum {
    MEANS = 1 << STRIA_SUM | 1 << STRIA_MEAN,
    SPREADS = 1 << STRIA_VAR | 1 << STRIA_STD,
    EXTREMES = 1 << STRIA_MIN | 1 << STRIA_MAX | 1 << STRIA_ARGMIN | 1 << STRIA_ARGMAX
};

const struct exact_parts stria__exact_parts[STRIA_EXACT_KINDS] = {
    [STRIA_EXACT_SUM] = {"sum", .sums = SUM_SQUARES, .results = MEANS},
    [STRIA_EXACT_MOMENTS] = {"moments", .sums = SUMS, .results = MEANS | SPREADS},
    [STRIA_EXACT_EXTREMES] = {"extremes", .has_extremes = true, .results = EXTREMES},
    [STRIA_EXACT_HISTOGRAM] = {"histogram", .has_histogram = true},
    [STRIA_EXACT_POWERS] = {"powers", .sums = SUMS, .powers = POWERS, .results = MEANS | SPREADS},
};

static const char *name_of(stria_exact_kind kind)
{
    return stria__exact_parts[kind].name;
}

/* ---- making ---------------------------------------------------------------------------------- */

stria_status stria__exact_make(stria_exact **out, stria_exact_kind kind, int64_t bins)
{
    stria_allocator from;
    stria_get_allocator(&from);
    int64_t bytes;
    if (mul_overflows(bins, 2 * (int64_t)sizeof(double), &bytes) ||
        add_overflows(bytes, (int64_t)(sizeof(stria_exact) + sizeof(double)), &bytes))
        return stria__fail(STRIA_ERR_OVERFLOW, "exact: the bytes of %lld bins overflow 64 bits",
                           (long long)bins);
    stria_exact *const x = from.alloc((size_t)bytes, STRIA_ALIGNMENT, from.context);
    if (!x)
        return stria__fail(STRIA_ERR_MEMORY, "exact: no memory for %lld bytes", (long long)bytes);
    memset(x, 0, (size_t)bytes);
    x->kind = kind;
    x->allocated = (size_t)bytes;
    x->allocator = from;
    x->histogram.bins = bins;
    x->histogram.edges = (double *)(void *)(x + 1);
    x->histogram.counts = (int64_t *)(void *)(x->histogram.edges + bins + 1);
    *out = x;
    return STRIA_OK;
}

/* Copies the edges and checks their order, as a histogram of nothing does. */
static stria_status take_edges(const stria_exact *x, const stria_view *edges)
{
    stria_view to, counts, none;
    const struct histogram *const h = &x->histogram;
    const int64_t nothing = 0, size = h->bins + 1;
    STRIA_TRY(stria_view_foreign(&to, h->edges, stria_dtype_of(STRIA_F64), 1, &size, NULL, 0));
    STRIA_TRY(
        stria_view_foreign(&counts, h->counts, stria_dtype_of(STRIA_I64), 1, &h->bins, NULL, 0));
    STRIA_TRY(stria_view_foreign(&none, h->edges, stria_dtype_of(STRIA_F64), 1, &nothing, NULL, 0));
    STRIA_TRY(stria_copy(&to, edges, NULL));
    return stria_histogram_edges(&counts, &none, &to, NULL);
}

static stria_status check_kind(const stria_exact *x, stria_exact_kind kind, const char *op,
                               const char *must_be)
{
    if (x && x->kind == kind) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "%s: the state is %s, must be %s", op,
                       x ? name_of(x->kind) : "NULL", must_be);
}

stria_status stria_exact_make(stria_exact **out, stria_exact_kind kind, const stria_view *edges)
{
    stria_exact *x;
    int64_t bins = 0;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "exact_new: out is NULL");
    if ((unsigned)kind >= STRIA_EXACT_KINDS)
        return stria__fail(STRIA_ERR_ARGUMENT, "exact_new: there is no kind %d", (int)kind);
    if ((kind == STRIA_EXACT_HISTOGRAM) != (edges != NULL))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           edges ? "exact_new: a %s has no edges"
                                 : "exact_new: edges is NULL; a %s has edges",
                           name_of(kind));
    if (edges) {
        STRIA_TRY(stria__check_summand(edges, "exact_new", "edges"));
        if (edges->ndim != 1 || edges->shape[0] < 2)
            return stria__fail(STRIA_ERR_SHAPE,
                               "exact_new: edges have shape %s, want one dim of 2 or more",
                               stria__dims_text(edges->ndim, edges->shape).text);
        bins = edges->shape[0] - 1;
    }
    STRIA_TRY(stria__exact_make(&x, kind, bins));
    const stria_status status = edges ? take_edges(x, edges) : STRIA_OK;
    if (status != STRIA_OK)
        stria_exact_release(x);
    else
        *out = x;
    return status;
}

void stria_exact_release(stria_exact *x)
{
    if (!x) return;
    const stria_allocator from = x->allocator;
    from.free(x, x->allocated, from.context);
}

int64_t stria_exact_count(const stria_exact *x)
{
    return x ? x->sums.count : 0;
}

/* ---- extremes -------------------------------------------------------------------------------- */

static bool is_nan(uint64_t what, uint64_t bits)
{
    return what == EXTREME_FLOAT && (bits & INT64_MAX) > UINT64_C(0x7FF0000000000000);
}

static bool is_less(uint64_t what, uint64_t a, uint64_t b)
{
    double x, y;
    if (what == EXTREME_UNSIGNED) return a < b;
    if (what == EXTREME_SIGNED) return (int64_t)a < (int64_t)b;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x < y;
}

/*
 * Keeps the one that is further out on side 0, the smallest, or 1. Of equal ones it keeps the first
 * place, and of zeros -0 as the smallest and +0 as the largest, as reductions do.
 */
static void keep_further(struct extreme *kept, const struct extreme *e, uint64_t what, int side)
{
    const bool nan = is_nan(what, e->bits), was_nan = is_nan(what, kept->bits);
    const bool below = is_less(what, e->bits, kept->bits),
               above = is_less(what, kept->bits, e->bits);
    const bool further = nan != was_nan ? nan : nan ? false : side ? above : below;
    const bool nearer = nan != was_nan ? was_nan : nan ? false : side ? below : above;
    const bool equal = !further && !nearer;
    uint64_t bits = kept->bits;
    if (equal && what == EXTREME_FLOAT && !nan) bits = side ? bits & e->bits : bits | e->bits;
    if (further || (equal && e->place < kept->place)) *kept = *e;
    if (equal) kept->bits = bits;
}

static stria_status merge_extremes(struct extremes *x, const struct extremes *other, const char *op)
{
    static const char *const names[] = {"nothing", "signed integers", "unsigned integers",
                                        "floats"};
    if (other->what == EXTREME_NONE) return STRIA_OK;
    if (x->what == EXTREME_NONE) {
        *x = *other;
        return STRIA_OK;
    }
    if (x->what != other->what)
        return stria__fail(STRIA_ERR_DTYPE, "%s: extremes of %s do not compare with %s", op,
                           names[x->what], names[other->what]);
    for (int side = 0; side < 2; side++)
        keep_further(&x->side[side], &other->side[side], x->what, side);
    return STRIA_OK;
}

static stria_kind kind_of(uint64_t what)
{
    return what == EXTREME_FLOAT ? STRIA_F64 : what == EXTREME_SIGNED ? STRIA_I64 : STRIA_U64;
}

/* Finds an extreme of a and its place. */
static stria_status find_extreme(struct extreme *out, uint64_t what, stria_reduction op,
                                 const stria_view *a, int64_t first, const int64_t *steps,
                                 const stria_exec *exec)
{
    int64_t number = 0, index[STRIA_MAX_NDIM];
    uint64_t place = (uint64_t)first;
    stria_view to, at, element = *a;
    view_of_item(&at, &number, STRIA_I64);
    view_of_item(&to, &out->bits, kind_of(what));
    STRIA_TRY(stria_reduce_dims(&at, op, a, STRIA_ALL_DIMS, NULL, NULL, exec));
    stria__index_of(index, a->ndim, a->shape, number);
    for (int d = 0; d < a->ndim; d++) {
        element.data = stria__at(element.data, index[d], a->strides[d]);
        if (steps) place += (uint64_t)index[d] * (uint64_t)steps[d];
    }
    out->place = (int64_t)(steps ? place : place + (uint64_t)number);
    element.ndim = 0;
    STRIA_TRY(stria_copy(&to, &element, NULL));
    if (is_nan(what, out->bits)) out->bits = UINT64_C(0x7FF8000000000000);
    const bool zero = what == EXTREME_FLOAT && !(out->bits & INT64_MAX);
    return zero ? stria_reduce_dims(&to, op == STRIA_ARGMIN ? STRIA_MIN : STRIA_MAX, a,
                                    STRIA_ALL_DIMS, NULL, NULL, exec)
                : STRIA_OK;
}

static stria_status add_extremes(stria_exact *x, const stria_view *a, int64_t first,
                                 const int64_t *steps, const stria_exec *exec)
{
    struct extremes found;
    const bool is_float = a->dtype.kind >= STRIA_F8E4M3,
               is_signed = a->dtype.kind >= STRIA_I8 && a->dtype.kind <= STRIA_I64;
    if (stria_dtype_is_complex(a->dtype))
        return stria__fail(STRIA_ERR_DTYPE, "exact_add: complex numbers have no extremes");
    if (stria_numel(a) == 0) return STRIA_OK;
    found.what = is_float ? EXTREME_FLOAT : is_signed ? EXTREME_SIGNED : EXTREME_UNSIGNED;
    STRIA_TRY(find_extreme(&found.side[0], found.what, STRIA_ARGMIN, a, first, steps, exec));
    STRIA_TRY(find_extreme(&found.side[1], found.what, STRIA_ARGMAX, a, first, steps, exec));
    STRIA_TRY(merge_extremes(&x->extremes, &found, "exact_add"));
    x->sums.count += stria_numel(a);
    return STRIA_OK;
}

/* ---- histograms ------------------------------------------------------------------------------ */

static stria_status add_histogram(stria_exact *x, const stria_view *a)
{
    const struct histogram *const h = &x->histogram;
    const int64_t size = h->bins + 1;
    stria_view edges;
    OWNED_ARRAY(counts);
    STRIA_TRY(stria_view_foreign(&edges, h->edges, stria_dtype_of(STRIA_F64), 1, &size, NULL, 0));
    STRIA_TRY(stria_empty(&counts, stria_dtype_of(STRIA_I64), 1, &h->bins));
    STRIA_TRY(stria_histogram_edges(&counts.view, a, &edges, NULL));
    const int64_t *const found = (const int64_t *)(const void *)counts.view.data;
    for (int64_t i = 0; i < h->bins; i++)
        h->counts[i] += found[i];
    x->sums.count += stria_numel(a);
    return STRIA_OK;
}

/* Copies the counts of a histogram, i64, or its edges, f64. */
static stria_status copy_out(const stria_view *out, const stria_exact *x, stria_kind kind,
                             const char *op)
{
    stria_view from;
    STRIA_TRY(check_kind(x, STRIA_EXACT_HISTOGRAM, op, "a histogram"));
    STRIA_TRY(stria__check_writable(out, op, "out"));
    const struct histogram *const h = &x->histogram;
    const int64_t size = kind == STRIA_I64 ? h->bins : h->bins + 1;
    if (kind == STRIA_I64 && out->dtype.kind != STRIA_I64)
        return stria__fail(STRIA_ERR_DTYPE, "%s: counts are i64", op);
    if (out->ndim != 1 || out->shape[0] != size)
        return stria__fail(STRIA_ERR_SHAPE, "%s: out has shape %s, there are %lld bins", op,
                           stria__dims_text(out->ndim, out->shape).text, (long long)h->bins);
    STRIA_TRY(stria__check_itself(out, op, "out"));
    void *const at = kind == STRIA_I64 ? (void *)h->counts : (void *)h->edges;
    STRIA_TRY(stria_view_foreign(&from, at, stria_dtype_of(kind), 1, &size, NULL, 0));
    return stria_copy(out, &from, NULL);
}

stria_status stria_exact_counts(const stria_view *out, const stria_exact *x)
{
    return copy_out(out, x, STRIA_I64, "exact_counts");
}

stria_status stria_exact_edges(const stria_view *out, const stria_exact *x)
{
    return copy_out(out, x, STRIA_F64, "exact_edges");
}

/* ---- adding ---------------------------------------------------------------------------------- */

/* Refuses more elements than 64 bits count, which sums have room for. */
static stria_status check_count(const stria_exact *x, int64_t more, const char *op)
{
    int64_t all;
    if (!add_overflows(x->sums.count, more, &all)) return STRIA_OK;
    return stria__fail(STRIA_ERR_OVERFLOW, "%s: %lld and %lld elements overflow 64 bits", op,
                       (long long)x->sums.count, (long long)more);
}

static stria_status check_add(const stria_exact *x, const stria_view *a, const stria_exec *exec)
{
    if (!x) return stria__fail(STRIA_ERR_ARGUMENT, "exact_add: the state is NULL");
    STRIA_TRY(stria__check_summand(a, "exact_add", "a"));
    STRIA_TRY(stria__check_exec(exec, "exact_add"));
    return check_count(x, stria_numel(a), "exact_add");
}

stria_status stria_exact_add(stria_exact *x, const stria_view *a, const stria_exec *exec)
{
    COMPUTES(exec);
    struct sums more = {0};
    struct power_sums powers = {0};
    const bool has_powers = x && x->kind == STRIA_EXACT_POWERS;
    STRIA_TRY(check_add(x, a, exec));
    if (x->kind == STRIA_EXACT_EXTREMES) return add_extremes(x, a, 0, NULL, exec);
    if (x->kind == STRIA_EXACT_HISTOGRAM) return add_histogram(x, a);
    if (has_powers) STRIA_TRY(stria__check_moment(STRIA_MOMENT_THIRD, a->dtype, "exact_add"));
    STRIA_TRY(
        stria__sums_add(&more, has_powers ? &powers : NULL, a, x->kind != STRIA_EXACT_SUM, exec));
    if (has_powers) stria__powers_merge(&x->powers, &powers);
    stria__sums_merge(&x->sums, &more);
    return STRIA_OK;
}

stria_status stria_exact_add_at(stria_exact *x, const stria_view *a, int64_t first, int count,
                                const int64_t *steps, const stria_exec *exec)
{
    COMPUTES(exec);
    STRIA_TRY(check_add(x, a, exec));
    STRIA_TRY(check_kind(x, STRIA_EXACT_EXTREMES, "exact_add_at", "extremes"));
    if (!steps && a->ndim > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "exact_add_at: steps is NULL");
    if (count != a->ndim)
        return stria__fail(STRIA_ERR_ARGUMENT, "exact_add_at: %d steps for a of %d dims", count,
                           (int)a->ndim);
    return add_extremes(x, a, first, steps, exec);
}

stria_status stria_exact_add_product(stria_exact *x, const stria_view *a, const stria_view *b,
                                     const stria_exec *exec)
{
    COMPUTES(exec);
    struct sums more = {0};
    stria_view both[2];
    STRIA_TRY(check_kind(x, STRIA_EXACT_SUM, "exact_add_product", "a sum"));
    STRIA_TRY(stria__check_summand(a, "exact_add_product", "a"));
    STRIA_TRY(stria__check_summand(b, "exact_add_product", "b"));
    STRIA_TRY(stria__check_exec(exec, "exact_add_product"));
    STRIA_TRY(stria__broadcast_views(both, 2, (const stria_view *[]){a, b}, "exact_add_product"));
    STRIA_TRY(check_count(x, stria_numel(&both[0]), "exact_add_product"));
    STRIA_TRY(stria__sums_add_product(&more, &both[0], &both[1], exec));
    stria__sums_merge(&x->sums, &more);
    return STRIA_OK;
}

stria_status stria_exact_merge(stria_exact *x, const stria_exact *other)
{
    if (!x || !other)
        return stria__fail(STRIA_ERR_ARGUMENT, "exact_merge: %s is NULL",
                           x ? "the other state" : "the state");
    if (x->kind != other->kind)
        return stria__fail(STRIA_ERR_ARGUMENT, "exact_merge: the states are %s and %s",
                           name_of(x->kind), name_of(other->kind));
    const struct histogram *const h = &x->histogram, *const g = &other->histogram;
    if (h->bins != g->bins ||
        memcmp(h->edges, g->edges, (size_t)(h->bins + 1) * sizeof *h->edges) != 0)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "exact_merge: histograms of %lld and %lld bins have other edges",
                           (long long)h->bins, (long long)g->bins);
    STRIA_TRY(check_count(x, other->sums.count, "exact_merge"));
    STRIA_TRY(merge_extremes(&x->extremes, &other->extremes, "exact_merge"));
    for (int64_t i = 0; i < h->bins; i++)
        h->counts[i] += g->counts[i];
    stria__sums_merge(&x->sums, &other->sums);
    if (x->kind == STRIA_EXACT_POWERS) stria__powers_merge(&x->powers, &other->powers);
    return STRIA_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

static stria_status extreme_result(const stria_view *out, const stria_exact *x,
                                   stria_reduction what)
{
    stria_view from;
    const int side = what == STRIA_MAX || what == STRIA_ARGMAX;
    const bool place = what == STRIA_ARGMIN || what == STRIA_ARGMAX;
    struct extreme e = x->extremes.side[side];
    if (x->extremes.what == EXTREME_NONE)
        return stria__fail(STRIA_ERR_SHAPE, "exact_result: nothing is the %s of none",
                           stria_reduction_name(what));
    const stria_kind kind = place ? STRIA_I64 : kind_of(x->extremes.what);
    void *const at = place ? (void *)&e.place : (void *)&e.bits;
    view_of_item(&from, at, kind);
    if (place || out->dtype.kind != STRIA_BOOL || x->extremes.what != EXTREME_UNSIGNED)
        STRIA_TRY(stria__check_result(stria_dtype_of(kind), out, STRIA_CAST_SAME_KIND,
                                      "exact_result", "out"));
    return stria_copy(out, &from, NULL);
}

static stria_status check_element(const stria_view *out, const char *op)
{
    STRIA_TRY(stria__check_writable(out, op, "out"));
    return out->ndim == 0 ? STRIA_OK
                          : stria__fail(STRIA_ERR_SHAPE, "%s: out has %d dims, wants none", op,
                                        (int)out->ndim);
}

stria_status stria_exact_result(const stria_view *out, const stria_exact *x, stria_reduction what,
                                double ddof)
{
    IN_DEFAULT_FP_MODE;
    int64_t whole;
    if (!x) return stria__fail(STRIA_ERR_ARGUMENT, "exact_result: the state is NULL");
    if ((unsigned)what >= 32 || !(stria__exact_parts[x->kind].results >> what & 1))
        return stria__fail(STRIA_ERR_ARGUMENT, "exact_result: %s has no %s", name_of(x->kind),
                           stria_reduction_name(what) ? stria_reduction_name(what) : "such result");
    STRIA_TRY(stria__check_ddof(&whole, ddof, "exact_result"));
    STRIA_TRY(check_element(out, "exact_result"));
    if (x->kind == STRIA_EXACT_EXTREMES) return extreme_result(out, x, what);
    if (what == STRIA_SUM && stria__is_counter(out->dtype)) return stria__sums_whole(out, &x->sums);
    const bool real = what == STRIA_VAR || what == STRIA_STD;
    STRIA_TRY(stria__check_rounded(out, x->sums.is_complex && !real, "exact_result"));
    return stria__sums_round(out, &x->sums, what, whole);
}

stria_status stria_exact_shape(const stria_view *out, const stria_exact *x,
                               stria_exact_moment_kind what)
{
    IN_DEFAULT_FP_MODE;
    STRIA_TRY(check_kind(x, STRIA_EXACT_POWERS, "exact_shape", "powers"));
    STRIA_TRY(check_element(out, "exact_shape"));
    STRIA_TRY(stria__check_moment(what, stria_dtype_of(STRIA_F64), "exact_shape"));
    STRIA_TRY(stria__check_rounded(out, false, "exact_shape"));
    return stria__moment_round(out, &x->sums, &x->powers, what);
}
