/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/any_view.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "support/random.h"

static stria_dtype random_dtype(uint64_t *seed)
{
    static const stria_kind kinds[] = {STRIA_U8, STRIA_I16, STRIA_F32, STRIA_F64, STRIA_C128};
    stria_dtype odd;
    if (random_between(seed, 0, 4) == 0 &&
        stria_dtype_sized(&odd, STRIA_VOID, random_between(seed, 1, 12)) == STRIA_OK)
        return odd;
    return stria_dtype_of(kinds[random_between(seed, 0, 4)]);
}

/* Fills in dense strides of the dims in a random order, with a gap now and then. */
static void dense_strides(int64_t *strides, int ndim, const int64_t *shape, int64_t itemsize,
                          bool gaps, uint64_t *seed)
{
    int order[6] = {0};
    for (int d = 0; d < ndim; d++) {
        const int at = (int)random_between(seed, 0, d);
        order[d] = order[at];
        order[at] = d;
    }
    const bool sorted = random_between(seed, 0, 1);
    int64_t stride = itemsize;
    for (int i = ndim - 1; i >= 0; i--) {
        const int d = sorted ? i : order[i];
        strides[d] = stride;
        stride *= shape[d] ? shape[d] : 1;
        if (gaps && random_between(seed, 0, 2) == 0) stride += random_between(seed, 0, 9);
        if (gaps && random_between(seed, 0, 3) == 0) strides[d] = -strides[d];
        if (gaps && random_between(seed, 0, 7) == 0) strides[d] = 0;
    }
}

void any_view(stria_view *out, stria_buffer *buffer, uint64_t *seed, int max_ndim, int max_size)
{
    const stria_dtype dtype = random_dtype(seed);
    const int ndim = (int)random_between(seed, 0, max_ndim);
    const int kind = (int)random_between(seed, 0, 2);
    int64_t shape[6], strides[6], low = 0, high = dtype.itemsize;
    bool empty = false;
    for (int d = 0; d < ndim; d++) {
        shape[d] = random_between(seed, 1, max_size);
        if (random_between(seed, 0, 5) == 0) shape[d] = 1;
        if (random_between(seed, 0, 20) == 0) shape[d] = 0;
        empty |= shape[d] == 0;
    }
    dense_strides(strides, ndim, shape, dtype.itemsize, kind > 0, seed);
    for (int d = 0; d < ndim; d++) {
        if (kind == 2)
            strides[d] = random_between(seed, -6, 6) * (seed[0] & 1 ? 1 : dtype.itemsize);
        const int64_t reach = (shape[d] - 1) * strides[d];
        if (reach < 0) low += reach;
        if (reach > 0) high += reach;
        if (shape[d] == 1 && random_between(seed, 0, 2) == 0)
            strides[d] = (int64_t)random_bits(seed);
        if (empty && random_between(seed, 0, 2) == 0) strides[d] = (int64_t)random_bits(seed);
    }
    const int64_t offset = empty ? random_between(seed, 0, 99) : random_between(seed, 0, 99) - low;
    if (high + 99 - low > ANY_VIEW_BYTES ||
        stria_view_make(out, buffer, dtype, ndim, shape, strides, offset) != STRIA_OK) {
        fprintf(stderr, "any_view: %s\n", stria_last_error());
        abort();
    }
}

const char *view_text(const stria_view *a)
{
    static char texts[4][512];
    static int next;
    char dtype[32];
    char *text = texts[next++ % 4];
    (void)stria_dtype_format(dtype, sizeof dtype, NULL, a->dtype);
    (void)snprintf(text, sizeof texts[0], "%s %s strides %s at %lld", dtype,
                   stria__dims_text(a->ndim, a->shape).text,
                   stria__dims_text(a->ndim, a->strides).text, (long long)stria_offset(a));
    return text;
}
