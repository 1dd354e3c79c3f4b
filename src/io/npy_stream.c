/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads .npy from a descriptor that can only be read on: a pipe, a socket. Nothing is known of the
 * size of what follows, so memory grows as data comes; a header that lies about its shape costs no
 * more than the bytes that stand behind it, twice.
 */
#include "alloc.h"
#include "buffer.h"
#include "io/npy_file.h"
#include "status.h"
#include "stria/record.h"

#include <string.h>

enum { FIRST_ROOM = 64 << 20 };

static stria_status read_text(const struct file_ops *ops, int fd, struct npy_preamble *preamble,
                              char *text, struct npy_header *out)
{
    const int64_t have =
        NPY_PREAMBLE_MAX - preamble->text_at; /* version 1 has a shorter preamble */
    if (preamble->text_size < have)
        return stria__fail(STRIA_ERR_FORMAT, "npy: header length %lld is too short for a header",
                           (long long)preamble->text_size);
    STRIA_TRY(stria__read_all(ops, fd, text + have, preamble->text_size - have));
    return stria__npy_header(out, preamble, text, INT64_MAX);
}

static stria_status read_header(const struct file_ops *ops, int fd, struct npy_header *out)
{
    char first[NPY_PREAMBLE_MAX];
    struct npy_preamble preamble;
    STRIA_TRY(stria__read_all(ops, fd, first, sizeof first));
    STRIA_TRY(stria__npy_preamble(&preamble, first, sizeof first, INT64_MAX));
    const stria_allocator allocator = stria__allocator();
    const size_t room = (size_t)preamble.text_size + NPY_PREAMBLE_MAX;
    char *text = allocator.alloc(room, STRIA_ALIGNMENT, allocator.context);
    if (!text)
        return stria__fail(STRIA_ERR_MEMORY, "npy: out of memory for a header of %lld bytes",
                           (long long)preamble.text_size);
    memcpy(text, first + preamble.text_at, sizeof first - (size_t)preamble.text_at);
    const stria_status status = read_text(ops, fd, &preamble, text, out);
    allocator.free(text, room, allocator.context);
    return status;
}

/* Reads `size` bytes into *buffer, which grows by doubling. */
static stria_status read_growing(const struct file_ops *ops, int fd, int64_t size,
                                 stria_buffer **buffer)
{
    int64_t room = size < FIRST_ROOM ? size : FIRST_ROOM, have = 0;
    STRIA_TRY(stria_buffer_new(buffer, room));
    for (;;) {
        STRIA_TRY(stria__read_all(ops, fd, stria_buffer_data(*buffer) + have, room - have));
        if (room == size) return STRIA_OK;
        have = room;
        room = room > size / 2 ? size : 2 * room;
        stria_buffer *larger;
        STRIA_TRY(stria_buffer_new(&larger, room));
        memcpy(stria_buffer_data(larger), stria_buffer_data(*buffer), (size_t)have);
        stria_buffer_release(*buffer);
        *buffer = larger;
    }
}

static stria_status read_data(const struct file_ops *ops, int fd, const struct npy_header *h,
                              stria_array *out)
{
    stria_buffer *buffer = NULL;
    const stria_status status = read_growing(ops, fd, h->nbytes, &buffer);
    if (status == STRIA_OK) return stria__npy_array(out, h, buffer);
    stria_buffer_release(buffer);
    return status;
}

stria_status stria__npy_read_fd(const struct file_ops *ops, stria_array *out, int fd,
                                stria_npy_mode mode)
{
    struct npy_header header;
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "npy: out is NULL");
    if (mode != STRIA_NPY_READ && mode != STRIA_NPY_HEADER)
        return stria__fail(STRIA_ERR_ARGUMENT, "npy: mode %d; a stream is read, or its header is",
                           (int)mode);
    STRIA_TRY(read_header(ops, fd, &header));
    const stria_status status =
        mode == STRIA_NPY_HEADER ? stria__npy_meta(out, &header) : read_data(ops, fd, &header, out);
    stria_dtype_release(header.dtype);
    return status;
}

stria_status stria_npy_read_fd(stria_array *out, int fd, stria_npy_mode mode)
{
    return stria__npy_read_fd(&stria__posix_files, out, fd, mode);
}
