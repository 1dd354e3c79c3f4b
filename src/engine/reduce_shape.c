/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts the dims of views into kept and reduced ones, and merges them. */
#include "reduce_shape.h"

#include <string.h>

#include "checked.h"
#include "plan.h"

uint64_t stria__step_rank(const int64_t *s, int inputs)
{
    uint64_t rank = UINT64_MAX;
    for (int k = 0; k < inputs; k++)
        if (magnitude(s[k]) - 1 < rank) rank = magnitude(s[k]) - 1;
    return rank;
}

/* Lets the inputs be read backwards along a dim of n elements. */
static void flip(struct reduce_shape *shape, int64_t n, int64_t *s)
{
    for (int k = 0; k < shape->inputs; k++) {
        shape->in[k] = stria__at(shape->in[k], n - 1, s[k]);
        s[k] = -s[k];
    }
}

static void flip_kept(struct reduce_shape *shape, struct kept_dim *d)
{
    if (d->si[0] >= 0) return;
    flip(shape, d->n, d->si);
    shape->out = stria__at(shape->out, d->n - 1, d->so);
    d->so = -d->so;
}

static void add_kept(struct reduce_shape *shape, struct kept_dim d)
{
    int i = shape->kept++;
    flip_kept(shape, &d);
    const uint64_t rank = stria__step_rank(d.si, shape->inputs);
    for (; i > 0 && stria__step_rank(shape->k[i - 1].si, shape->inputs) > rank; i--)
        shape->k[i] = shape->k[i - 1];
    shape->k[i] = d;
}

/*
 * Adds a reduced dim. Where the order does not matter, dims are read upwards and sorted by their
 * steps.
 */
static void add_reduced(struct reduce_shape *shape, struct reduced_dim d, bool ordered)
{
    int i = shape->reduced++;
    if (!ordered && d.s[0] < 0) flip(shape, d.n, d.s);
    const uint64_t rank = stria__step_rank(d.s, shape->inputs);
    for (; !ordered && i > 0 && stria__step_rank(shape->r[i - 1].s, shape->inputs) > rank; i--)
        shape->r[i] = shape->r[i - 1];
    shape->r[i] = d;
}

/* Tells whether steps s continue the n steps before them in every input. */
static bool continues(const int64_t *before, int64_t n, const int64_t *s, int inputs)
{
    for (int k = 0; k < inputs; k++)
        if (before[k] * n != s[k]) return false;
    return true;
}

static void merge_kept(struct reduce_shape *shape)
{
    int count = 0;
    for (int i = 0; i < shape->kept; i++) {
        struct kept_dim *const last = count > 0 ? &shape->k[count - 1] : NULL;
        const struct kept_dim d = shape->k[i];
        if (last && last->so * last->n == d.so && continues(last->si, last->n, d.si, shape->inputs))
            last->n *= d.n;
        else
            shape->k[count++] = d;
    }
    shape->kept = count;
}

static void merge_reduced(struct reduce_shape *shape)
{
    int count = 0;
    for (int i = 0; i < shape->reduced; i++) {
        struct reduced_dim *const last = count > 0 ? &shape->r[count - 1] : NULL;
        const struct reduced_dim d = shape->r[i];
        if (last && continues(last->s, last->n, d.s, shape->inputs))
            last->n *= d.n;
        else
            shape->r[count++] = d;
    }
    shape->reduced = count;
}

/* Returns the step of a view along dim d of the `ndim` dims that it broadcasts to. */
static int64_t step_along(const stria_view *view, int d, int ndim)
{
    const int own = d - (ndim - view->ndim);
    return own < 0 || view->shape[own] == 1 ? 0 : view->strides[own];
}

void stria__reduce_shape(struct reduce_shape *shape, const stria_view *out, const stria_view *a,
                         int inputs, const stria_view *const *views, uint64_t dims, bool ordered)
{
    int o = out->ndim;
    shape->out = out->data;
    shape->inputs = inputs;
    for (int k = 0; k < inputs; k++)
        shape->in[k] = views[k]->data;
    shape->kept = shape->reduced = 0;
    shape->outputs = shape->n = 1;
    for (int d = a->ndim - 1; d >= 0; d--) {
        const int64_t n = a->shape[d];
        const bool kept = !(dims >> d & 1);
        if (kept) o--;
        *(kept ? &shape->outputs : &shape->n) *= n;
        if (n == 1) continue;
        struct kept_dim k = {.n = n, .so = kept ? out->strides[o] : 0};
        for (int i = 0; i < inputs; i++)
            k.si[i] = step_along(views[i], d, a->ndim);
        struct reduced_dim r = {.n = n};
        memcpy(r.s, k.si, sizeof r.s);
        if (kept)
            add_kept(shape, k);
        else
            add_reduced(shape, r, ordered);
    }
    merge_kept(shape);
    merge_reduced(shape);
}

void stria__reduced_index(const struct reduce_shape *shape, int64_t at, int64_t *index)
{
    for (int i = 0; i < shape->reduced; i++) {
        index[i] = at % shape->r[i].n;
        at /= shape->r[i].n;
    }
}

int64_t stria__reduced_offset(const struct reduce_shape *shape, const int64_t *index, int input)
{
    int64_t offset = 0;
    for (int i = 0; i < shape->reduced; i++)
        offset += index[i] * shape->r[i].s[input];
    return offset;
}

void stria__reduced_offsets(const struct reduce_shape *shape, int64_t first, int64_t count,
                            int64_t step, int64_t *offsets)
{
    int64_t index[STRIA_MAX_NDIM];
    stria__reduced_index(shape, first, index);
    int64_t offset = stria__reduced_offset(shape, index, 0);
    if (shape->reduced == 0) {
        for (int64_t i = 0; i < count; i++)
            offsets[i] = 0;
        return;
    }
    for (int64_t done = 0;;) {
        const struct reduced_dim *const r = &shape->r[0];
        const int64_t run = least((r->n - index[0]) / step, count - done), s = r->s[0] * step;
        for (int64_t i = 0; i < run; i++)
            offsets[done + i] = offset + i * s;
        done += run;
        if (done == count) return;
        offset += run * s - r->n * r->s[0];
        index[0] = 0;
        for (int d = 1; d < shape->reduced; d++) {
            offset += shape->r[d].s[0];
            if (++index[d] < shape->r[d].n) break;
            offset -= shape->r[d].n * shape->r[d].s[0];
            index[d] = 0;
        }
    }
}
