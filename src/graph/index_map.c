/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views as maps of indices. A view of an array that is computed by element is the same operation on
 * views of its operands, which have other strides: so strides in bytes are read as steps over dims,
 * and applied to each operand.
 */
#include <string.h>

#include "graph/graph.h"
#include "stria/view.h"

/* Returns the dim of the base over which a stride steps without leaving it, or -1. */
static int find_dim(const stria_view *base, int64_t stride, int64_t size)
{
    for (int d = 0; d < base->ndim; d++) {
        const int64_t s = base->strides[d], step = s > 0 ? stride / s : 0;
        if (base->shape[d] > 1 && s > 0 && step * s == stride && step != 0 &&
            (step < 0 ? -step : step) <= (base->shape[d] - 1) / (size - 1))
            return d;
    }
    return -1;
}

/* Finds the index of the element at an offset, as digits in a mixed base of dense strides. */
static bool find_start(struct index_map *map, const stria_view *base, int64_t offset)
{
    bool done[STRIA_MAX_NDIM] = {false};
    for (int n = 0; n < base->ndim; n++) {
        int best = -1;
        for (int d = 0; d < base->ndim; d++)
            if (!done[d] && (best < 0 || base->strides[d] > base->strides[best])) best = d;
        done[best] = true;
        map->start[best] = 0;
        if (base->shape[best] <= 1 || base->strides[best] <= 0) continue;
        map->start[best] = offset / base->strides[best];
        offset -= map->start[best] * base->strides[best];
        if (map->start[best] < 0 || map->start[best] >= base->shape[best]) return false;
    }
    return offset == 0;
}

/* Tells whether all elements that the map reaches lie in the base. */
static bool stays_inside(const struct index_map *map, const stria_view *base)
{
    for (int b = 0; b < base->ndim; b++) {
        int64_t low = map->start[b], high = low;
        for (int d = 0; d < map->ndim; d++) {
            if (map->dim[d] != b) continue;
            const int64_t reach = map->step[d] * (map->shape[d] - 1);
            *(reach < 0 ? &low : &high) += reach;
        }
        if (low < 0 || high >= base->shape[b]) return false;
    }
    return true;
}

/* Tells whether the strides are those of dense memory, where an offset has one index. */
static bool is_dense(const stria_view *base)
{
    int64_t bytes = base->dtype.itemsize;
    for (int n = 0; n < base->ndim; n++) {
        int at = -1;
        for (int d = 0; d < base->ndim; d++)
            if (base->shape[d] > 1 && base->strides[d] == bytes) at = d;
        if (at < 0) break;
        bytes *= base->shape[at];
    }
    return bytes == stria_nbytes(base);
}

bool stria__index_map(struct index_map *map, const stria_view *base, const stria_view *view)
{
    const uint32_t bits = STRIA_CONJ | STRIA_NEG;
    if (!stria_dtype_equal(base->dtype, view->dtype) || (base->flags ^ view->flags) & bits ||
        stria_numel(base) == 0 || stria_numel(view) == 0 || !is_dense(base) ||
        !find_start(map, base, view->data - base->data))
        return false;
    map->ndim = view->ndim;
    map->base = base->ndim;
    for (int d = 0; d < view->ndim; d++) {
        const int64_t n = view->shape[d], stride = view->strides[d];
        map->shape[d] = n;
        map->dim[d] = n > 1 && stride ? find_dim(base, stride, n) : -1;
        map->step[d] = 0;
        if (n <= 1 || !stride) continue;
        if (map->dim[d] < 0) return false;
        map->step[d] = stride / base->strides[map->dim[d]];
    }
    return stays_inside(map, base);
}

void stria__index_map_apply(stria_view *out, const struct index_map *map, const stria_view *a)
{
    const int missing = map->base - a->ndim;
    int64_t offset = 0, strides[STRIA_MAX_NDIM];
    for (int b = missing; b < map->base; b++)
        if (a->shape[b - missing] > 1) offset += map->start[b] * a->strides[b - missing];
    for (int d = 0; d < map->ndim; d++) {
        const int b = map->dim[d] - missing;
        strides[d] = map->dim[d] >= missing && a->shape[b] > 1 ? map->step[d] * a->strides[b] : 0;
    }
    out->buffer = a->buffer;
    out->data = a->data + offset;
    out->dtype = a->dtype;
    out->flags = a->flags;
    out->ndim = map->ndim;
    memcpy(out->shape, map->shape, (size_t)map->ndim * sizeof *out->shape);
    memcpy(out->strides, strides, (size_t)map->ndim * sizeof *strides);
}
