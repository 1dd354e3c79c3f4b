/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views as tensors of DLPack. A tensor is one allocation: the struct, and behind it the shape and
 * the strides. What it owns is given back without a lock, so that a deleter may run on any thread
 * and at any time, after the end of an interpreter too.
 */
#include <stddef.h>

#include "base/alloc.h"
#include "view/array.h"
#include "io/dlpack.h"
#include "plan/threads.h"

/* ---- what a tensor can say ------------------------------------------------------------------- */

/* Returns OK if a tensor can describe a as it lies, else the reason against it. */
static stria_status check_layout(const stria_view *a)
{
    const int itemsize = a->dtype.itemsize;
    if (a->dtype.swapped)
        return stria__fail(STRIA_ERR_DTYPE, "dlpack: items in the other byte order; "
                                            "copy to the native one");
    if (a->flags & (STRIA_CONJ | STRIA_NEG))
        return stria__fail(STRIA_ERR_DTYPE, "dlpack: elements that are conjugated or negated when "
                                            "they are read; copy them");
    if (is_empty(a->ndim, a->shape)) return STRIA_OK;
    for (int d = 0; d < a->ndim; d++) {
        const int64_t stride = a->strides[d];
        if (a->shape[d] == 1 || (stride >= 0 && stride % itemsize == 0)) continue;
        return stria__fail(STRIA_ERR_STRIDE,
                           "dlpack: dim %d has the stride %lld, takes whole items of %d bytes, not "
                           "negative; copy the view",
                           d, (long long)stride, itemsize);
    }
    return STRIA_OK;
}

/* Returns OK if a tensor can have a's elements at all, else the reason against it. */
static stria_status check_elements(stria_dl_tensor *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "dlpack"));
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "dlpack: a meta buffer has no elements");
    if (stria__dlpack_code(out, (stria_kind)a->dtype.kind)) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE, "dlpack: has no elements of dtype %s",
                       stria__dtype_text(a->dtype).text);
}

/*
 * Describes a. Strides of dims of size 1 and of empty arrays mean nothing and are set to those of C
 * order, so that a consumer that reads them finds no negative one.
 */
static void describe(stria_dl_tensor *out, int64_t *dims, const stria_view *a)
{
    const bool empty = is_empty(a->ndim, a->shape);
    int64_t dense = 1;
    (void)stria__dlpack_code(out, (stria_kind)a->dtype.kind);
    out->data = empty ? NULL : a->data;
    out->device.device_type = STRIA_DLPACK_CPU;
    out->device.device_id = 0;
    out->ndim = a->ndim;
    out->shape = dims;
    out->strides = dims + a->ndim;
    out->byte_offset = 0;
    for (int d = a->ndim - 1; d >= 0; d--) {
        const int64_t size = a->shape[d];
        const bool said = !empty && size != 1;
        out->shape[d] = size;
        out->strides[d] = said ? a->strides[d] / a->dtype.itemsize : dense;
        dense *= size > 0 ? size : 1; /* The product fits in 64 bits, as that of every view does. */
    }
}

stria_status stria_dlpack_describe(stria_dl_tensor *out, int64_t *dims, const stria_view *a)
{
    stria_dl_tensor made;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: out is NULL");
    STRIA_TRY(check_elements(&made, a));
    if (!dims && a->ndim > 0) return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: dims is NULL");
    STRIA_TRY(check_layout(a));
    describe(out, dims, a);
    return STRIA_OK;
}

/* ---- tensors with an owner ------------------------------------------------------------------- */

/* A tensor that is given to a consumer. */
struct given {
    union {
        stria_dl_managed managed;
        stria_dl_legacy legacy;
    } as;
    void *owner;
    void (*release)(void *owner);
    stria_allocator allocator;
    size_t size;
    int64_t dims[];
};

static void end_export(struct given *given)
{
    const stria_allocator allocator = given->allocator;
    if (given->release) given->release(given->owner);
    allocator.free(given, given->size, allocator.context);
}

static void delete_managed(stria_dl_managed *self)
{
    if (self) end_export(self->manager_ctx);
}

static void delete_legacy(stria_dl_legacy *self)
{
    if (self) end_export(self->manager_ctx);
}

static struct given *new_given(int ndim)
{
    const stria_allocator allocator = stria__allocator();
    const size_t size = sizeof(struct given) + 2 * (size_t)ndim * sizeof(int64_t);
    struct given *const given = allocator.alloc(size, _Alignof(max_align_t), allocator.context);
    if (!given) {
        (void)stria__fail(STRIA_ERR_MEMORY, "dlpack: out of memory for %d dims", ndim);
        return NULL;
    }
    given->owner = NULL;
    given->release = NULL;
    given->allocator = allocator;
    given->size = size;
    return given;
}

/* Tells whether a may be written and has no element twice. */
static bool is_open(const stria_view *a)
{
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] > 1 && a->strides[d] == 0) return false;
    return view_is_open(a);
}

static void fill_managed(struct given *given, const stria_view *a, bool copied)
{
    stria_dl_managed *const out = &given->as.managed;
    out->version.major = STRIA_DLPACK_MAJOR;
    out->version.minor = STRIA_DLPACK_MINOR;
    out->manager_ctx = given;
    out->deleter = delete_managed;
    out->flags = (is_open(a) ? 0 : STRIA_DLPACK_READONLY) | (copied ? STRIA_DLPACK_COPIED : 0);
    describe(&out->dl_tensor, given->dims, a);
}

static void release_buffer(void *buffer)
{
    stria_buffer_release(buffer);
}

/* ---- export ---------------------------------------------------------------------------------- */

/* Returns OK if the consumer can have a as it lies, else the reason against it. */
static stria_status check_as_it_lies(const stria_view *a, bool legacy)
{
    STRIA_TRY(check_layout(a));
    if (!legacy || is_open(a)) return STRIA_OK;
    return stria__fail(STRIA_ERR_READONLY, "dlpack: the view is read-only, or repeats elements, "
                                           "which a tensor without a version cannot say; copy it");
}

/* Makes a tensor of a, which keeps a's buffer. */
static stria_status give_tensor(struct given **out, const stria_view *a, bool copied, bool legacy)
{
    struct given *const given = new_given(a->ndim);
    if (!given) return STRIA_ERR_MEMORY;
    given->owner = stria_buffer_retain(a->buffer);
    stria_buffer_expose(a->buffer);
    given->release = release_buffer;
    if (legacy) {
        given->as.legacy.manager_ctx = given;
        given->as.legacy.deleter = delete_legacy;
        describe(&given->as.legacy.dl_tensor, given->dims, a);
    } else {
        fill_managed(given, a, copied);
    }
    *out = given;
    return STRIA_OK;
}

static stria_status give_copy(struct given **out, const stria_view *a, bool legacy)
{
    OWNED_ARRAY(made);
    stria_dtype dtype = a->dtype;
    dtype.swapped = false;
    STRIA_TRY(stria_empty_like(&made, a, dtype, STRIA_ORDER_PRESERVE));
    STRIA_TRY(stria_copy(&made.view, a, NULL));
    return give_tensor(out, &made.view, true, legacy);
}

static stria_status export(struct given **out, const stria_view *a, stria_copy_policy policy,
                           stria_outcome *outcome, bool legacy)
{
    stria_dl_tensor tensor;
    STRIA_TRY(check_elements(&tensor, a));
    if (policy < STRIA_COPY_IF_NEEDED || policy > STRIA_COPY_ALWAYS)
        return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: %d is no policy", (int)policy);
    const bool fits = policy != STRIA_COPY_ALWAYS && check_as_it_lies(a, legacy) == STRIA_OK;
    /* The message tells about the layout; the status is that of every forbidden copy. */
    if (!fits && policy == STRIA_COPY_NEVER) return STRIA_ERR_COPY;
    STRIA_TRY(fits ? give_tensor(out, a, false, legacy) : give_copy(out, a, legacy));
    if (outcome) *outcome = fits ? STRIA_IS_SAME : STRIA_IS_COPY;
    return STRIA_OK;
}

stria_status stria_dlpack_export(stria_dl_managed **out, const stria_view *a,
                                 stria_copy_policy policy, stria_outcome *outcome,
                                 const stria_exec *exec)
{
    TAKES_EXEC(exec, "dlpack_export");
    struct given *given;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: out is NULL");
    STRIA_TRY(export(&given, a, policy, outcome, false));
    *out = &given->as.managed;
    return STRIA_OK;
}

stria_status stria_dlpack_export_legacy(stria_dl_legacy **out, const stria_view *a,
                                        stria_copy_policy policy, stria_outcome *outcome,
                                        const stria_exec *exec)
{
    TAKES_EXEC(exec, "dlpack_export_legacy");
    struct given *given;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: out is NULL");
    STRIA_TRY(export(&given, a, policy, outcome, true));
    *out = &given->as.legacy;
    return STRIA_OK;
}

stria_status stria_dlpack_export_owned(stria_dl_managed **out, const stria_view *a, void *owner,
                                       void (*release)(void *owner))
{
    stria_dl_tensor tensor;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "dlpack: out is NULL");
    STRIA_TRY(check_elements(&tensor, a));
    STRIA_TRY(check_layout(a));
    struct given *const given = new_given(a->ndim);
    if (!given) return STRIA_ERR_MEMORY;
    fill_managed(given, a, false);
    given->owner = owner;
    given->release = release;
    *out = &given->as.managed;
    return STRIA_OK;
}
