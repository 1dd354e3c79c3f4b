/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DLPack 1.x: arrays handed to other libraries, and taken from them, without a copy. What is
 * exchanged is a struct with a deleter, which whoever takes it calls once when it is done.
 *
 * DLPack's strides count elements, its items are native, and it knows no conj and neg bits.
 * Consumers differ in what else they take: PyTorch 2.13 ends the process at a negative stride and
 * writes through the read-only flag. So what is exported has no negative stride, and is a copy
 * where the view has one; what is read-only says so; and to a consumer of the legacy struct, which
 * has no such flag, memory that must not be written goes as a copy. Bytes, strings, void, dates and
 * records are refused (DTYPE): DLPack has no name for them.
 *
 * docs/dlpack.md tells what the peers do with each layout.
 */
#ifndef STRIA_DLPACK_H
#define STRIA_DLPACK_H

#include "array.h"
#include "copy.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The structs of DLPack, whose own header (dlpack/dlpack.h) is not needed. Where that was included
 * before, of version 1 or later, these are its types; elsewhere they have the same layout, and a
 * pointer may be cast from one to the other.
 */
#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
typedef DLTensor stria_dl_tensor;
typedef DLManagedTensorVersioned stria_dl_managed;
typedef DLManagedTensor stria_dl_legacy;
#else
typedef struct stria_dl_tensor {
    void *data;
    struct {
        int32_t device_type; /* 1: the CPU */
        int32_t device_id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code; /* 0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool, 10 f8e4m3, 12 f8e5m2
                       */
        uint8_t bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape;
    int64_t *strides; /* in ELEMENTS; NULL, from older producers: C order */
    uint64_t byte_offset;
} stria_dl_tensor;

typedef struct stria_dl_managed {
    struct {
        uint32_t major;
        uint32_t minor;
    } version;
    void *manager_ctx;
    void (*deleter)(struct stria_dl_managed *self); /* may be NULL */
    uint64_t flags;                                 /* STRIA_DLPACK_... */
    stria_dl_tensor dl_tensor;
} stria_dl_managed;

typedef struct stria_dl_legacy {
    stria_dl_tensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct stria_dl_legacy *self); /* may be NULL */
} stria_dl_legacy;
#endif

enum {
    STRIA_DLPACK_MAJOR = 1, /* the version that is written; every minor of it is read */
    STRIA_DLPACK_MINOR = 3,
    STRIA_DLPACK_CPU = 1, /* the only type of device that is read and written */

    /* Bits of stria_dl_managed.flags; others are ignored. */
    STRIA_DLPACK_READONLY = 1,
    STRIA_DLPACK_COPIED = 2 /* nobody else has the memory */
};

/* ---- handing out --------------------------------------------------------------------------- */

/*
 * Describes a view for the time that it, out and out_dims live. out_dims has room for 2 * a->ndim
 * numbers. Nothing is copied and nothing is owned; rights are the view's (stria_is_writable).
 * STRIDE (a negative stride, or one that is no whole number of items), DTYPE (also items in the
 * other byte order, conj and neg bits), UNSUPPORTED (meta buffers).
 */
STRIA_API STRIA_MUST_USE stria_status stria_dlpack_describe(stria_dl_tensor *out, int64_t *out_dims,
                                                            const stria_view *a);

/*
 * Makes a tensor of a view, to be given away: *out is owned by the caller until a consumer takes
 * it, and ends by out->deleter(out), which any thread may call. It keeps the buffer alive; foreign
 * memory (a->buffer NULL) is borrowed. What stria_dlpack_describe refuses becomes a dense copy if
 * policy allows, which sets STRIA_DLPACK_COPIED; *outcome, which may be NULL, is then IS_COPY, else
 * IS_SAME. STRIA_DLPACK_READONLY is set unless a may be written, and where a dim repeats elements
 * by a stride of 0. COPY (policy NEVER, with the reason), DTYPE, UNSUPPORTED, MEMORY.
 * numpy.ndarray.__dlpack__(copy=), torch.Tensor.__dlpack__.
 */
STRIA_API STRIA_MUST_USE stria_status stria_dlpack_export(stria_dl_managed **out,
                                                          const stria_view *a,
                                                          stria_copy_policy policy,
                                                          stria_outcome *outcome,
                                                          const stria_exec *exec);
/*
 * Does so for a consumer that takes structs without a version, which cannot say what is read-only:
 * that goes as a copy, too.
 */
STRIA_API STRIA_MUST_USE stria_status stria_dlpack_export_legacy(stria_dl_legacy **out,
                                                                 const stria_view *a,
                                                                 stria_copy_policy policy,
                                                                 stria_outcome *outcome,
                                                                 const stria_exec *exec);
/*
 * Makes a tensor of memory that somebody else owns, without a copy: its deleter calls
 * release(owner) once, instead of giving a buffer back. After an error release is not called.
 */
STRIA_API STRIA_MUST_USE stria_status stria_dlpack_export_owned(stria_dl_managed **out,
                                                                const stria_view *a, void *owner,
                                                                void (*release)(void *owner));

/* ---- taking -------------------------------------------------------------------------------- */

/*
 * Take a tensor over: on failure, too, its deleter is called, once, here or when the last reference
 * to the buffer is given back. *out is owned by the caller; its buffer is what the elements span,
 * read-only if the tensor says so, and always for legacy ones, which cannot say.
 * numpy.from_dlpack, torch.from_dlpack. ARGUMENT (NULL, no data), UNSUPPORTED (another major
 * version, of which nothing else is read; another device), DTYPE (no such elements here, lanes),
 * SHAPE, OVERFLOW, MEMORY.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_dlpack_import(stria_array *out,
                                                                      stria_dl_managed *tensor);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_dlpack_import_legacy(stria_array *out, stria_dl_legacy *tensor);

/*
 * Views a tensor that stays another's, for the time that it lives. flags: 0 or STRIA_READONLY. The
 * errors are those of stria_dlpack_import.
 */
STRIA_API STRIA_MUST_USE stria_status stria_dlpack_borrow(stria_view *out,
                                                          const stria_dl_tensor *tensor,
                                                          uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
