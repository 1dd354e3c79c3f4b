/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpolation between points, slopes, and bins: places by bisection, and expressions of what is
 * there. */
#include <math.h>

#include "ops/composed/composed.h"
#include "ops/expr/formula.h"
#include "ops/elementwise/operation.h"
#include "stria/analysis.h"
#include "stria/axes.h"
#include "stria/indexing.h"
#include "stria/join.h"
#include "stria/mathematics.h"
#include "stria/order_statistics.h"
#include "stria/reduce.h"
#include "stria/scan.h"
#include "stria/sort.h"
#include "stria/value.h"
#include "stria/window.h"

/* ---- interpolation --------------------------------------------------------------------------- */

/* Takes points modulo the period, in order, with the last one before and the first one behind. */
static stria_status wrap_points(stria_array *points, stria_array *values, double period)
{
    stria_view each, first, last, sorted;
    const int64_t n = points->view.shape[0];
    OWNED_ARRAYS(order, taken, before, behind);
    STRIA_TRY(stria_weak(&each, STRIA_F64, &period));
    STRIA_TRY(stria_remainder_new(&taken, &points->view, &each, NULL));
    STRIA_TRY(stria_argsort_new(&order, &taken.view, 0, false, NULL));
    STRIA_TRY(stria_take_new(points, &taken.view, &order.view, STRIA_INDEX_RAISE, NULL));
    STRIA_TRY(stria_narrow(&first, &points->view, 0, 0, 1));
    STRIA_TRY(stria_narrow(&last, &points->view, 0, n - 1, 1));
    STRIA_TRY(stria_subtract_new(&before, &last, &each, NULL));
    STRIA_TRY(stria_add_new(&behind, &first, &each, NULL));
    view_copy(&sorted, &points->view);
    STRIA_TRY(stria_cat_new(&taken, 3, (const stria_view *[]){&before.view, &sorted, &behind.view},
                            0, NULL));
    (void)stria__deliver(points, &taken, STRIA_OK);
    STRIA_TRY(stria_take_new(&behind, &values->view, &order.view, STRIA_INDEX_RAISE, NULL));
    STRIA_TRY(stria_narrow(&first, &behind.view, 0, 0, 1));
    STRIA_TRY(stria_narrow(&last, &behind.view, 0, n - 1, 1));
    return stria_cat_new(values, 3, (const stria_view *[]){&last, &behind.view, &first}, 0, NULL);
}

/* Computes the slope behind each point, which is 0 behind the last one. */
static stria_status slopes_of(stria_array *out, const stria_view *points, const stria_view *values)
{
    stria_view to, x[2], y[2];
    struct formula f;
    const int64_t n = points->shape[0] - 1;
    STRIA_TRY(stria_zeros(out, values->dtype, 1, points->shape));
    STRIA_TRY(stria_narrow(&to, &out->view, 0, 0, n));
    for (int i = 0; i < 2; i++) {
        STRIA_TRY(stria_narrow(&x[i], points, 0, i, n));
        STRIA_TRY(stria_narrow(&y[i], values, 0, i, n));
    }
    const int begin = formula_of(&f, &y[0]),
              rise = apply2(&f, STRIA_SUBTRACT, stria__formula_input(&f, &y[1]), begin),
              run = apply2(&f, STRIA_SUBTRACT, stria__formula_input(&f, &x[1]),
                           stria__formula_input(&f, &x[0]));
    (void)apply2(&f, STRIA_DIVIDE, rise, run);
    return stria__formula_evaluate(&f, &to, NULL);
}

/* Makes the number of the last point that is not above each x, 0 where there is none. */
static stria_status places_of(stria_array *out, const stria_view *x, const stria_view *points)
{
    struct formula f;
    OWNED_ARRAY(found);
    STRIA_TRY(stria_searchsorted_new(&found, points, NULL, x, true, NULL));
    const int behind = formula_of(&f, &found.view),
              before = apply2(&f, STRIA_SUBTRACT, behind, formula_integer(&f, 1));
    (void)apply2(&f, STRIA_MAXIMUM, before, formula_integer(&f, 0));
    STRIA_TRY(stria__formula_evaluate(&f, &found.view, NULL));
    return stria__deliver(out, &found, STRIA_OK);
}

/* Tells whether an element of an array of f64 may be infinite or NaN: the sum is so, then, and
 * where it overflows. */
static stria_status may_be_endless(bool *out, const stria_view *a)
{
    OWNED_ARRAY(sum);
    double value;
    STRIA_TRY(stria_sum_new(&sum, a, STRIA_ALL_DIMS, NULL, false, NULL));
    STRIA_TRY(stria_get_f64(&value, &sum.view, 0, NULL));
    *out = !isfinite(value);
    return STRIA_OK;
}

/* The points and values of an interpolation, the slope behind each point, and the number of the
 * point before each x. */
struct table {
    const stria_view *points, *values, *slopes, *places;
};

static stria_status take_from(stria_array *out, const struct table *t, const stria_view *from,
                              int64_t first)
{
    stria_view rest;
    STRIA_TRY(stria_narrow(&rest, from, 0, first, from->shape[0] - first));
    return stria_take_new(out, &rest, t->places, STRIA_INDEX_CLIP, NULL);
}

/* Replaces NaN between points that are infinite, or have such slopes, by the line from the point
 * behind, or by the value if both points have the same. */
static stria_status mend_endless(const stria_view *out, const stria_view *x, const struct table *t)
{
    struct formula f;
    OWNED_ARRAY(before);
    OWNED_ARRAY(behind);
    OWNED_ARRAY(begin);
    OWNED_ARRAY(end);
    OWNED_ARRAY(slope);
    STRIA_TRY(take_from(&before, t, t->points, 0));
    STRIA_TRY(take_from(&behind, t, t->points, 1));
    STRIA_TRY(take_from(&begin, t, t->values, 0));
    STRIA_TRY(take_from(&end, t, t->values, 1));
    STRIA_TRY(take_from(&slope, t, t->slopes, 0));
    const int known = formula_of(&f, out), at = stria__formula_input(&f, x),
              next = stria__formula_input(&f, &behind.view),
              value = stria__formula_input(&f, &end.view);
    const int away = apply2(&f, STRIA_SUBTRACT, at, next),
              rise = apply2(&f, STRIA_MULTIPLY, stria__formula_input(&f, &slope.view), away),
              back = apply2(&f, STRIA_ADD, rise, value),
              level = apply2(&f, STRIA_EQUAL, value, stria__formula_input(&f, &begin.view)),
              instead = apply3(&f, STRIA_WHERE, apply2(&f, STRIA_NOT_EQUAL, back, back),
                               apply3(&f, STRIA_WHERE, level, value, back), back),
              inside = apply2(
                  &f, STRIA_LOGICAL_AND,
                  apply2(&f, STRIA_GREATER_EQUAL, at, stria__formula_input(&f, &before.view)),
                  apply2(&f, STRIA_LESS_EQUAL, at, next)),
              odd =
                  apply2(&f, STRIA_LOGICAL_AND, inside, apply2(&f, STRIA_NOT_EQUAL, known, known));
    (void)apply3(&f, STRIA_WHERE, odd, instead, known);
    return stria__formula_evaluate(&f, out, NULL);
}

static stria_status interpolate(const stria_view *out, const stria_view *x,
                                const stria_view *points, const stria_view *values,
                                const stria_interp_options *o)
{
    stria_view first, last, left, right;
    struct formula f;
    OWNED_ARRAYS(slopes, places, slope, point, value);
    STRIA_TRY(slopes_of(&slopes, points, values));
    STRIA_TRY(places_of(&places, x, points));
    STRIA_TRY(stria_take_new(&slope, &slopes.view, &places.view, STRIA_INDEX_CLIP, NULL));
    STRIA_TRY(stria_take_new(&point, points, &places.view, STRIA_INDEX_CLIP, NULL));
    STRIA_TRY(stria_take_new(&value, values, &places.view, STRIA_INDEX_CLIP, NULL));
    STRIA_TRY(stria_select(&first, points, 0, 0));
    STRIA_TRY(stria_select(&last, points, 0, -1));
    STRIA_TRY(stria_select(&left, values, 0, 0));
    STRIA_TRY(stria_select(&right, values, 0, -1));
    const int at = formula_of(&f, x), from = stria__formula_input(&f, &point.view),
              begin = stria__formula_input(&f, &value.view);
    const int away = apply2(&f, STRIA_SUBTRACT, at, from),
              rise = apply2(&f, STRIA_MULTIPLY, stria__formula_input(&f, &slope.view), away),
              within = points->shape[0] == 1 /* NaN takes a single value, too, as in NumPy */
                           ? begin
                           : apply3(&f, STRIA_WHERE, apply2(&f, STRIA_EQUAL, at, from), begin,
                                    apply2(&f, STRIA_ADD, rise, begin)),
              below = apply2(&f, STRIA_LESS, at, stria__formula_input(&f, &first)),
              above = apply2(&f, STRIA_GREATER, at, stria__formula_input(&f, &last)),
              low = apply3(&f, STRIA_WHERE, below,
                           stria__formula_input(&f, o->left ? o->left : &left), within);
    (void)apply3(&f, STRIA_WHERE, above, stria__formula_input(&f, o->right ? o->right : &right),
                 low);
    STRIA_TRY(stria__formula_evaluate(&f, out, NULL));
    if (points->shape[0] < 2 || stria_dtype_is_complex(values->dtype)) return STRIA_OK;
    /* Infinite values have such slopes, and points in order are infinite at their ends alone. */
    stria_view ends;
    bool steep, far, odd = false;
    const int64_t step = points->shape[0] - 1;
    const struct table table = {points, values, &slopes.view, &places.view};
    STRIA_TRY(may_be_endless(&steep, &slopes.view));
    STRIA_TRY(stria_slice(&ends, points, 0, STRIA_NONE, STRIA_NONE, step));
    STRIA_TRY(may_be_endless(&far, &ends));
    if (steep || far) STRIA_TRY(may_be_endless(&odd, out));
    return odd ? mend_endless(out, x, &table) : STRIA_OK;
}

static stria_status check_points(const stria_view *x, const stria_view *points,
                                 const stria_view *values, const stria_interp_options *o)
{
    STRIA_TRY(stria__check_view(x, "interp", "x"));
    STRIA_TRY(stria__check_view(points, "interp", "points"));
    STRIA_TRY(stria__check_view(values, "interp", "values"));
    STRIA_TRY(stria__check_reserved(o->reserved, "options of an interpolation"));
    if (o->left) STRIA_TRY(stria__check_view(o->left, "interp", "left"));
    if (o->right) STRIA_TRY(stria__check_view(o->right, "interp", "right"));
    if (!(o->period >= 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "interp: a period of %g", o->period);
    STRIA_TRY(stria__check_number(values->dtype, "interp", "values"));
    if (stria_dtype_is_complex(x->dtype))
        return stria__refuse_dtype(x->dtype, "interp", "x", ", must be real");
    if (stria_dtype_is_complex(points->dtype))
        return stria__refuse_dtype(points->dtype, "interp", "points", ", must be real");
    if (points->ndim == 1 && view_same_shape(points, values) && points->shape[0] > 0)
        return STRIA_OK;
    return stria__fail(
        STRIA_ERR_SHAPE,
        "interp: points of shape %s, values of shape %s; both want one dim of as many "
        "elements, one or more",
        stria__dims_text(points->ndim, points->shape).text,
        stria__dims_text(values->ndim, values->shape).text);
}

static stria_status interp(stria_array *made, const stria_view *x, const stria_view *points,
                           const stria_view *values, const stria_interp_options *options)
{
    const stria_interp_options o = options ? *options : (stria_interp_options){.period = 0};
    stria_view each;
    OWNED_ARRAYS(places, wide, wrapped);
    STRIA_TRY(check_points(x, points, values, &o));
    const stria_dtype real = stria_dtype_of(STRIA_F64),
                      result = stria_dtype_of(stria_dtype_is_complex(values->dtype) ? STRIA_C128
                                                                                    : STRIA_F64);
    const stria_view *const given[] = {x, points, values};
    STRIA_TRY(stria__empty_like_memory(made, view_nearest(3, given), result, x->ndim, x->shape,
                                       STRIA_ORDER_C));
    if (view_is_meta(&made->view)) return STRIA_OK;
    STRIA_TRY(
        stria_astype(&places, points, real, STRIA_CAST_UNSAFE, STRIA_COPY_IF_NEEDED, NULL, NULL));
    STRIA_TRY(
        stria_astype(&wide, values, result, STRIA_CAST_UNSAFE, STRIA_COPY_IF_NEEDED, NULL, NULL));
    STRIA_TRY(stria_astype(&wrapped, x, real, STRIA_CAST_UNSAFE, STRIA_COPY_IF_NEEDED, NULL, NULL));
    if (o.period > 0) {
        OWNED_ARRAY(rest);
        STRIA_TRY(stria_weak(&each, STRIA_F64, &o.period));
        STRIA_TRY(stria_remainder_new(&rest, &wrapped.view, &each, NULL));
        STRIA_TRY(wrap_points(&places, &wide, o.period));
        (void)stria__deliver(&wrapped, &rest, STRIA_OK);
    }
    return interpolate(&made->view, &wrapped.view, &places.view, &wide.view, &o);
}

COMPOSED(interp,
         (const stria_view *x, const stria_view *points, const stria_view *values,
          const stria_interp_options *options),
         interp(&made, x, points, values, options))

/* ---- bins ------------------------------------------------------------------------------------ */

/* Tells whether edges fall: the first is above the last. */
static stria_status edges_fall(bool *out, const stria_view *edges)
{
    stria_view first, last, truth;
    *out = false;
    if (edges->shape[0] < 2 || view_is_meta(edges)) return STRIA_OK;
    STRIA_TRY(stria_select(&first, edges, 0, 0));
    STRIA_TRY(stria_select(&last, edges, 0, -1));
    view_of_item(&truth, out, STRIA_BOOL);
    return stria_greater(&truth, &first, &last, NULL);
}

static stria_status digitize(stria_array *made, const stria_view *a, const stria_view *edges,
                             bool right)
{
    bool falls;
    stria_view rising, count;
    STRIA_TRY(stria__check_view(a, "digitize", "a"));
    STRIA_TRY(stria__check_view(edges, "digitize", "edges"));
    if (edges->ndim != 1)
        return stria__fail(STRIA_ERR_SHAPE, "digitize: edges have %d dims, want 1", edges->ndim);
    STRIA_TRY(edges_fall(&falls, edges));
    if (!falls) return stria_searchsorted_new(made, edges, NULL, a, !right, NULL);
    STRIA_TRY(stria_flip(&rising, edges, 1, (const int[]){0}));
    STRIA_TRY(stria_searchsorted_new(made, &rising, NULL, a, !right, NULL));
    STRIA_TRY(stria_weak(&count, STRIA_I64, edges->shape));
    return stria_subtract(&made->view, &count, &made->view, NULL);
}

COMPOSED(digitize, (const stria_view *a, const stria_view *edges, bool right),
         digitize(&made, a, edges, right))

/* ---- slopes ---------------------------------------------------------------------------------- */

/* A slope along a dim: elements, and their distances, one or n - 1 of them. */
struct slope {
    stria_view a, to;
    int dim, edge_order;
    int64_t n;
    const double *distances;
    bool even;
};

static double distance(const struct slope *s, int64_t i)
{
    return s->distances[s->even ? 0 : i];
}

/* Adds element i of the dim, times a factor, to the sum so far; -1: there is none. */
static int add_term(struct formula *f, stria_view *element, const struct slope *s, int64_t i,
                    double factor, int sum)
{
    if (f->status == STRIA_OK) f->status = stria_narrow(element, &s->a, s->dim, i, 1);
    const int term =
        apply2(f, STRIA_MULTIPLY, formula_real(f, factor), stria__formula_input(f, element));
    return sum < 0 ? term : apply2(f, STRIA_ADD, sum, term);
}

/* Writes the slope of the first element, or of the last one. */
static stria_status write_edge(const struct slope *s, bool last)
{
    const int64_t n = s->n, at = last ? n - 1 : 0, step = last ? -1 : 1;
    const double h = distance(s, last ? n - 2 : 0), sign = last ? -1 : 1;
    stria_view to, elements[3];
    struct formula f;
    STRIA_TRY(stria_narrow(&to, &s->to, s->dim, at, 1));
    stria__formula_begin(&f, NULL, 0, NULL);
    if (s->edge_order == 1) {
        for (int i = 0; i < 2 && f.status == STRIA_OK; i++)
            f.status = stria_narrow(&elements[i], &s->a, s->dim, last ? n - 1 - i : 1 - i, 1);
        const int rise = apply2(&f, STRIA_SUBTRACT, stria__formula_input(&f, &elements[0]),
                                stria__formula_input(&f, &elements[1]));
        (void)apply2(&f, STRIA_DIVIDE, rise, formula_real(&f, h));
    } else {
        const double g = distance(s, last ? n - 3 : 1);
        int sum = add_term(&f, &elements[0], s, at, -sign * (2 * h + g) / (h * (h + g)), -1);
        sum = add_term(&f, &elements[1], s, at + step, sign * (h + g) / (h * g), sum);
        (void)add_term(&f, &elements[2], s, at + 2 * step, -sign * h / (g * (h + g)), sum);
    }
    return stria__formula_evaluate(&f, &to, NULL);
}

/* Makes the factors of the element before, the element itself, and the one behind, of each within.
 */
static stria_status factors_of(stria_view out[3], stria_array *made, const struct slope *s)
{
    const int64_t n = s->n - 2;
    stria_view line;
    int64_t shape[STRIA_MAX_NDIM];
    STRIA_TRY(stria_empty(made, stria_dtype_of(STRIA_F64), 2, (const int64_t[]){3, n}));
    double *const factors = (double *)(void *)made->view.data;
    for (int64_t i = 0; i < n; i++) {
        const double h = distance(s, i), g = distance(s, i + 1);
        factors[i] = -g / (h * (h + g));
        factors[n + i] = (g - h) / (h * g);
        factors[2 * n + i] = h / (g * (h + g));
    }
    for (int d = 0; d < s->a.ndim; d++)
        shape[d] = d == s->dim ? n : 1;
    for (int i = 0; i < 3; i++) {
        STRIA_TRY(stria_select(&line, &made->view, 0, i));
        STRIA_TRY(stria_view_shape(&out[i], &line, s->a.ndim, shape));
    }
    return STRIA_OK;
}

static stria_status write_inside(const struct slope *s)
{
    stria_view to, elements[3], factors[3];
    struct formula f;
    OWNED_ARRAY(numbers);
    if (s->n < 3) return STRIA_OK;
    STRIA_TRY(stria_narrow(&to, &s->to, s->dim, 1, s->n - 2));
    for (int i = 0; i < 3; i++)
        STRIA_TRY(stria_narrow(&elements[i], &s->a, s->dim, i, s->n - 2));
    if (s->even) {
        const int before = formula_of(&f, &elements[0]),
                  rise = apply2(&f, STRIA_SUBTRACT, stria__formula_input(&f, &elements[2]), before);
        (void)apply2(&f, STRIA_DIVIDE, rise, formula_real(&f, 2 * s->distances[0]));
        return stria__formula_evaluate(&f, &to, NULL);
    }
    STRIA_TRY(factors_of(factors, &numbers, s));
    stria__formula_begin(&f, NULL, 0, NULL);
    int sum = -1;
    for (int i = 0; i < 3; i++) {
        const int term = apply2(&f, STRIA_MULTIPLY, stria__formula_input(&f, &factors[i]),
                                stria__formula_input(&f, &elements[i]));
        sum = i ? apply2(&f, STRIA_ADD, sum, term) : term;
    }
    return stria__formula_evaluate(&f, &to, NULL);
}

/* Makes the distances of neighbours in f64: the one that is given, or those of places. */
static stria_status distances_of(stria_array *out, const struct slope *s, const stria_view *spacing)
{
    static const double one = 1;
    stria_view single;
    OWNED_ARRAY(wide);
    STRIA_TRY(stria_weak(&single, STRIA_F64, &one));
    const stria_view *const given = spacing ? spacing : &single;
    if (given->ndim > 1 || (given->ndim == 1 && given->shape[0] != s->n))
        return stria__fail(
            STRIA_ERR_SHAPE,
            "gradient: spacing of shape %s; a number, or one for each of %lld elements",
            stria__dims_text(given->ndim, given->shape).text, (long long)s->n);
    STRIA_TRY(stria__check_memory(given, "gradient", "spacing"));
    STRIA_TRY(stria_astype(&wide, given, stria_dtype_of(STRIA_F64), STRIA_CAST_SAME_KIND,
                           STRIA_COPY_ALWAYS, NULL, NULL));
    if (s->even) return stria__deliver(out, &wide, STRIA_OK);
    return stria_diff_new(out, &wide.view, 1, 0, NULL);
}

static stria_status gradient(stria_array *made, const stria_view *a, const stria_view *spacing,
                             int dim, int edge_order)
{
    struct slope s = {.edge_order = edge_order, .even = !spacing || spacing->ndim == 0};
    OWNED_ARRAYS(distances, wide);
    STRIA_TRY(stria__check_view(a, "gradient", "a"));
    if (spacing) STRIA_TRY(stria__check_view(spacing, "gradient", "spacing"));
    STRIA_TRY(stria__wrap_dim(&s.dim, dim, a->ndim, "gradient"));
    STRIA_TRY(stria__check_number(a->dtype, "gradient", "a"));
    s.n = a->shape[s.dim];
    if (edge_order < 1 || edge_order > 2)
        return stria__fail(STRIA_ERR_ARGUMENT, "gradient: edge_order is %d, wants 1 or 2",
                           edge_order);
    if (s.n <= edge_order)
        return stria__fail(STRIA_ERR_SHAPE, "gradient: %lld elements along dim %d, wants %d",
                           (long long)s.n, s.dim, edge_order + 1);
    const stria_dtype dtype = a->dtype.kind < STRIA_F8E4M3
                                  ? stria_dtype_of(STRIA_F64)
                                  : stria_dtype_of((stria_kind)a->dtype.kind);
    STRIA_TRY(stria__empty_like_memory(made, a, dtype, a->ndim, a->shape, STRIA_ORDER_C));
    if (view_is_meta(a)) return STRIA_OK;
    STRIA_TRY(stria_astype(&wide, a, dtype, STRIA_CAST_UNSAFE, STRIA_COPY_IF_NEEDED, NULL, NULL));
    STRIA_TRY(distances_of(&distances, &s, spacing));
    view_copy(&s.a, &wide.view);
    view_copy(&s.to, &made->view);
    s.distances = (const double *)(const void *)distances.view.data;
    STRIA_TRY(write_inside(&s));
    STRIA_TRY(write_edge(&s, false));
    return write_edge(&s, true);
}

COMPOSED(gradient, (const stria_view *a, const stria_view *spacing, int dim, int edge_order),
         gradient(&made, a, spacing, dim, edge_order))
