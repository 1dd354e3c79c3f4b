/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps the data of .npy files: read-only, copied on write, or shared with the file. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>

#include "view/array.h"
#include "io/npy_file.h"

/* The buffer is the data alone; the mapping begins header_size bytes before it. */
static void unmap(void *data, int64_t size, void *header_size)
{
    const size_t before = (size_t)(uintptr_t)header_size;
    (void)munmap((char *)data - before, before + (size_t)size);
}

/* Maps that are shared with their file have a function of their own, by which flush recognizes
 * them. */
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
