/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts the dims of a view into kept and reduced ones, and merges them. */
#include "reduce_shape.h"

#include "checked.h"
#include "plan.h"

/* Steps of 0 come last. */
static uint64_t rank(int64_t s)
{
    return magnitude(s) - 1;
}

static void flip_kept(struct reduce_shape *shape, struct kept_dim *d)
{
    if (d->si >= 0) return;
    shape->in = stria__at(shape->in, d->n - 1, d->si);
    shape->out = stria__at(shape->out, d->n - 1, d->so);
    d->si = -d->si;
    d->so = -d->so;
}

static void add_kept(struct reduce_shape *shape, struct kept_dim d)
{
    int i = shape->kept++;
    flip_kept(shape, &d);
    for (; i > 0 && rank(shape->k[i - 1].si) > rank(d.si); i--)
        shape->k[i] = shape->k[i - 1];
    shape->k[i] = d;
}

/* Where the order does not matter, dims are read upwards and sorted like the others. */
static void add_reduced(struct reduce_shape *shape, struct reduced_dim d, bool ordered)
{
    int i = shape->reduced++;
    if (!ordered && d.s < 0) {
        shape->in = stria__at(shape->in, d.n - 1, d.s);
        d.s = -d.s;
    }
    for (; !ordered && i > 0 && rank(shape->r[i - 1].s) > rank(d.s); i--)
        shape->r[i] = shape->r[i - 1];
    shape->r[i] = d;
}

static void merge_kept(struct reduce_shape *shape)
{
    int count = 0;
    for (int i = 0; i < shape->kept; i++) {
        struct kept_dim *const last = count > 0 ? &shape->k[count - 1] : NULL;
        const struct kept_dim d = shape->k[i];
        if (last && last->si * last->n == d.si && last->so * last->n == d.so)
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
        if (last && last->s * last->n == d.s)
            last->n *= d.n;
        else
            shape->r[count++] = d;
    }
    shape->reduced = count;
}

void stria__reduce_shape(struct reduce_shape *shape, const stria_view *out, const stria_view *a,
                         uint64_t dims, bool ordered)
{
    int o = out->ndim;
    shape->out = out->data;
    shape->in = a->data;
    shape->kept = shape->reduced = 0;
    shape->outputs = shape->n = 1;
    for (int d = a->ndim - 1; d >= 0; d--) {
        const int64_t n = a->shape[d];
        const bool kept = !(dims >> d & 1);
        if (kept) o--;
        *(kept ? &shape->outputs : &shape->n) *= n;
        if (n == 1) continue;
        if (kept)
            add_kept(shape, (struct kept_dim){n, a->strides[d], out->strides[o]});
        else
            add_reduced(shape, (struct reduced_dim){n, a->strides[d]}, ordered);
    }
    merge_kept(shape);
    merge_reduced(shape);
}

int64_t stria__reduced_index(const struct reduce_shape *shape, int64_t at, int64_t *index)
{
    int64_t offset = 0;
    for (int i = 0; i < shape->reduced; i++) {
        index[i] = at % shape->r[i].n;
        at /= shape->r[i].n;
        offset += index[i] * shape->r[i].s;
    }
    return offset;
}

void stria__reduced_offsets(const struct reduce_shape *shape, int64_t first, int64_t count,
                            int64_t step, int64_t *offsets)
{
    int64_t index[STRIA_MAX_NDIM], offset = stria__reduced_index(shape, first, index);
    if (shape->reduced == 0) {
        for (int64_t i = 0; i < count; i++)
            offsets[i] = 0;
        return;
    }
    for (int64_t done = 0;;) {
        const struct reduced_dim *const r = &shape->r[0];
        const int64_t run = least((r->n - index[0]) / step, count - done), s = r->s * step;
        for (int64_t i = 0; i < run; i++)
            offsets[done + i] = offset + i * s;
        done += run;
        if (done == count) return;
        offset += run * s - r->n * r->s;
        index[0] = 0;
        for (int d = 1; d < shape->reduced; d++) {
            offset += shape->r[d].s;
            if (++index[d] < shape->r[d].n) break;
            offset -= shape->r[d].n * shape->r[d].s;
            index[d] = 0;
        }
    }
}
