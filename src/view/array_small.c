/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small array is a buffer with what its view needs behind the header, and then the elements.
 * Strides are computed for each view: C order needs no room for them.
 */
#include "stria/array_small.h"

#include <stddef.h>

#include "base/alloc.h"
#include "view/view.h"

struct stria_small {
    /* It is the first member, so that a reference to it is one to the array. */
    stria_buffer buffer;
    int32_t itemsize, ndim;
    uint16_t alignment;
    uint8_t kind;
    bool swapped; /* A property of the dtype, whose description the buffer keeps. */
    int64_t shape[];
};

/* Alignment of malloc; a larger one costs several times the time of a small allocation. */
enum { ALIGNMENT = 16 };

stria_status stria_small_make(stria_small **out, stria_dtype dtype, int ndim, const int64_t *shape)
{
    int64_t strides[STRIA_MAX_NDIM], nbytes = 0, size;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "small: out is NULL");
    STRIA_TRY(stria__check_dtype(dtype, "small"));
    STRIA_TRY(stria__check_shape(ndim, shape, "small"));
    STRIA_TRY(stria__dense_strides(strides, &nbytes, ndim, shape, dtype.itemsize, STRIA_ORDER_C,
                                   "small"));
    const int64_t entries = (int64_t)offsetof(stria_small, shape) + ndim * (int64_t)sizeof(int64_t),
                  header = round_up(entries, ALIGNMENT);
    if (add_overflows(nbytes, header + ALIGNMENT, &size))
        return stria__fail(STRIA_ERR_OVERFLOW, "small: %lld bytes exceed the address space",
                           (long long)nbytes);
    size = header + round_up(nbytes, ALIGNMENT);
    const stria_allocator allocator = stria__allocator();
    stria_small *const made = allocator.alloc((size_t)size, ALIGNMENT, allocator.context);
    if (!made)
        return stria__fail(STRIA_ERR_MEMORY, "small: out of memory for %lld bytes",
                           (long long)size);
    stria__buffer_begin(&made->buffer, &allocator, (size_t)size, (char *)made + header, nbytes);
    stria__buffer_keep_dtype(&made->buffer, dtype);
    made->itemsize = dtype.itemsize;
    made->alignment = dtype.alignment;
    made->kind = dtype.kind;
    made->swapped = dtype.swapped;
    made->ndim = ndim;
    for (int d = 0; d < ndim; d++)
        made->shape[d] = shape[d];
    *out = made;
    return STRIA_OK;
}

/* Makes a view. Its buffer is not const; what a const owner protects is the reference. */
stria_status stria_small_view(stria_view *out, const stria_small *a)
{
    if (!out || !a)
        return stria__fail(STRIA_ERR_ARGUMENT, "small_view: %s is NULL",
                           !out ? "out" : "the array");
    int64_t step = a->itemsize;
    for (int d = a->ndim; d-- > 0;) {
        out->shape[d] = a->shape[d];
        out->strides[d] = step;
        if (a->shape[d] > 1) step *= a->shape[d];
    }
    const stria_dtype dtype = {.kind = a->kind,
                               .swapped = a->swapped,
                               .alignment = a->alignment,
                               .itemsize = a->itemsize,
                               .record = a->buffer.record};
    view_set(out, a->buffer.data, (stria_buffer *)(uintptr_t)&a->buffer, dtype, 0, a->ndim,
             out->shape, out->strides);
    return STRIA_OK;
}

stria_small *stria_small_retain(stria_small *a)
{
    if (a) (void)stria_buffer_retain(&a->buffer);
    return a;
}

void stria_small_release(stria_small *a)
{
    if (a) stria_buffer_release(&a->buffer);
}

int64_t stria_small_bytes(const stria_small *a)
{
    return a ? (int64_t)a->buffer.allocated : 0;
}
