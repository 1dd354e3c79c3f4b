/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts the dims of views into kept and reduced ones, and merges them. */
#include "engine/reduce_plan.h"

#include "base/integers.h"
#include "plan/plan.h"

uint64_t stria__step_rank(const stria_dim *d, int inputs)
{
    uint64_t rank = UINT64_MAX;
    for (int k = 1; k <= inputs; k++)
        if (magnitude(d->s[k]) - 1 < rank) rank = magnitude(d->s[k]) - 1;
    return rank;
}

/*
 * Adds a dim to *count others. If the order does not matter, inputs are read upwards, and dims are
 * sorted by their steps.
 */
static void add_dim(struct reduce_shape *shape, stria_dim *dims, int *count, stria_dim d,
                    bool ordered)
{
    int i = (*count)++;
    if (!ordered && d.s[1] < 0) {
        shape->out = stria__at(shape->out, d.n - 1, d.s[0]);
        for (int k = 0; k < shape->inputs; k++)
            shape->in[k] = stria__at(shape->in[k], d.n - 1, d.s[1 + k]);
        for (int k = 0; k <= shape->inputs; k++)
            d.s[k] = -d.s[k];
    }
    const uint64_t rank = stria__step_rank(&d, shape->inputs);
    for (; !ordered && i > 0 && stria__step_rank(&dims[i - 1], shape->inputs) > rank; i--)
        dims[i] = dims[i - 1];
    dims[i] = d;
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
        stria_dim dim = {.n = n, .s = {kept ? out->strides[o] : 0}};
        for (int i = 0; i < inputs; i++) {
            const int own = d - (a->ndim - views[i]->ndim);
            const bool repeats = own < 0 || views[i]->shape[own] == 1;
            dim.s[1 + i] = repeats ? 0 : views[i]->strides[own];
        }
        if (kept)
            add_dim(shape, shape->k, &shape->kept, dim, false);
        else
            add_dim(shape, shape->r, &shape->reduced, dim, ordered);
    }
    shape->kept = stria__merge_dims(shape->k, shape->kept, 1 + inputs);
    shape->reduced = stria__merge_dims(shape->r, shape->reduced, 1 + inputs);
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
        offset += index[i] * shape->r[i].s[1 + input];
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
        const stria_dim *const r = &shape->r[0];
        const int64_t run = least((r->n - index[0]) / step, count - done), s = r->s[1] * step;
        for (int64_t i = 0; i < run; i++)
            offsets[done + i] = offset + i * s;
        done += run;
        if (done == count) return;
        offset += run * s - r->n * r->s[1];
        index[0] = 0;
        for (int d = 1; d < shape->reduced; d++) {
            offset += shape->r[d].s[1];
            if (++index[d] < shape->r[d].n) break;
            offset -= shape->r[d].n * shape->r[d].s[1];
            index[d] = 0;
        }
    }
}
