/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes .npy files: a header as NumPy writes it, then the elements as a stream. A view that is
 * dense in C or Fortran order is written directly from its memory; any other passes through a
 * buffer of 256 KiB.
 */
#include "io/npy_file.h"

#include "alloc.h"
#include "io/atomic_file.h"
#include "io/npy_header.h"
#include "ops/stream.h"
#include "status.h"
#include "view/view.h"

enum { STAGE = 256 << 10, DIRECT = 64 << 10 /* bytes that are worth a system call of their own */ };

static stria_status sink(const void *bytes, int64_t size, void *file)
{
    return stria__atomic_write(file, bytes, size);
}

/* Reverses the dims, so that Fortran order in a is C order in the result. */
static stria_view reversed(const stria_view *a)
{
    stria_view out = *a;
    for (int d = 0; d < a->ndim; d++) {
        out.shape[d] = a->shape[a->ndim - 1 - d];
        out.strides[d] = a->strides[a->ndim - 1 - d];
    }
    return out;
}

static stria_status write_file(const struct file_ops *ops, const char *path, const stria_view *a,
                               char *stage)
{
    const bool fortran =
        !stria_is_contiguous(a, STRIA_ORDER_C) && stria_is_contiguous(a, STRIA_ORDER_F);
    const stria_view items = fortran ? reversed(a) : *a;
    int64_t size;
    STRIA_TRY(stria__npy_compose(stage, STAGE, &size, a->dtype, fortran, a->ndim, a->shape));
    struct atomic_file file;
    STRIA_TRY(stria__atomic_begin(&file, ops, path));
    stria_status status = stria__atomic_write(&file, stage, size);
    const struct stage through = {stage, STAGE, 0, STAGE, DIRECT};
    if (status == STRIA_OK) status = stria__stream(&items, through, sink, &file);
    if (status == STRIA_OK) return stria__atomic_commit(&file);
    stria__atomic_abandon(&file);
    return status;
}

stria_status stria__npy_write(const struct file_ops *ops, const char *path, const stria_view *a)
{
    if (!path) return stria__fail(STRIA_ERR_ARGUMENT, "npy: path is NULL");
    STRIA_TRY(stria__check_view(a, "npy", "the view"));
    const stria_allocator allocator = stria__allocator();
    char *stage = allocator.alloc(STAGE, STRIA_ALIGNMENT, allocator.context);
    if (!stage) return stria__fail(STRIA_ERR_MEMORY, "npy: out of memory for %d bytes", (int)STAGE);
    const stria_status status = write_file(ops, path, a, stage);
    allocator.free(stage, STAGE, allocator.context);
    if (status != STRIA_OK) return stria__fail(status, "%.300s: %s", path, stria_last_error());
    return STRIA_OK;
}

stria_status stria_npy_write(const char *path, const stria_view *a)
{
    return stria__npy_write(&stria__posix_files, path, a);
}
