/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Choosing moves items whatever they mean, so one loop per item size serves every dtype. Items of a
 * size that has no loop, long strings and records, are taken as a further dim of shorter ones,
 * along which the condition has stride 0.
 */
#include "dispatch.h"
#include "ops/elementwise/elementwise_run.h"
#include "simd/op_loop.h"
#include "view/view.h"

enum { CHARACTER = 4 /* bytes of UCS-4 */ };

/* Returns the kind whose kernel moves items of that size, or -1. */
static int mover(stria_dtype dtype)
{
    if (dtype.kind <= STRIA_C128 && dtype.itemsize > 1) return (int)dtype.kind;
    if (dtype.kind == STRIA_UNICODE && dtype.itemsize > CHARACTER) return -1;
    switch (dtype.itemsize) {
    case 1: return STRIA_U8;
    case 2: return STRIA_U16;
    case 4: return STRIA_U32;
    case 8: return STRIA_U64;
    case 16: return STRIA_C128;
    default: return -1;
    }
}

static stria_status run(const struct operation *o, const stria_view *out,
                        const stria_view *condition, const stria_view *x, const stria_view *y,
                        stria_dtype dtype)
{
    const struct map_operand operands[] = {
        {out, dtype}, {condition, stria_dtype_of(STRIA_BOOL)}, {x, dtype}, {y, dtype}};
    map_loop *const loop = op_loop(stria__kernels(), STRIA_WHERE, (stria_kind)mover(dtype));
    return stria__run_loop(o, loop, 4, operands);
}

/* Returns the parts that items are cut into: characters of strings, which have a byte order. */
static stria_dtype part_of(stria_dtype dtype)
{
    stria_dtype part = stria_dtype_of(STRIA_VOID);
    if (dtype.kind == STRIA_UNICODE) {
        part = dtype;
        part.itemsize = CHARACTER;
        return part;
    }
    part.itemsize = 16;
    while (dtype.itemsize % part.itemsize != 0)
        part.itemsize /= 2;
    return part;
}

/*
 * a in the shape of `like`, without the dims of size 1, and with the parts of an item as a last
 * dim, `step` bytes apart.
 */
static void cut_items(stria_view *out, const stria_view *a, const stria_view *like,
                      stria_dtype part, int64_t parts, int64_t step)
{
    int n = 0;
    for (int d = 0; d < like->ndim; d++) {
        const int own = d - (like->ndim - a->ndim);
        if (like->shape[d] == 1) continue;
        out->shape[n] = like->shape[d];
        out->strides[n++] = own < 0 || a->shape[own] == 1 ? 0 : a->strides[own];
    }
    assert(n < STRIA_MAX_NDIM); /* there is no memory for 2^64 items */
    out->shape[n] = parts;
    out->strides[n++] = step;
    view_set(out, a->data, a->buffer, part, a->flags, n, out->shape, out->strides);
}

static stria_status run_in_parts(const struct operation *o)
{
    const stria_view *const out = o->out, *const *const inputs = o->inputs;
    stria_view cut[4], mask;
    struct operation parted = *o;
    stria_dtype part = part_of(out->dtype);
    const int64_t parts = out->dtype.itemsize / part.itemsize;
    cut_items(&cut[0], out, out, part, parts, part.itemsize);
    cut_items(&cut[1], inputs[0], out, inputs[0]->dtype, parts, 0);
    for (int i = 1; i < 3; i++) {
        part.swapped = inputs[i]->dtype.swapped;
        cut_items(&cut[1 + i], inputs[i], out, part, parts, part.itemsize);
    }
    part.swapped = false;
    if (o->mask) {
        cut_items(&mask, o->mask, out, o->mask->dtype, parts, 0);
        parted.mask = &mask;
    }
    return run(&parted, &cut[0], &cut[1], &cut[2], &cut[3], part);
}

stria_status stria__run_where(const struct operation *o)
{
    if (mover(o->types.kernel) < 0) return run_in_parts(o);
    return run(o, o->out, o->inputs[0], o->inputs[1], o->inputs[2], o->types.kernel);
}
