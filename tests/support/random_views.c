/* SPDX-License-Identifier: BSD-3-Clause */
#include "random_views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define COUNT(a) ((int64_t)(sizeof(a) / sizeof((a)[0])))

static int64_t below(uint64_t *seed, int64_t n)
{
    return random_between(seed, 0, n - 1);
}

int64_t random_item(uint64_t *seed)
{
    static const int64_t items[] = {1, 1, 2, 2, 4, 4, 4, 8, 8, 16, 3, 5, 6, 7, 12, 24, 31, 48, 100};
    return items[below(seed, COUNT(items))];
}

/* Draws strides: a random order of dims, gaps, and either direction, without overlap. */
static void random_strides(uint64_t *seed, int ndim, const int64_t *shape, int64_t *strides,
                           int64_t item)
{
    int order[STRIA_MAX_NDIM];
    const bool gaps = random_once(seed, 4), flips = random_once(seed, 3),
               c_order = random_once(seed, 3);
    for (int i = 0; i < ndim; i++) {
        const int j = (int)below(seed, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    int64_t s = item + (gaps && random_once(seed, 3) ? below(seed, 3 * item) : 0);
    for (int i = 0; i < ndim; i++) {
        const int d = c_order ? ndim - 1 - i : order[i];
        strides[d] = flips && random_once(seed, 2) ? -s : s;
        s *= shape[d] > 0 ? shape[d] : 1;
        if (gaps && random_once(seed, 2)) s += below(seed, 70);
    }
}

/* Places the view at any alignment, whole cache lines included. */
static bool place(uint64_t *seed, stria_view *out, struct random_memory memory, int64_t item,
                  int ndim, const int64_t *shape, const int64_t *strides)
{
    stria_dtype dtype;
    int64_t low = 0, high = item;
    for (int d = 0; d < ndim; d++) {
        const int64_t last = shape[d] == 0 ? 0 : (shape[d] - 1) * strides[d];
        if (last < 0)
            low += last;
        else
            high += last;
    }
    const int64_t room = memory.size - (high - low);
    if (room <= 0) return false;
    int64_t at = below(seed, room < 200 ? room : 200);
    if (random_once(seed, 2)) at = at / 64 * 64;
    return stria_dtype_sized(&dtype, STRIA_VOID, item) == STRIA_OK &&
           stria_view_foreign(out, memory.start + at - low, dtype, ndim, shape, strides, 0) ==
               STRIA_OK;
}

static int random_shape(uint64_t *seed, int64_t *shape)
{
    static const int64_t sizes[] = {1,  2,  2,  3,  3,  4,  5,  7,   8,   9,   13,  15,  16,  17,
                                    31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 200, 257, 1000};
    enum { MOST = 20000, SMALL = 5 };
    const int ndim = (int)below(seed, random_once(seed, 4) ? 12 : 5);
    int64_t n = 1;
    for (int d = 0; d < ndim; d++) {
        shape[d] = sizes[below(seed, ndim > SMALL ? SMALL : COUNT(sizes))];
        if (n * shape[d] > MOST) shape[d] = 1;
        n *= shape[d];
    }
    if (ndim && random_once(seed, 50)) shape[below(seed, ndim)] = 0;
    return ndim;
}

bool random_view(uint64_t *seed, stria_view *out, struct random_memory memory, int64_t item)
{
    int64_t shape[STRIA_MAX_NDIM], strides[STRIA_MAX_NDIM];
    const int ndim = random_shape(seed, shape);
    random_strides(seed, ndim, shape, strides, item);
    return place(seed, out, memory, item, ndim, shape, strides);
}

/* Makes some dims repeated, read through overlapping windows, or left out; returns how many are
 * left. */
static int loosen(uint64_t *seed, int ndim, int64_t *shape, int64_t *strides, int64_t item)
{
    for (int d = 0; d < ndim; d++) {
        const int64_t kind = below(seed, 12);
        if (kind == 0) strides[d] = 0;
        if (kind == 1 && shape[d] > 0) shape[d] = 1;
        if (kind == 2) strides[d] = item * random_between(seed, -3, 3);
    }
    if (ndim == 0 || !random_once(seed, 8)) return ndim;
    memmove(shape, shape + 1, (size_t)(ndim - 1) * sizeof shape[0]);
    memmove(strides, strides + 1, (size_t)(ndim - 1) * sizeof strides[0]);
    return ndim - 1;
}

bool random_source(uint64_t *seed, stria_view *out, struct random_memory memory,
                   const stria_view *dst)
{
    int64_t shape[STRIA_MAX_NDIM], strides[STRIA_MAX_NDIM];
    const int64_t item = dst->dtype.itemsize;
    int ndim = dst->ndim;
    memcpy(shape, dst->shape, (size_t)ndim * sizeof shape[0]);
    random_strides(seed, ndim, shape, strides, item);
    if (random_once(seed, 3)) ndim = loosen(seed, ndim, shape, strides, item);
    return place(seed, out, memory, item, ndim, shape, strides);
}

static void print_dims(const char *name, int n, const int64_t *values)
{
    printf("%s (", name);
    for (int d = 0; d < n; d++)
        printf("%lld,", (long long)values[d]);
    printf(") ");
}

void print_view(const char *name, const stria_view *a)
{
    printf("  %s: item %d, ", name, (int)a->dtype.itemsize);
    print_dims("shape", a->ndim, a->shape);
    print_dims("strides", a->ndim, a->strides);
    printf("address %% 64: %d\n", (int)((uintptr_t)a->data % 64));
}
