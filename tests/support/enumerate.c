/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/enumerate.h"

#include <string.h>

#include "stria/broadcast.h"
#include "support/cmocka.h"

bool next_index(int64_t *index, int ndim, const int64_t *shape)
{
    for (int d = ndim - 1; d >= 0; d--) {
        if (++index[d] < shape[d]) return true;
        index[d] = 0;
    }
    return false;
}

int64_t offset_of(const int64_t *index, int ndim, const int64_t *strides)
{
    int64_t offset = 0;
    for (int d = 0; d < ndim; d++)
        if (index[d]) offset += index[d] * strides[d];
    return offset;
}

void copy_by_index(char *to, const stria_view *dst, const stria_view *src)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    do
        memcpy(to + offset_of(index, dst->ndim, dst->strides),
               src->data + offset_of(index, src->ndim, src->strides), (size_t)dst->dtype.itemsize);
    while (next_index(index, dst->ndim, dst->shape));
}

void reference_copy(char *memory, const char *base, const stria_view *dst, const stria_view *src)
{
    stria_view wide;
    assert_int_equal(stria_expand(&wide, src, dst->ndim, dst->shape), STRIA_OK);
    if (stria_numel(dst) > 0) copy_by_index(memory + (dst->data - base), dst, &wide);
}

intptr_t address_at(const stria_view *a, const int64_t *index)
{
    return (intptr_t)a->data + (intptr_t)offset_of(index, a->ndim, a->strides);
}

int64_t enumerate_addresses(intptr_t *out, int64_t room, const stria_view *a)
{
    int64_t index[STRIA_MAX_NDIM] = {0}, n = 0;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] == 0) return 0;
    do {
        if (n == room) return -1;
        out[n++] = address_at(a, index);
    } while (next_index(index, a->ndim, a->shape));
    return n;
}
