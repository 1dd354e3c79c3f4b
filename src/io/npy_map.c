/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Maps of the data of .npy files: read-only, copied where they are written to, or shared with the
 * file.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <sys/mman.h>

#include "view/array.h"
#include "view/buffer.h"
#include "io/atomic_file.h"
#include "io/npy_file.h"
#include "base/status.h"
#include "view/view.h"

/* The buffer is the data alone; the mapping begins header_size bytes before it. */
static void unmap(void *data, int64_t size, void *header_size)
{
    const size_t before = (size_t)(uintptr_t)header_size;
    (void)munmap((char *)data - before, before + (size_t)size);
}

/* Another function for maps that are shared with their file, so that flush knows them. */
static void unmap_shared(void *data, int64_t size, void *header_size)
{
    unmap(data, size, header_size);
}

stria_status stria__npy_map(int fd, const struct npy_header *h, stria_npy_mode mode, bool *mapped,
                            stria_array *out)
{
    const bool shared = mode == STRIA_NPY_MAP_RW;
    const int rights = mode == STRIA_NPY_MAP ? PROT_READ : PROT_READ | PROT_WRITE;
    const uint64_t length = (uint64_t)h->data_at + (uint64_t)h->nbytes;
    void *base = MAP_FAILED;
    errno = ENOMEM;
    if (length <= SIZE_MAX)
        base = stria__files->mmap(NULL, (size_t)length, rights, shared ? MAP_SHARED : MAP_PRIVATE,
                                  fd, 0);
    *mapped = base != MAP_FAILED;
    if (!*mapped) return STRIA_OK;
    char *data = (char *)base + h->data_at;
    void *const header_size = (void *)(uintptr_t)h->data_at;
    OWNED_BUFFER(buffer);
    const stria_status status = stria_buffer_wrap(&buffer, data, h->nbytes, mode == STRIA_NPY_MAP,
                                                  shared ? unmap_shared : unmap, header_size);
    if (status == STRIA_OK) return stria__npy_array(out, h, buffer);
    unmap(data, h->nbytes, header_size);
    return status;
}

stria_status stria_npy_flush(const stria_array *array)
{
    STRIA_TRY(stria__check_view(array ? &array->view : NULL, "npy", "the array"));
    if (!array->owned || array->owned->deleter != unmap_shared)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "npy: flush takes an array of stria_npy_create or STRIA_NPY_MAP_RW");
    const stria_buffer *const buffer = array->owned;
    char *const base = buffer->data - (uintptr_t)buffer->context;
    const size_t length = (size_t)(uintptr_t)buffer->context + (size_t)buffer->size;
    return msync(base, length, MS_SYNC) == 0 ? STRIA_OK : stria__fail_errno("npy: msync");
}

/* ---- new files ------------------------------------------------------------------------------- */

enum { HEADER_ROOM = (64 << 10) + 128 };

/*
 * The blocks of the file are reserved: a store into a map for which the disk has no room left ends
 * the process.
 */
static stria_status lay_out(struct atomic_file *file, struct npy_header *h, char *room)
{
    STRIA_TRY(stria__npy_compose(room, HEADER_ROOM, &h->data_at, h->dtype, h->fortran, h->ndim,
                                 h->shape));
    STRIA_TRY(stria__write_at(file->fd, room, h->data_at, FILE_GOES_ON));
    if (h->nbytes > INT64_MAX - h->data_at)
        return stria__fail(STRIA_ERR_OVERFLOW, "%lld bytes of data exceed what a file can have",
                           (long long)h->nbytes);
    const int code =
        h->nbytes == 0 ? 0 : stria__files->reserve(file->fd, 0, (off_t)(h->data_at + h->nbytes));
    if (code == 0) return STRIA_OK;
    errno = code;
    return stria__fail_errno("reserve the file's size");
}

static stria_status create(stria_array *out, const char *path, struct npy_header *h)
{
    struct atomic_file file;
    OWNED_ARRAY(made);
    OWNED_BUFFER(scratch);
    bool mapped = false;
    STRIA_TRY(stria_buffer_new(&scratch, HEADER_ROOM));
    STRIA_TRY(stria__atomic_begin(&file, path));
    stria_status status = lay_out(&file, h, stria_buffer_data(scratch));
    if (status == STRIA_OK) status = stria__npy_map(file.fd, h, STRIA_NPY_MAP_RW, &mapped, &made);
    if (status == STRIA_OK && !mapped) status = stria__fail_errno("map");
    STRIA_TRY(stria__atomic_end(&file, status));
    array_share(out, &made.view);
    return STRIA_OK;
}

stria_status stria_npy_create(stria_array *out, const char *path, stria_dtype dtype, int ndim,
                              const int64_t *shape, stria_order order)
{
    int64_t strides[STRIA_MAX_NDIM];
    struct npy_header h = {.dtype = dtype, .fortran = order == STRIA_ORDER_F, .ndim = ndim};
    if (!out || !path) return stria__fail(STRIA_ERR_ARGUMENT, "npy: out or path is NULL");
    STRIA_TRY(stria__check_dtype(dtype, "npy"));
    STRIA_TRY(stria__check_shape(ndim, shape, "npy"));
    if (order != STRIA_ORDER_C && order != STRIA_ORDER_F)
        return stria__fail(STRIA_ERR_ARGUMENT, "npy: order %d; files have order C or F",
                           (int)order);
    STRIA_TRY(stria__dense_strides(strides, &h.nbytes, ndim, shape, dtype.itemsize, order, "npy"));
    for (int d = 0; d < ndim; d++)
        h.shape[d] = shape[d];
    return stria__with_path(create(out, path, &h), path);
}
