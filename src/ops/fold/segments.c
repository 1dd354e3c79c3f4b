/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds of parts of a dim: between offsets, and of the elements that have one label. */
#include <string.h>

#include "base/alloc.h"
#include "ops/doors.h"
#include "ops/fold/steps.h"
#include "ops/index/indexed.h"
#include "ops/operands.h"
#include "stria/fold.h"

/* Parts of a dim, in memory of their own, since what they lie in may be changed meanwhile. */
struct parts {
    struct steps steps;
    const stria_view *a;
    int dim;
    int64_t n, count; /* Elements along the dim, and results. */
    int64_t *offsets; /* count + 1 of them. */
    bool labels;
    int64_t *order; /* The elements of all labels in turn, where they are labels. */
    stria_array memory, numbers;
};

static void parts_drop(const struct parts *p)
{
    array_drop(&p->memory);
    array_drop(&p->numbers);
}

#define OWNED_PARTS(name)                                                                          \
    __attribute__((cleanup(parts_drop))) struct parts name;                                        \
    array_none(&(name).memory);                                                                    \
    array_none(&(name).numbers)

static stria_status check_parts(struct parts *p, bool labels, stria_op op, const stria_view *a,
                                int dim, const stria_reduce_options *options,
                                const stria_exec *exec)
{
    struct steps *const s = &p->steps;
    uint64_t set;
    STRIA_TRY(stria__find_steps(s, op, a, options ? options->dtype : NULL, true, exec));
    if (options) {
        STRIA_TRY(stria__check_reserved(options->reserved, "options of segments"));
        if (options->ddof != 0 || options->p != 0 || options->mask)
            return stria__fail(STRIA_ERR_ARGUMENT, "%s: segments take no mask, no ddof and no p",
                               s->row->name);
        STRIA_TRY(stria__steps_begin(s, options->initial));
    }
    if (a->ndim == 0)
        return stria__fail(STRIA_ERR_DIM, "%s: a has no dims, wants 1 or more", s->row->name);
    STRIA_TRY(stria__dim_set(&set, a->ndim, 1, &dim, s->row->name));
    p->a = a;
    p->dim = __builtin_ctzll(set);
    p->n = a->shape[p->dim];
    p->labels = labels;
    p->order = NULL;
    return STRIA_OK;
}

/* Copies integers, so that nobody else changes them. *numbers is not for those without memory. */
static stria_status read_numbers(struct parts *p, const stria_view *from, const char *what)
{
    const char *const name = p->steps.row->name;
    STRIA_TRY(stria__check_view(from, name, what));
    if (from->ndim != 1)
        return stria__fail(STRIA_ERR_SHAPE, "%s: %s have %d dims, must have 1", name, what,
                           (int)from->ndim);
    if (!is_integer_kind((stria_kind)from->dtype.kind))
        return stria__fail(STRIA_ERR_DTYPE, "%s: %s are %s; they are integers", name, what,
                           stria__dtype_text(from->dtype).text);
    STRIA_TRY(stria__check_memory(from, name, what));
    STRIA_TRY(stria_empty(&p->numbers, dtype_of_number(STRIA_I64), 1, from->shape));
    return stria_copy(&p->numbers.view, from, NULL);
}

/* Refuses a result of no elements, where there is none. */
static stria_status check_none(const struct parts *p, const char *what)
{
    const char *const name = p->steps.row->name;
    if (steps_of_none(&p->steps)) return STRIA_OK;
    for (int64_t k = 0; k < p->count; k++)
        if (p->offsets[k] == p->offsets[k + 1])
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: %s %lld has no elements, and nothing is the %s of none; give "
                               "an initial value",
                               name, what, (long long)k, name);
    return STRIA_OK;
}

/* Reads offsets and checks that they never decrease, inside the dim. */
static stria_status read_offsets(struct parts *p, const stria_view *offsets)
{
    const char *const name = p->steps.row->name;
    STRIA_TRY(read_numbers(p, offsets, "offsets"));
    p->count = p->numbers.view.shape[0] - 1;
    p->offsets = (int64_t *)(void *)p->numbers.view.data;
    if (p->count < 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: there are no offsets, wants one or more", name);
    for (int64_t k = 0; k <= p->count; k++) {
        const int64_t at = p->offsets[k], before = k ? p->offsets[k - 1] : 0;
        if (at < 0 || at > p->n)
            return stria__fail(STRIA_ERR_INDEX,
                               "%s: offset %lld is %lld, outside a dim of %lld elements", name,
                               (long long)k, (long long)at, (long long)p->n);
        if (at < before)
            return stria__fail(STRIA_ERR_INDEX,
                               "%s: offset %lld is %lld, below the one before it, %lld; offsets "
                               "never decrease",
                               name, (long long)k, (long long)at, (long long)before);
    }
    return check_none(p, "segment");
}

/* Tells whether loops that combine elements by an index do it. */
static bool combines_labels(const struct parts *p)
{
    return p->labels && p->steps.rule.combine != STRIA_REDUCE_NONE;
}

/* Reads labels, counts the elements of each, and lists them in turn. */
static stria_status read_labels(struct parts *p, const stria_view *labels, int64_t bins)
{
    const char *const name = p->steps.row->name;
    int64_t size;
    STRIA_TRY(read_numbers(p, labels, "labels"));
    const int64_t *const label = (const int64_t *)(const void *)p->numbers.view.data;
    if (p->numbers.view.shape[0] != p->n)
        return stria__fail(STRIA_ERR_SHAPE, "%s: %lld labels of %lld elements along dim %d", name,
                           (long long)p->numbers.view.shape[0], (long long)p->n, p->dim);
    WATCHES(NULL);
    for (int64_t i = 0; i < p->n; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        if (label[i] < 0 || label[i] >= bins)
            return stria__fail(STRIA_ERR_INDEX,
                               "%s: label %lld of element %lld is not from 0 to %lld", name,
                               (long long)label[i], (long long)i, (long long)(bins - 1));
    }
    /* Loops that take labels need neither the offsets nor the order. */
    if (combines_labels(p) && steps_of_none(&p->steps)) {
        p->count = bins;
        return STRIA_OK;
    }
    if (add_overflows(bins, p->n + 2, &size))
        return stria__fail(STRIA_ERR_OVERFLOW, "%s: %lld results", name, (long long)bins);
    STRIA_TRY(stria_zeros(&p->memory, dtype_of_number(STRIA_I64), 1, &size));
    /* offsets[k + 1] is where the next element of label k goes, and in the end where they end. */
    p->count = bins;
    p->offsets = (int64_t *)(void *)p->memory.view.data;
    p->order = p->offsets + bins + 2;
    for (int64_t i = 0; i < p->n; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        p->offsets[label[i] + 2]++;
    }
    for (int64_t k = 0; k < bins; k++)
        p->offsets[k + 2] += p->offsets[k + 1];
    for (int64_t i = 0; i < p->n; i++) {
        if (i % ASKED_STEPS == 0 && stria__is_stopped()) return stria__watch_end(NULL);
        p->order[p->offsets[label[i] + 1]++] = i;
    }
    return check_none(p, "label");
}

/* ---- running --------------------------------------------------------------------------------- */

/* Combines the elements where their labels say, by the library's own loops for that. */
static stria_status combine_labels(const struct parts *p, const stria_view *out)
{
    const struct steps *const s = &p->steps;
    const char *const first = steps_of_none(s);
    stria_view item;
    OWNED_ARRAY(made);
    STRIA_TRY(stria__empty_as(&made, out, s->takes, STRIA_ORDER_C, s->row->name));
    if (first) {
        view_of_item(&item, first, (stria_kind)s->takes.kind);
        STRIA_TRY(stria_copy(&made.view, &item, NULL));
    }
    STRIA_TRY(stria_index_reduce(&made.view, &p->numbers.view, p->a, p->dim, s->rule.combine,
                                 first != NULL, s->exec));
    return stria_copy(out, &made.view, NULL);
}

/*
 * Tells whether each segment is a reduction: few lines of long segments, of an operation that has
 * one.
 */
static bool are_long(const struct parts *p)
{
    enum { LINES = 8, LONG = 64 };
    const int64_t lines = stria_numel(p->a) / p->n;
    return p->steps.rule.reduction >= 0 && !p->steps.starts && lines < LINES &&
           p->n / LONG >= p->count && (p->steps.rule.associative || p->steps.rule.combine);
}

static stria_status reduce_segments(const struct parts *p, const stria_view *out)
{
    const stria_reduction op = (stria_reduction)p->steps.rule.reduction;
    stria_view to, from, item;
    OWNED_ARRAY(made);
    STRIA_TRY(stria__empty_as(&made, out, out->dtype, STRIA_ORDER_C, p->steps.row->name));
    for (int64_t k = 0; k < p->count; k++) {
        const int64_t first = p->offsets[k], n = p->offsets[k + 1] - first;
        STRIA_TRY(stria_select(&to, &made.view, p->dim, k));
        STRIA_TRY(stria_narrow(&from, p->a, p->dim, first, n));
        view_of_item(&item, steps_of_none(&p->steps), (stria_kind)p->steps.takes.kind);
        STRIA_TRY(n == 0 ? stria_copy(&to, &item, NULL)
                         : stria_reduce_dims(&to, op, &from, 1, &p->dim, NULL, p->steps.exec));
    }
    return stria_copy(out, &made.view, NULL);
}

static stria_status write_parts(void *arg, const stria_view *out)
{
    const struct parts *const p = arg;
    const struct steps *const s = &p->steps;
    stria_view item, order;
    OWNED_ARRAY(sorted);
    if (p->n == 0) {
        view_of_item(&item, steps_of_none(s), (stria_kind)s->takes.kind);
        return stria_copy(out, &item, NULL);
    }
    if (combines_labels(p)) return combine_labels(p, out);
    if (!p->labels)
        return are_long(p) ? reduce_segments(p, out)
                           : stria__run_steps(s, out, p->a, p->dim, p->offsets, p->count);
    STRIA_TRY(stria_view_foreign(&order, p->order, dtype_of_number(STRIA_I64), 1, &p->n, NULL, 0));
    STRIA_TRY(stria_take_dim_new(&sorted, p->a, &order, p->dim, STRIA_INDEX_STRICT, NULL));
    return stria__run_steps(s, out, &sorted.view, p->dim, p->offsets, p->count);
}

static stria_status parts_into(struct parts *p, const stria_view *out)
{
    const struct output to = {p->steps.row->name, "out", out, p->steps.exec};
    bool apart;
    if (view_is_meta(out) || view_is_meta(p->a) || stria_numel(out) == 0) return STRIA_OK;
    /* The elements whose label or segment has another one before them are second inputs. */
    STRIA_TRY(stria__check_steps(&p->steps, p->a, p->dim, 0));
    STRIA_TRY(stria__check_apart(&apart, &to, p->a, "a", false));
    return stria__write_apart(&to, apart, write_parts, p);
}

/* Computes into out, or into a new array if that is NULL. */
static stria_status run_parts(struct parts *p, const stria_view *out, stria_array *made)
{
    const int ndim = p->a->ndim;
    int64_t shape[STRIA_MAX_NDIM];
    OWNED_ARRAY(fresh);
    memcpy(shape, p->a->shape, (size_t)ndim * sizeof *shape);
    shape[p->dim] = p->count;
    if (out) {
        STRIA_TRY(stria__check_out(out, ndim, shape, p->steps.result, p->steps.row->name));
        return parts_into(p, out);
    }
    STRIA_TRY(stria__empty_like_memory(&fresh, p->a, p->steps.result, ndim, shape, STRIA_ORDER_C));
    return stria__deliver(made, &fresh, parts_into(p, &fresh.view));
}

static stria_status segment_op(const stria_view *out, stria_array *made, stria_op op,
                               const stria_view *a, const stria_view *offsets, int dim,
                               const stria_reduce_options *options, const stria_exec *exec)
{
    COMPUTES(exec);
    OWNED_PARTS(p);
    if (!out && !made) return stria__fail(STRIA_ERR_ARGUMENT, "segment_op: out is NULL");
    STRIA_TRY(check_parts(&p, false, op, a, dim, options, exec));
    if (out) STRIA_TRY(stria__check_writable(out, p.steps.row->name, "out"));
    STRIA_TRY(read_offsets(&p, offsets));
    return run_parts(&p, out, made);
}

DOORS(segment_op,
      (stria_op op, const stria_view *a, const stria_view *offsets, int dim,
       const stria_reduce_options *options),
      segment_op(out, made, op, a, offsets, dim, options, exec))

stria_status stria_label_op(const stria_view *out, stria_op op, const stria_view *a,
                            const stria_view *labels, int dim, const stria_reduce_options *options,
                            const stria_exec *exec)
{
    COMPUTES(exec);
    OWNED_PARTS(p);
    STRIA_TRY(check_parts(&p, true, op, a, dim, options, exec));
    STRIA_TRY(stria__check_writable(out, p.steps.row->name, "out"));
    if (out->ndim != a->ndim)
        return stria__fail(STRIA_ERR_SHAPE, "%s: out has %d dims, a has %d", p.steps.row->name,
                           (int)out->ndim, (int)a->ndim);
    STRIA_TRY(read_labels(&p, labels, out->shape[p.dim]));
    return run_parts(&p, out, NULL);
}

stria_status stria_label_op_new(stria_array *out, stria_op op, const stria_view *a,
                                const stria_view *labels, int dim, int64_t bins,
                                const stria_reduce_options *options, const stria_exec *exec)
{
    COMPUTES(exec);
    OWNED_PARTS(p);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "label_op: out is NULL");
    STRIA_TRY(check_parts(&p, true, op, a, dim, options, exec));
    if (bins < 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %lld bins, takes 0 or more", p.steps.row->name,
                           (long long)bins);
    STRIA_TRY(read_labels(&p, labels, bins));
    return run_parts(&p, NULL, out);
}
