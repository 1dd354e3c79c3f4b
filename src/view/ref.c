/* SPDX-License-Identifier: BSD-3-Clause */
/* Counted handles: a view with the dims that it has, and a reference to its buffer. */
#include "stria/ref.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "view/view.h"

struct stria_ref {
    atomic_int_least64_t references;
    stria_allocator allocator;
    char *data;
    stria_buffer *buffer; /* one reference; NULL: foreign memory */
    stria_dtype dtype;
    uint32_t flags;
    int32_t ndim;
    int64_t dims[]; /* the shape, then the strides */
};

static size_t size_of(int ndim)
{
    return sizeof(stria_ref) + 2 * (size_t)ndim * sizeof(int64_t);
}

stria_status stria_ref_make(stria_ref **out, const stria_view *a)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "ref: out is NULL");
    STRIA_TRY(stria__check_view(a, "ref", "the view"));
    const stria_allocator allocator = stria__allocator();
    stria_ref *const made =
        allocator.alloc(size_of(a->ndim), _Alignof(max_align_t), allocator.context);
    if (!made)
        return stria__fail(STRIA_ERR_MEMORY, "ref: out of memory for %zu bytes", size_of(a->ndim));
    const size_t bytes = (size_t)a->ndim * sizeof(int64_t);
    atomic_init(&made->references, 1);
    made->allocator = allocator;
    made->data = a->data;
    made->buffer = stria_buffer_retain(a->buffer);
    made->dtype = a->dtype;
    made->flags = a->flags;
    made->ndim = a->ndim;
    memcpy(made->dims, a->shape, bytes);
    memcpy(made->dims + a->ndim, a->strides, bytes);
    *out = made;
    return STRIA_OK;
}

stria_status stria_ref_view(stria_view *out, const stria_ref *ref)
{
    if (!out || !ref)
        return stria__fail(STRIA_ERR_ARGUMENT, "ref_view: %s is NULL", !out ? "out" : "the handle");
    view_set(out, ref->data, ref->buffer, ref->dtype, ref->flags, ref->ndim, ref->dims,
             ref->dims + ref->ndim);
    return STRIA_OK;
}

stria_ref *stria_ref_retain(stria_ref *ref)
{
    if (ref) (void)atomic_fetch_add_explicit(&ref->references, 1, memory_order_relaxed);
    return ref;
}

void stria_ref_release(stria_ref *ref)
{
    if (!ref || atomic_fetch_sub_explicit(&ref->references, 1, memory_order_acq_rel) != 1) return;
    const stria_allocator allocator = ref->allocator;
    stria_buffer_release(ref->buffer);
    allocator.free(ref, size_of(ref->ndim), allocator.context);
}
