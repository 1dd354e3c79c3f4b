/* SPDX-License-Identifier: BSD-3-Clause */
/* Correlations and reductions in windows: checks and the meaning of operands. */
#include <string.h>

#include "base/alloc.h"
#include "machine/dispatch.h"
#include "dtype/dtype.h"
#include "base/integers.h"
#include "ops/doors.h"
#include "ops/elementwise/operation.h"
#include "ops/operands.h"
#include "ops/window/boxes.h"
#include "machine/op_loop.h"
#include "base/status.h"
#include "stria/complex.h"
#include "stria/value.h"
#include "stria/window_ops.h"

/* A call: its operands, and the results of the checks. */
struct window_call {
    const char *name;
    const stria_view *a, *weights; /* If weights is NULL it is a reduction. */
    stria_reduction op;
    const int64_t *window;
    struct padding padding;
    const stria_exec *exec;
    stria_dtype result;
    struct windows work;
};

/* ---- checks ---------------------------------------------------------------------------------- */

/* Returns the dtype in which real elements are computed. */
static stria_kind kind_in(stria_dtype dtype)
{
    if (dtype.kind == STRIA_F64 || dtype.kind == STRIA_C128) return STRIA_F64;
    if (dtype.kind >= STRIA_F16) return STRIA_F32;
    return dtype.itemsize == 8 ? STRIA_I64 : STRIA_I32;
}

static stria_status find_dtypes(struct window_call *c)
{
    const bool extreme = !c->weights && (c->op == STRIA_MAX || c->op == STRIA_MIN);
    STRIA_TRY(stria__check_number(c->a->dtype, c->name, "a"));
    c->result = stria_dtype_of((stria_kind)c->a->dtype.kind);
    if (c->weights) {
        STRIA_TRY(stria__check_number(c->weights->dtype, c->name, "weights"));
        if (stria_dtype_is_complex(c->weights->dtype))
            return stria__refuse_dtype(c->weights->dtype, c->name, "weights",
                                       ": weights are real numbers");
        STRIA_TRY(stria_promote(&c->result, c->a->dtype, c->weights->dtype, promotion_of(c->exec)));
    }
    if (c->op == STRIA_MEAN && c->result.kind < STRIA_F8E4M3) c->result = stria_dtype_of(STRIA_F64);
    if (is_float8_kind((stria_kind)c->result.kind) || (c->result.kind == STRIA_BOOL && !extreme))
        return stria__refuse_dtype(c->result, c->name, "the result", ": cast a to a wider dtype");
    c->work.kind = kind_in(c->result);
    if (!extreme) return stria__check_built(stria_dtype_of(c->work.kind), c->name);
    if (stria_dtype_is_complex(c->result))
        return stria__refuse_dtype(c->result, c->name, "a", ": complex numbers have no order");
    c->work.kind = (stria_kind)c->result.kind;
    STRIA_TRY(stria__check_built(c->result, c->name));
    c->work.extreme =
        op_loop(stria__kernels(), c->op == STRIA_MAX ? STRIA_MAXIMUM : STRIA_MINIMUM, c->work.kind);
    return STRIA_OK;
}

/* Checks the window, and computes the shape of the result. */
static stria_status find_shape(struct window_call *c, int64_t *shape)
{
    int64_t elements = 1;
    for (int d = 0; d < c->a->ndim; d++) {
        const int64_t k = c->weights ? c->weights->shape[d] : c->window[d], n = c->a->shape[d];
        if (k < 1)
            return stria__fail(STRIA_ERR_SHAPE, "%s: the window has %lld elements along dim %d",
                               c->name, (long long)k, d);
        const bool none = c->padding.mode == STRIA_PAD_NONE;
        if ((none && k > n) || (n == 0 && c->padding.mode != STRIA_PAD_CONSTANT))
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: a window of %lld elements does not fit in dim %d of %lld",
                               c->name, (long long)k, d, (long long)n);
        if (mul_overflows(elements, k, &elements) || k > INT64_MAX / 4 || n > INT64_MAX / 4)
            return stria__fail(STRIA_ERR_OVERFLOW, "%s: the elements of a window overflow 64 bits",
                               c->name);
        c->work.window[d] = k;
        c->work.first[d] = none ? 0 : -(k / 2);
        shape[d] = none ? n - k + 1 : n;
    }
    c->work.divisor = c->op == STRIA_MEAN ? elements : 1;
    return STRIA_OK;
}

static stria_status check_windows(struct window_call *c, int64_t *shape)
{
    STRIA_TRY(stria__check_exec(c->exec, c->name));
    STRIA_TRY(stria__check_view(c->a, c->name, "a"));
    if (c->weights) {
        STRIA_TRY(stria__check_view(c->weights, c->name, "weights"));
        if (c->weights->ndim != c->a->ndim)
            return stria__fail(STRIA_ERR_SHAPE, "%s: weights have %d dims, a has %d", c->name,
                               (int)c->weights->ndim, (int)c->a->ndim);
        if (!view_is_meta(c->a)) STRIA_TRY(stria__check_memory(c->weights, c->name, "weights"));
    } else if (c->op != STRIA_SUM && c->op != STRIA_MEAN && c->op != STRIA_MAX &&
               c->op != STRIA_MIN) {
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: reduction %d is no sum, mean, max or min",
                           c->name, (int)c->op);
    } else if (!c->window && c->a->ndim > 0) {
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: window is NULL", c->name);
    }
    STRIA_TRY(find_dtypes(c));
    STRIA_TRY(stria__check_padding(&c->padding, c->result, c->name));
    return find_shape(c, shape);
}

/* ---- weights --------------------------------------------------------------------------------- */

static bool is_zero(const char *item, stria_kind kind)
{
    const struct element e = stria__element_load(stria_dtype_of(kind), 0, item);
    return e.is_float ? e.real == 0 : e.magnitude == 0;
}

/* Keeps the weights that are not 0, or the first one if all are. */
static void keep_points(struct windows *w, char *weight, int64_t *point, const stria_view *weights)
{
    const size_t item = (size_t)stria_dtype_of(w->kind).itemsize;
    const int64_t n = stria_numel(weights);
    for (int64_t k = 0; k < n; k++) {
        if (is_zero(weight + (size_t)k * item, w->kind) && (w->points > 0 || k + 1 < n)) continue;
        memmove(weight + (size_t)w->points * item, weight + (size_t)k * item, item);
        stria__index_of(point + w->points * weights->ndim, weights->ndim, weights->shape, k);
        w->points++;
    }
    w->weight = weight;
    w->point = point;
}

/* Stores weights as numbers of the kind, and behind them the indices of those that are not 0. */
static stria_status take_weights(struct memory *memory, struct window_call *c)
{
    static const bool yes = true;
    struct windows *const w = &c->work;
    int64_t n = 1, bytes;
    for (int d = 0; d < c->a->ndim; d++)
        n = c->weights ? n * w->window[d] : w->window[d] > n ? w->window[d] : n;
    const int64_t each = 8 + (c->weights ? 8 * (int64_t)c->a->ndim : 0);
    if (!mul_overflows(n, each, &bytes)) *memory = stria__memory((size_t)bytes);
    char *const weights = memory->at;
    if (!weights)
        return stria__fail(STRIA_ERR_MEMORY, "%s: no memory for %lld weights", c->name,
                           (long long)n);
    stria_view to, one;
    if (!c->weights) { /* The weights of a sum along a dim are 1. */
        w->weight = weights;
        STRIA_TRY(stria_scalar(&one, STRIA_BOOL, &yes));
        STRIA_TRY(stria_view_foreign(&to, weights, stria_dtype_of(w->kind), 1, &n, NULL, 0));
        return stria_copy(&to, &one, NULL);
    }
    STRIA_TRY(stria_view_foreign(&to, weights, stria_dtype_of(w->kind), c->weights->ndim,
                                 c->weights->shape, NULL, 0));
    STRIA_TRY(stria_copy(&to, c->weights, NULL));
    keep_points(w, weights, (int64_t *)(void *)(weights + 8 * n), c->weights);
    return STRIA_OK;
}

/* Computes real numbers, of 1 dim or more. */
static stria_status run_real(struct windows *w, const stria_view *out, const stria_view *a)
{
    static const int64_t here = 0;
    stria_view to = *out, from = *a;
    if (out->ndim == 0) {
        w->point = &here;
        to.ndim = from.ndim = 1;
        to.shape[0] = from.shape[0] = 1;
        to.strides[0] = from.strides[0] = 8;
        w->window[0] = 1;
        w->first[0] = 0;
    }
    w->a = &from;
    return stria__windows_run(w, &to);
}

/* Computes complex numbers by parts; a real value has no imaginary part. */
static stria_status run_parts(struct windows *w, const stria_view *out, const stria_view *a)
{
    stria_view to, from, value;
    const stria_view *const given = w->padding.value;
    for (int i = 0; i < 2; i++) {
        const bool some = given && stria_dtype_is_complex(given->dtype);
        STRIA_TRY(i ? stria_imag(&to, out) : stria_real(&to, out));
        STRIA_TRY(i ? stria_imag(&from, a) : stria_real(&from, a));
        if (some) STRIA_TRY(i ? stria_imag(&value, given) : stria_real(&value, given));
        w->padding.value = some ? &value : i ? NULL : given;
        STRIA_TRY(run_real(w, &to, &from));
    }
    return STRIA_OK;
}

/* Counts the elements that are added or compared: a sum or an extreme goes dim by dim. */
static double work_of(const struct window_call *c, const stria_view *out)
{
    const bool extreme = !c->weights && (c->op == STRIA_MAX || c->op == STRIA_MIN);
    double each = c->weights ? 1 : 0;
    for (int d = 0; d < c->a->ndim; d++) {
        const double n = extreme ? 1 : (double)c->work.window[d];
        each = c->weights ? each * n : each + n;
    }
    return each * (double)stria_numel(out);
}

static stria_status write_windows(void *arg, const stria_view *to)
{
    struct window_call *const c = arg;
    __attribute__((cleanup(stria__memory_free))) struct memory weights = {0}, room = {0};
    OWNED_ARRAY(result);
    const stria_view *out = to;
    STRIA_TRY(stria__budget_work(work_of(c, to)));
    c->work.room = &room;
    STRIA_TRY(take_weights(&weights, c));
    /* Boxes hold real numbers: complex ones cannot go to a real output, nor real ones to a complex
     * one. */
    const bool is_complex = stria_dtype_is_complex(c->a->dtype);
    if (is_complex != stria_dtype_is_complex(to->dtype)) {
        STRIA_TRY(stria_empty(&result, c->result, to->ndim, to->shape));
        out = &result.view;
    }
    STRIA_TRY(is_complex ? run_parts(&c->work, out, c->a) : run_real(&c->work, out, c->a));
    return out == to ? STRIA_OK : stria_copy(to, out, NULL);
}

static stria_status windows_into(struct window_call *c, const stria_view *out, const int64_t *shape)
{
    bool apart;
    const struct output output = {c->name, "out", out, c->exec};
    STRIA_TRY(stria__check_writable(out, c->name, "out"));
    STRIA_TRY(stria__check_out(out, c->a->ndim, shape, c->result, c->name));
    if (view_is_meta(out) || view_is_meta(c->a) || stria_numel(out) == 0) return STRIA_OK;
    STRIA_TRY(stria__check_apart(&apart, &output, c->a, "a", false));
    STRIA_TRY(stria__and_apart(&apart, &output, c->weights, "weights"));
    STRIA_TRY(stria__and_apart(&apart, &output, c->padding.value, "value"));
    c->work.padding = c->padding;
    c->work.exec = c->exec;
    return stria__write_apart(&output, apart, write_windows, c);
}

/* Computes into out, or into a new array if that is NULL. */
static stria_status run_windows(struct window_call *c, const stria_view *out, stria_array *made,
                                const stria_window_options *options, int count)
{
    IN_DEFAULT_FP_MODE;
    OBEYS(c->exec);
    int64_t shape[STRIA_MAX_NDIM];
    OWNED_ARRAY(fresh);
    STRIA_TRY(stria__read_padding(&c->padding, options, count, c->a, c->name));
    if (!out && !made) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", c->name);
    STRIA_TRY(check_windows(c, shape));
    if (out) return windows_into(c, out, shape);
    STRIA_TRY(stria__empty_like_memory(&fresh, c->a, c->result, c->a->ndim, shape, STRIA_ORDER_C));
    return stria__deliver(made, &fresh, windows_into(c, &fresh.view, shape));
}

static stria_status correlate(const stria_view *out, stria_array *made, const stria_view *a,
                              const stria_view *weights, const stria_window_options *options,
                              const stria_exec *exec)
{
    struct window_call c = {
        .name = "correlate", .a = a, .weights = weights, .op = STRIA_SUM, .exec = exec};
    STRIA_TRY(stria__check_view(weights, c.name, "weights"));
    return run_windows(&c, out, made, options, a ? a->ndim : 0);
}

DOORS(correlate,
      (const stria_view *a, const stria_view *weights, const stria_window_options *options),
      correlate(out, made, a, weights, options, exec))

static stria_status window_reduce(const stria_view *out, stria_array *made, stria_reduction op,
                                  const stria_view *a, int count, const int64_t *window,
                                  const stria_window_options *options, const stria_exec *exec)
{
    struct window_call c = {
        .name = "window_reduce", .a = a, .op = op, .window = window, .exec = exec};
    return run_windows(&c, out, made, options, count);
}

DOORS(window_reduce,
      (stria_reduction op, const stria_view *a, int count, const int64_t *window,
       const stria_window_options *options),
      window_reduce(out, made, op, a, count, window, options, exec))
