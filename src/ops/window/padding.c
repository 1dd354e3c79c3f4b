/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pads by copies. Along each dim indices beyond the edges fall into runs that stand for adjacent
 * elements, forwards or backwards, for one element again and again, or for the constant. A padded
 * copy copies a view for each combination of runs.
 */
#include "dtype/dtype.h"
#include "base/integers.h"
#include "ops/operands.h"
#include "ops/window/boxes.h"
#include "base/status.h"

/* A run of n indices: element `at` and those `step` apart from each other; step 2: the constant. */
struct run {
    int64_t at, n;
    int step;
};
enum { STEP_CONSTANT = 2 };

/* Returns the run that begins at index i of a dim of n elements, 1 or more unless the mode is
 * constant. */
static struct run run_at(int64_t i, int64_t n, stria_pad_mode mode)
{
    if (i >= 0 && i < n) return (struct run){i, n - i, 1};
    if (mode == STRIA_PAD_CONSTANT) return (struct run){0, i < 0 ? -i : INT64_MAX, STEP_CONSTANT};
    if (mode == STRIA_PAD_EDGE || n == 1)
        return i < 0 ? (struct run){0, -i, 0} : (struct run){n - 1, INT64_MAX, 0};
    if (mode == STRIA_PAD_WRAP) return (struct run){modulo(i, n), n - modulo(i, n), 1};
    const int64_t twice = mode == STRIA_PAD_REFLECT ? 2 * n - 2 : 2 * n, r = modulo(i, twice);
    if (r < n) return (struct run){r, n - r, 1};
    return (struct run){mode == STRIA_PAD_REFLECT ? twice - r : twice - 1 - r, twice - r, -1};
}

static stria_status fill_padding(const stria_view *dst, const struct padding *p,
                                 const stria_exec *exec)
{
    return p->value ? stria_copy(dst, p->value, exec) : stria__fill_zero(dst);
}

stria_status stria__copy_padded(const stria_view *dst, const stria_view *a, const int64_t *first,
                                int d, const struct padding *p, const stria_exec *exec)
{
    if (d == a->ndim) return stria_copy(dst, a, exec);
    const int64_t n = a->shape[d], all = dst->shape[d];
    for (int64_t i = 0; i < all;) {
        struct run run = run_at(first[d] + i, n, p->mode);
        stria_view to = *dst, from = *a;
        run.n = least(run.n, all - i);
        to.data = stria__at(dst->data, i, dst->strides[d]);
        to.shape[d] = from.shape[d] = run.n;
        i += run.n;
        if (run.step == STEP_CONSTANT) {
            STRIA_TRY(fill_padding(&to, p, exec));
            continue;
        }
        from.data = stria__at(a->data, run.at, a->strides[d]);
        from.strides[d] = run.step * a->strides[d];
        STRIA_TRY(stria__copy_padded(&to, &from, first, d + 1, p, exec));
    }
    return STRIA_OK;
}

stria_status stria__check_padding(const struct padding *p, stria_dtype dtype, const char *op)
{
    if ((unsigned)p->mode >= STRIA_PAD_MODES)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there is no mode %d", op, (int)p->mode);
    if (!p->value) return STRIA_OK;
    STRIA_TRY(stria__check_view(p->value, op, "value"));
    if (p->value->ndim != 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: value has %d dims, wants none", op,
                           (int)p->value->ndim);
    STRIA_TRY(stria__check_memory(p->value, op, "value"));
    const bool weak = p->value->flags & STRIA_WEAK;
    if (weak || stria_can_cast(p->value->dtype, dtype, STRIA_CAST_SAME_KIND)) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE, "%s: value is %s, which does not cast to %s", op,
                       stria__dtype_text(p->value->dtype).text, stria__dtype_text(dtype).text);
}

stria_status stria__read_padding(struct padding *out, const stria_window_options *options,
                                 int count, const stria_view *a, const char *op)
{
    *out = (struct padding){STRIA_PAD_NONE, NULL};
    if (options) *out = (struct padding){options->mode, options->value};
    if (options) STRIA_TRY(stria__check_reserved(options->reserved, "options of a window"));
    STRIA_TRY(stria__check_view(a, op, "a"));
    if (count == a->ndim) return STRIA_OK;
    return stria__fail(STRIA_ERR_SHAPE, "%s: %d numbers for a of %d dims", op, count, (int)a->ndim);
}

struct pad {
    const stria_view *a;
    const int64_t *before;
    struct padding padding;
    const stria_exec *exec;
};

/* The options of a call without any: zeros lie beyond the edges. */
static const stria_window_options zeros = {.mode = STRIA_PAD_CONSTANT};

static stria_status check_padding(const struct pad *c)
{
    STRIA_TRY(stria__check_exec(c->exec, "pad"));
    STRIA_TRY(stria__check_view(c->a, "pad", "a"));
    if (!c->before && c->a->ndim > 0) return stria__fail(STRIA_ERR_ARGUMENT, "pad: before is NULL");
    if (c->padding.mode == STRIA_PAD_NONE)
        return stria__fail(STRIA_ERR_ARGUMENT, "pad: mode none goes nowhere");
    return stria__check_padding(&c->padding, c->a->dtype, "pad");
}

static stria_status check_edges(const stria_view *out, const struct pad *c)
{
    if (out->ndim != c->a->ndim)
        return stria__fail(STRIA_ERR_SHAPE, "pad: out has %d dims, a has %d", (int)out->ndim,
                           (int)c->a->ndim);
    for (int d = 0; d < out->ndim; d++) {
        int64_t last, first;
        if (sub_overflows(0, c->before[d], &first) || add_overflows(first, out->shape[d], &last))
            return stria__fail(STRIA_ERR_OVERFLOW, "pad: %lld elements before dim %d overflow",
                               (long long)c->before[d], d);
        if (c->a->shape[d] == 0 && out->shape[d] > 0 && c->padding.mode != STRIA_PAD_CONSTANT)
            return stria__fail(STRIA_ERR_SHAPE, "pad: dim %d has no elements that could go on", d);
    }
    return STRIA_OK;
}

static stria_status write_padded(void *arg, const stria_view *to)
{
    const struct pad *const c = arg;
    int64_t first[STRIA_MAX_NDIM];
    for (int d = 0; d < to->ndim; d++)
        first[d] = -c->before[d];
    return stria__copy_padded(to, c->a, first, 0, &c->padding, c->exec);
}

stria_status stria_pad(const stria_view *out, const stria_view *a, int count, const int64_t *before,
                       const stria_window_options *options, const stria_exec *exec)
{
    COMPUTES(exec);
    struct pad c = {.a = a, .before = before, .exec = exec};
    const struct output output = {"pad", "out", out, exec};
    bool apart;
    STRIA_TRY(stria__read_padding(&c.padding, options ? options : &zeros, count, a, "pad"));
    STRIA_TRY(check_padding(&c));
    STRIA_TRY(stria__check_writable(out, "pad", "out"));
    STRIA_TRY(check_edges(out, &c));
    STRIA_TRY(stria__check_result(a->dtype, out, STRIA_CAST_SAME_KIND, "pad", "out"));
    STRIA_TRY(stria__check_itself(out, "pad", "out"));
    if (view_is_meta(out) || view_is_meta(a) || stria_numel(out) == 0) return STRIA_OK;
    STRIA_TRY(stria__check_apart(&apart, &output, a, "a", false));
    STRIA_TRY(stria__and_apart(&apart, &output, c.padding.value, "value"));
    return stria__write_apart(&output, apart, write_padded, &c);
}

stria_status stria_pad_new(stria_array *out, const stria_view *a, int count, const int64_t *before,
                           const int64_t *after, const stria_window_options *options,
                           const stria_exec *exec)
{
    int64_t shape[STRIA_MAX_NDIM];
    struct pad c = {.a = a, .before = before, .exec = exec};
    MAKES(made, out, "pad");
    STRIA_TRY(stria__read_padding(&c.padding, options ? options : &zeros, count, a, "pad"));
    STRIA_TRY(check_padding(&c));
    if (!after && a->ndim > 0) return stria__fail(STRIA_ERR_ARGUMENT, "pad: after is NULL");
    for (int d = 0; d < a->ndim; d++) {
        if (add_overflows(a->shape[d], before[d], &shape[d]) ||
            add_overflows(shape[d], after[d], &shape[d]))
            return stria__fail(STRIA_ERR_OVERFLOW, "pad: dim %d of %lld elements overflows", d,
                               (long long)a->shape[d]);
        if (shape[d] < 0)
            return stria__fail(STRIA_ERR_SHAPE, "pad: dim %d would have %lld elements", d,
                               (long long)shape[d]);
    }
    STRIA_TRY(stria__make_of(&made, a, a->ndim, shape));
    return stria__deliver(out, &made, stria_pad(&made.view, a, count, before, options, exec));
}
