/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions of files written block by block: arguments checked, memory of the writer. */
#include "alloc.h"
#include "io/npy_writer.h"
#include "status.h"
#include "view/view.h"

static void free_writer(stria_npy_writer *w, stria_allocator allocator)
{
    allocator.free(w, sizeof *w, allocator.context);
}

stria_status stria__npy_writer_new(stria_npy_writer **out, const char *path, int fd,
                                   const struct npy_form *form)
{
    const stria_allocator allocator = stria__allocator();
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "npy: out is NULL");
    STRIA_TRY(stria__check_dtype(form->dtype, "npy"));
    STRIA_TRY(stria__check_shape(form->ndim, form->shape, "npy"));
    stria_npy_writer *w = allocator.alloc(sizeof *w, STRIA_ALIGNMENT, allocator.context);
    if (!w) return stria__fail(STRIA_ERR_MEMORY, "npy: out of memory for %zu bytes", sizeof *w);
    const stria_status status = path ? stria__npy_begin(w, &stria__posix_files, path, form)
                                     : stria__npy_begin_fd(w, &stria__posix_files, fd, form);
    if (status == STRIA_OK) {
        *out = w;
        return STRIA_OK;
    }
    free_writer(w, allocator);
    return path ? stria__fail(status, "%.300s: %s", path, stria_last_error()) : status;
}

static stria_status check_order(stria_order order)
{
    if (order == STRIA_ORDER_C || order == STRIA_ORDER_F) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "npy: order %d; files have order C or F", (int)order);
}

stria_status stria_npy_begin(stria_npy_writer **out, const char *path, stria_dtype dtype, int ndim,
                             const int64_t *shape, stria_order order)
{
    const struct npy_form form = {dtype, ndim, shape, order == STRIA_ORDER_F, false};
    if (!path) return stria__fail(STRIA_ERR_ARGUMENT, "npy: path is NULL");
    STRIA_TRY(check_order(order));
    return stria__npy_writer_new(out, path, -1, &form);
}

stria_status stria_npy_begin_fd(stria_npy_writer **out, int fd, stria_dtype dtype, int ndim,
                                const int64_t *shape, stria_order order)
{
    const struct npy_form form = {dtype, ndim, shape, order == STRIA_ORDER_F, false};
    STRIA_TRY(check_order(order));
    return stria__npy_writer_new(out, NULL, fd, &form);
}

stria_status stria_npy_put(stria_npy_writer *writer, const int64_t *start, const stria_view *block)
{
    int64_t from[STRIA_MAX_NDIM];
    if (!writer) return stria__fail(STRIA_ERR_ARGUMENT, "npy: the writer is NULL");
    STRIA_TRY(stria__check_view(block, "npy", "the block"));
    const int n = writer->ndim;
    if (!start && n > 0) return stria__fail(STRIA_ERR_ARGUMENT, "npy: start is NULL");
    if (block->ndim != n)
        return stria__fail(STRIA_ERR_SHAPE, "npy: a block of %d dims for an array of %d",
                           block->ndim, n);
    if (!stria_dtype_equal(block->dtype, writer->dtype))
        return stria__fail(STRIA_ERR_DTYPE, "npy: the block has another dtype than the array");
    for (int d = 0; d < n; d++) {
        const int at = writer->fortran ? n - 1 - d : d;
        from[at] = start[d];
        if (start[d] < 0 || start[d] > writer->shape[at] - block->shape[d])
            return stria__fail(
                STRIA_ERR_ARGUMENT, "npy: %lld elements from %lld of dim %d, which has %lld",
                (long long)block->shape[d], (long long)start[d], d, (long long)writer->shape[at]);
    }
    return stria__npy_put(writer, from, block);
}

stria_status stria_npy_commit(stria_npy_writer *writer)
{
    if (!writer) return stria__fail(STRIA_ERR_ARGUMENT, "npy: the writer is NULL");
    const stria_allocator allocator = writer->allocator;
    const stria_status status = stria__npy_commit(writer);
    free_writer(writer, allocator);
    return status;
}

void stria_npy_abandon(stria_npy_writer *writer)
{
    if (!writer) return;
    const stria_allocator allocator = writer->allocator;
    stria__npy_abandon(writer);
    free_writer(writer, allocator);
}

void stria_npy_unlink(const stria_npy_writer *writer)
{
    if (writer && !writer->stream) stria__atomic_unlink(&writer->file);
}
