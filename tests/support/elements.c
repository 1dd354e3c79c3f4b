/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/elements.h"

#include <stdlib.h>
#include <string.h>

#include "support/enumerate.h"
#include "support/random.h"

char *elements_of(const stria_view *a)
{
    const size_t itemsize = (size_t)a->dtype.itemsize;
    char *out = malloc((size_t)stria_nbytes(a) + 1), *at = out;
    if (!out) abort();
    if (stria_numel(a) == 0) return out;
    int64_t index[STRIA_MAX_NDIM] = {0};
    do {
        memcpy(at, (const char *)address_at(a, index), itemsize);
        at += itemsize;
    } while (next_index(index, a->ndim, a->shape));
    return out;
}

/* Draws strides: dense in a random order of dims, or with gaps, or any. */
static void random_strides(int64_t *strides, uint64_t *random, int ndim, const int64_t *shape,
                           int64_t itemsize)
{
    int order[6];
    for (int d = 0; d < ndim; d++)
        order[d] = ndim - 1 - d;
    if (random_bits(random) % 2)
        for (int d = ndim - 1; d > 0; d--) {
            const int other = (int)random_between(random, 0, d), kept = order[d];
            order[d] = order[other];
            order[other] = kept;
        }
    int64_t step = itemsize;
    for (int i = 0; i < ndim; i++) {
        const int d = order[i];
        const uint64_t choice = random_bits(random) % 8;
        if (choice == 0) step += random_between(random, 1, 40);
        strides[d] = choice == 1 ? 0 : choice == 2 ? random_between(random, -9, 9) : step;
        if (choice == 3) strides[d] = -strides[d];
        step *= shape[d] ? shape[d] : 1;
    }
}

void noisy_view(stria_view *out, uint64_t *random, stria_dtype dtype, int64_t most)
{
    const int ndim = (int)random_between(random, 0, 6);
    int64_t shape[6], strides[6], numel = 1, low = 0, high = dtype.itemsize;
    for (int d = 0; d < ndim; d++) {
        const int64_t room = most / numel;
        shape[d] = random_between(random, random_bits(random) % 32 ? 1 : 0, room < 40 ? room : 40);
        if (d == ndim - 1 && random_bits(random) % 2) shape[d] = room; /* rows are long */
        numel *= shape[d] ? shape[d] : 1;
    }
    random_strides(strides, random, ndim, shape, dtype.itemsize);
    for (int d = 0; d < ndim; d++) {
        const int64_t reach = shape[d] > 1 ? (shape[d] - 1) * strides[d] : 0;
        *(reach < 0 ? &low : &high) += reach;
    }
    stria_buffer *buffer;
    if (stria_buffer_make(&buffer, high - low) != STRIA_OK ||
        stria_view_make(out, buffer, dtype, ndim, shape, strides, -low) != STRIA_OK)
        abort();
    char *bytes = stria_buffer_data(buffer);
    for (int64_t i = 0; i < high - low; i++)
        bytes[i] = (char)random_bits(random);
}
