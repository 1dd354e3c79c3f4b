/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The message for a shape that has no view: the two old dims that do not act as one, the equation
 * that fails with its numbers, the bytes that a copy would take, and, where there is one, the order
 * of dims under which a view would exist.
 *
 * Orders are searched depth first from the innermost dim outwards, in ascending order of |stride|,
 * so that the memory order is tried first. A partial order is abandoned as soon as one of its runs
 * does not fill new dims exactly; the search ends after a fixed number of steps, which affects the
 * message only.
 */
#include "layout/layout.h"

#include <stdio.h>

#include "base/status.h"

struct search {
    const struct geometry *a;
    int ndim; /* Number of dims of the new shape. */
    const int64_t *shape;
    int candidates[STRIA_MAX_NDIM]; /* Old dims by ascending |stride|. */
    int order[STRIA_MAX_NDIM];      /* The permutation, filled from its end. */
    uint64_t used;
    int steps_left;
};

/* An arithmetic progression that grows to the left, and how much of it new dims have taken. */
struct run {
    int64_t step, length, filled;
    int at; /* The next new dim. */
};

static struct run fill_run(const struct search *s, struct run run)
{
    while (run.at >= 0 && (run.filled < run.length || s->shape[run.at] == 1))
        run.filled *= s->shape[run.at--];
    return run;
}

/* Puts old dim d on the left: into the run, or into a new one when new dims fill this one. */
static bool extend(const struct search *s, struct run *run, int d)
{
    const int64_t n = s->a->shape[d], stride = s->a->strides[d];
    if (n != 1 && stride != scaled_stride(run->step, run->length)) {
        const struct run done = fill_run(s, *run);
        if (done.filled != done.length) return false;
        *run = (struct run){.step = stride, .length = 1, .filled = 1, .at = done.at};
    }
    run->length *= n;
    return true;
}

static bool place_dims(struct search *s, int left, struct run run)
{
    if (left < 0) return fill_run(s, run).filled == run.length;
    for (int i = 0; i < s->a->ndim && s->steps_left > 0; i++) {
        const int d = s->candidates[i];
        if (s->used >> d & 1) continue;
        s->steps_left--;
        struct run longer = run;
        if (!extend(s, &longer, d)) continue;
        s->used |= UINT64_C(1) << d;
        s->order[left] = d;
        if (place_dims(s, left - 1, longer)) return true;
        s->used &= ~(UINT64_C(1) << d);
    }
    return false;
}

/*
 * Returns true, with the permutation in order[], when an order was found under which the view
 * exists.
 */
static bool find_order(struct search *s)
{
    for (int d = s->a->ndim - 1, n = 0; d >= 0; d--, n++) {
        int i = n;
        for (;
             i > 0 && magnitude(s->a->strides[s->candidates[i - 1]]) > magnitude(s->a->strides[d]);
             i--)
            s->candidates[i] = s->candidates[i - 1];
        s->candidates[i] = d;
    }
    /* The first dim starts a run of its own: it extends an empty run. */
    for (int i = 0; i < s->a->ndim; i++) {
        const int d = s->candidates[i];
        s->used = UINT64_C(1) << d;
        s->order[s->a->ndim - 1] = d;
        const struct run run = {s->a->strides[d], s->a->shape[d], 1, s->ndim - 1};
        if (place_dims(s, s->a->ndim - 2, run)) return true;
    }
    return false;
}

static void order_text(char *text, size_t size, const struct geometry *a, int ndim,
                       const int64_t *shape)
{
    struct search s = {.a = a, .ndim = ndim, .shape = shape, .steps_left = 2000};
    if (!find_order(&s)) {
        (void)snprintf(text, size, "%s",
                       s.steps_left > 0 ? "no order of the dims has such a view" : "");
        return;
    }
    int64_t order[STRIA_MAX_NDIM];
    for (int d = 0; d < a->ndim; d++)
        order[d] = s.order[d];
    (void)snprintf(text, size, "permute%s first would make it a view (of other element order)",
                   stria__dims_text(a->ndim, order).text);
}

stria_status stria__refuse_reshape(const struct geometry *a, int ndim, const int64_t *shape,
                                   struct mismatch mismatch, stria_order order, const char *op)
{
    char remedy[256] = "";
    if (order == STRIA_ORDER_C) order_text(remedy, sizeof remedy, a, ndim, shape);
    const int i = mismatch.outer, j = mismatch.inner;
    return stria__fail(
        STRIA_ERR_STRIDE,
        "%s: shape %s with strides %s has no view as %s%s: new dim %d (size %lld) covers old dims "
        "%d and %d, but stride[%d] = %lld bytes is not stride[%d] * size[%d] = %lld x %lld = %lld "
        "bytes; reshape would copy %lld bytes%s%s",
        op, stria__dims_text(a->ndim, a->shape).text, stria__dims_text(a->ndim, a->strides).text,
        stria__dims_text(ndim, shape).text, order == STRIA_ORDER_C ? "" : " in Fortran order",
        mismatch.new_dim, (long long)shape[mismatch.new_dim], i, j, i, (long long)a->strides[i], j,
        j, (long long)a->strides[j], (long long)a->shape[j],
        (long long)scaled_stride(a->strides[j], a->shape[j]), (long long)stria__nbytes(a),
        *remedy ? "; " : "", remedy);
}
