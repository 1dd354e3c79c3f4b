/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: scans, order statistics, counts, and comparisons of arrays. */
#include <stdio.h>
#include <string.h>

#include "ops/order/select.h"
#include "view/array.h"
#include "lang/rows/rows.h"

/* ---- scans ----------------------------------------------------------------------------------- */

/*
 * Scans along argument 1, a dim; without one, all elements in C order are one line if `flattens` is
 * true, and so is a number by NumPy's rule. Argument `out` is where the result may go.
 */
stria_status stria__row_scan(struct invocation *c, stria_scan op, bool flattens, int out,
                             const stria_dtype *dtype, bool include_initial)
{
    const stria_scan_options options = {.dtype = dtype, .include_initial = include_initial};
    const struct arg *const dim = &c->args[1], *const into = &c->args[out];
    const bool many = !dim->given && A->ndim > 1, flat = many || (c->numpy && A->ndim == 0);
    const int along = flat ? 0 : dim->dim;
    const stria_view *self = A;
    if (many && !flattens)
        return REFUSE(ARGUMENT, "%.*s: it wants a dim; the array has %d of them", NAME,
                      (int)A->ndim);
    if (flat)
        STRIA_TRY(stria__call_flat(c, &self, A));
    else if (c->tells && !into->given && !dtype && !include_initial)
        stria__folding_keep(c, (struct folding){.kind = FOLDING_SCANS, .scan = op}, 1, &along);
    if (!into->given) return stria_scan_dim_new(NEW, op, self, along, &options, EXEC);
    return stria__call_wrote(c, into->view,
                             stria_scan_dim(into->view, op, self, along, &options, EXEC));
}

/* Gives what stands before or behind the lines of diff; of NumPy's, one number for all of them. */
static stria_status end_of_lines(struct invocation *c, const stria_view **out, stria_view *room,
                                 const stria_view *end)
{
    int64_t shape[STRIA_MAX_NDIM];
    const int dim = DIM(2) < 0 ? DIM(2) + A->ndim : DIM(2);
    *out = end;
    if (!c->numpy || end->ndim || dim < 0 || dim >= A->ndim) return STRIA_OK;
    memcpy(shape, A->shape, (size_t)A->ndim * sizeof *shape);
    shape[dim] = 1;
    *out = room;
    return stria_broadcast_to(room, end, A->ndim, shape);
}

stria_status stria__row_diff(struct invocation *c)
{
    const struct arg *const before = &c->args[3], *const after = &c->args[4];
    const stria_view *parts[3];
    const stria_view *a = A;
    stria_view ends[2];
    int n = 0;
    if (INT(1) < 0 || INT(1) > INT32_MAX)
        return REFUSE(ARGUMENT, "diff: n is %lld, not 0 to %d", (long long)INT(1), (int)INT32_MAX);
    if (before->given) STRIA_TRY(end_of_lines(c, &parts[n++], &ends[0], before->view));
    parts[n++] = A;
    if (after->given) STRIA_TRY(end_of_lines(c, &parts[n++], &ends[1], after->view));
    if (n > 1 && (INT(1) > 0 || !c->numpy)) { /* NumPy returns what is not subtracted as it is. */
        stria_array joined = {0};
        STRIA_TRY(stria_cat_as_new(&joined, n, parts, DIM(2), NULL, stria__call_rule(c), NULL));
        STRIA_TRY(stria__call_hold(c, &a, joined));
    }
    return stria_diff_new(NEW, a, (int)INT(1), DIM(2), EXEC);
}

/* ---- quantiles ------------------------------------------------------------------------------- */

/* The names are in the order of stria_quantile_method. */
static const char methods[] =
    "linear|lower|higher|nearest|midpoint|inverted_cdf|averaged_inverted_cdf|closest_observation|"
    "interpolated_inverted_cdf|hazen|weibull|median_unbiased|normal_unbiased";

/* Computes quantiles over dims; the argument behind `dims` is keepdims. If `alone`, the one number
 * adds no dim to the result. */
static stria_status quantiles(struct invocation *c, int count, const double *numbers, bool alone,
                              const struct arg *dims, stria_quantile_method by, bool skips_nan)
{
    STRIA_TRY(stria_quantile_new(
        NEW, A, count, numbers, dims->given ? (int)dims->count : STRIA_ALL_DIMS, dims->dims,
        &(stria_quantile_options){.method = by, .skip_nan = skips_nan, .keepdims = dims[1].truth},
        EXEC));
    return alone ? stria_select(VIEW, VIEW, 0, 0) : STRIA_OK;
}

/* Takes one number between 0 and `parts`, or a 1-d array of such numbers. */
stria_status stria__row_quantile(struct invocation *c, double parts, bool skips_nan)
{
    const stria_view *const q = ARRAY(1);
    const int64_t n = stria_numel(q);
    stria_view to;
    STRIA_TRY(stria__call_choice(c, 4, methods, "there is no method '%.40s'"));
    if (q->ndim > 1 || n > INT16_MAX)
        return REFUSE(SHAPE, "q is a number or up to %d of them", INT16_MAX);
    TAKE_ARRAY(double, numbers, c->pool, (size_t)n);
    STRIA_TRY(
        stria_view_foreign(&to, numbers, stria_dtype_of(STRIA_F64), q->ndim, q->shape, NULL, 0));
    STRIA_TRY(stria_copy(&to, q, NULL));
    for (int64_t i = 0; i < n; i++)
        numbers[i] *= 1.0 / parts;
    const bool narrow = A->dtype.kind == STRIA_F16 || A->dtype.kind == STRIA_F32;
    const bool mixes = !stria__quantile_picks((stria_quantile_method)INT(4));
    if (c->numpy && narrow && mixes && !(q->flags & STRIA_WEAK) &&
        (q->dtype.kind == STRIA_F64 || (parts > 1 && q->dtype.kind < STRIA_F8E4M3))) {
        stria_array wide = {
            0}; /* Numbers that do not give way make NumPy's results as wide as they are. */
        STRIA_TRY(stria_astype(&wide, A, stria_dtype_of(STRIA_F64), STRIA_CAST_SAFE,
                               STRIA_COPY_ALWAYS, NULL, EXEC));
        STRIA_TRY(stria__call_hold(c, &A, wide));
    }
    return quantiles(c, (int)n, numbers, q->ndim == 0, &c->args[2], (stria_quantile_method)INT(4),
                     skips_nan);
}

/* Computes medians; of an even number of elements PyTorch takes the lower of the middle two. */
stria_status stria__row_median(struct invocation *c, bool skips_nan)
{
    static const double half = 0.5;
    const struct arg *const dims = &c->args[1];
    if (c->tells && c->numpy && !skips_nan && !TRUTH(2))
        stria__folding_keep(c, (struct folding){.kind = FOLDING_MEDIAN},
                            dims->given ? (int)dims->count : STRIA_ALL_DIMS, dims->dims);
    return quantiles(c, 1, &half, true, dims,
                     c->numpy ? STRIA_QUANTILE_MEDIAN : STRIA_QUANTILE_LOWER, skips_nan);
}

/* ---- counts ---------------------------------------------------------------------------------- */

stria_status stria__row_searchsorted(struct invocation *c)
{
    const bool right = TRUTH(3) || (c->args[2].text && !strcmp(c->args[2].text, "right"));
    return stria_searchsorted_new(NEW, A, ARRAY(4), ARRAY(1), right, NULL);
}

/* Replaces an empty range by that from the least to the largest element. */
static stria_status find_range(struct invocation *c, double range[2])
{
    if (range[0] == range[1] && stria_numel(A) > 0)
        for (int i = 0; i < 2; i++) {
            stria_view to;
            STRIA_TRY(
                stria_view_foreign(&to, &range[i], stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
            STRIA_TRY(stria_reduce_dims(&to, i ? STRIA_MAX : STRIA_MIN, A, STRIA_ALL_DIMS, NULL,
                                        NULL, NULL));
        }
    if (range[0] == range[1]) {
        range[0] -= c->numpy ? 0.5 : 1;
        range[1] += c->numpy ? 0.5 : 1;
    }
    return STRIA_OK;
}

/* Reads numbers from arguments; the numbers of missing arguments do not change. */
static stria_status read_doubles(const struct arg *args, int count, double *numbers)
{
    for (int i = 0; i < count; i++)
        if (args[i].given) STRIA_TRY(stria__call_number(&numbers[i], args[i].view));
    return STRIA_OK;
}

stria_status stria__row_bincount_weights(struct invocation *c)
{
    return GIVEN(1) ? stria_bincount_weights_new(NEW, A, ARRAY(1), INT(2), EXEC)
                    : stria_bincount_new(NEW, A, INT(2), NULL);
}

/* Counts in bins of one width. */
stria_status stria__row_histc(struct invocation *c)
{
    double range[2] = {0, 0};
    STRIA_TRY(read_doubles(&c->args[2], 2, range));
    STRIA_TRY(find_range(c, range));
    return stria_histogram_new(NEW, A, INT(1), range[0], range[1], NULL);
}

/* Counts the elements between edges; counts and edges are the results. */
static stria_status count_between(struct invocation *c, stria_array edges)
{
    const int64_t bins = stria_numel(&edges.view) - 1;
    stria_array counts = {0};
    const stria_status given = stria__call_pieces(c, 2);
    if (given != STRIA_OK) stria_array_release(&edges);
    STRIA_TRY(given);
    STRIA_TRY(stria__call_piece(c, 1, edges));
    STRIA_TRY(stria_empty(&counts, stria_dtype_of(STRIA_I64), 1, (int64_t[]){bins < 0 ? 0 : bins}));
    STRIA_TRY(stria__call_piece(c, 0, counts));
    return stria_histogram_edges(&c->pieces[0], A, &c->pieces[1], NULL);
}

/* Makes edges at equal distances, floats as the array has, f64 beside integers. */
stria_status stria__row_histogram(struct invocation *c)
{
    const stria_view *const given = ARRAY(2);
    double range[2] = {0, 0};
    stria_view ends;
    stria_array edges = {0};
    if (INT(1) < 1 || INT(1) == INT64_MAX)
        return REFUSE(ARGUMENT, "histogram: %lld bins, takes 1 or more", (long long)INT(1));
    if (GIVEN(2)) {
        STRIA_TRY(stria_view_foreign(&ends, range, stria_dtype_of(STRIA_F64), 1, (int64_t[]){2},
                                     NULL, 0));
        STRIA_TRY(stria_copy(&ends, given, NULL));
    }
    STRIA_TRY(find_range(c, range));
    const bool floats = A->dtype.kind >= STRIA_F16 && A->dtype.kind <= STRIA_F64;
    STRIA_TRY(stria_linspace(&edges, floats ? A->dtype : stria_dtype_of(STRIA_F64), range[0],
                             range[1], INT(1) + 1, true, NULL));
    return count_between(c, edges);
}

stria_status stria__row_histogram_edges(struct invocation *c)
{
    stria_array edges = {0};
    STRIA_TRY(stria_clone_new(&edges, ARRAY(1), NULL));
    return count_between(c, edges);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static stria_status truth(struct invocation *c, bool value)
{
    return stria_full_item(NEW, stria_dtype_of(STRIA_BOOL), 0, NULL, &value, NULL);
}

stria_status stria__row_array_equal(struct invocation *c)
{
    bool yes;
    STRIA_TRY(stria_array_equal(&yes, A, ARRAY(1), TRUTH(2), EXEC));
    return truth(c, yes);
}

static stria_status read_tolerance(struct invocation *c, stria_tolerance *out)
{
    double by[] = {1e-5, 1e-8};
    STRIA_TRY(read_doubles(&c->args[2], 2, by));
    *out = (stria_tolerance){.rtol = by[0], .atol = by[1], .equal_nan = TRUTH(4)};
    return STRIA_OK;
}

stria_status stria__row_allclose(struct invocation *c)
{
    stria_tolerance tolerance;
    bool yes;
    STRIA_TRY(read_tolerance(c, &tolerance));
    STRIA_TRY(stria_allclose(&yes, A, ARRAY(1), &tolerance, EXEC));
    return truth(c, yes);
}

stria_status stria__row_isclose(struct invocation *c)
{
    stria_tolerance tolerance;
    STRIA_TRY(read_tolerance(c, &tolerance));
    return stria_isclose_new(NEW, A, ARRAY(1), &tolerance, EXEC);
}

/* Replaces NaN, inf and -inf by the arguments; the library chooses values for missing ones. */
stria_status stria__row_nan_to_num(struct invocation *c)
{
    /* Only NumPy's form has an argument `copy` before the numbers. */
    const bool copies = c->row->world == WORLD_NUMPY;
    const bool in_place = copies ? !TRUTH(1) : c->in_place;
    const struct arg *const by = &c->args[copies ? 2 : 1];
    if (!in_place) return stria_nan_to_num_new(NEW, A, by[0].view, by[1].view, by[2].view, EXEC);
    return stria__call_wrote(c, A,
                             stria_nan_to_num(A, A, by[0].view, by[1].view, by[2].view, EXEC));
}
