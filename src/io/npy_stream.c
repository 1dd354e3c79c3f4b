/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads .npy from a descriptor that can only be read on: a pipe, a socket. Nothing is known of the
 * size of what follows, so memory grows as data comes; a header that lies about its shape costs no
 * more than the bytes that stand behind it, twice.
 */
#include "view/buffer.h"
#include "io/npy_file.h"
#include "base/status.h"
#include "plan/threads.h"

#include <string.h>

enum { FIRST_ROOM = 512 << 10 /* Bytes that are allocated without any data to justify them. */ };

static stria_status read_on(void *fd, void *out, int64_t size, int64_t at)
{
    (void)at;
    return stria__read_at(*(const int *)fd, out, size, FILE_GOES_ON);
}

/* Reads `size` bytes into *buffer, which grows by doubling. */
static stria_status read_growing(int fd, int64_t size, stria_buffer **buffer)
{
    int64_t room = size < FIRST_ROOM ? size : FIRST_ROOM, have = 0;
    STRIA_TRY(stria_buffer_make(buffer, room));
    for (;;) {
        STRIA_TRY(stria__read_at(fd, stria_buffer_data(*buffer) + have, room - have, FILE_GOES_ON));
        if (room == size) return STRIA_OK;
        have = room;
        room = room > size / 2 ? size : 2 * room;
        stria_buffer *larger;
        STRIA_TRY(stria_buffer_make(&larger, room));
        memcpy(stria_buffer_data(larger), stria_buffer_data(*buffer), (size_t)have);
        stria_buffer_release(*buffer);
        *buffer = larger;
    }
}

stria_status stria_npy_read_fd(stria_array *out, int fd, stria_npy_mode mode,
                               const stria_exec *exec)
{
    TAKES_EXEC(exec, "npy_read_fd");
    OWNED_HEADER(header);
    OWNED_BUFFER(buffer);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "npy: out is NULL");
    if (mode != STRIA_NPY_READ && mode != STRIA_NPY_HEADER)
        return stria__fail(STRIA_ERR_ARGUMENT, "npy: mode %d; a stream is read, or its header is",
                           (int)mode);
    STRIA_TRY(stria__npy_read_header(&header, read_on, &fd, INT64_MAX, NPY_PREAMBLE_MAX));
    if (mode == STRIA_NPY_HEADER) return stria__npy_meta(out, &header);
    STRIA_TRY(read_growing(fd, header.nbytes, &buffer));
    return stria__npy_array(out, &header, buffer);
}
