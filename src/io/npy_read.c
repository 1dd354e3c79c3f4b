/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads .npy files and bytes. The order makes it safe: the size of the file, the header within it,
 * the data within it, and only then memory for the data or a map of it. A header up to 4 KiB needs
 * no memory, and none needs more than 64 KiB.
 */
#include "io/npy_file.h"

#include <string.h>

#include "base/alloc.h"
#include "view/array.h"
#include "plan/threads.h"

enum { FIRST_BYTES = 4096 };

stria_status stria__npy_read_header(struct npy_header *out, stria__npy_reader *read, void *from,
                                    int64_t file_size, int64_t ahead)
{
    char first[FIRST_BYTES];
    struct npy_preamble preamble;
    const int64_t have = least(least(file_size, ahead), FIRST_BYTES);
    STRIA_TRY(read(from, first, have, 0));
    STRIA_TRY(stria__npy_preamble(&preamble, first, have, file_size));
    const int64_t had = have - preamble.text_at, left = preamble.text_size - had;
    if (left <= 0) return stria__npy_header(out, &preamble, first + preamble.text_at, file_size);
    OWNED_MEMORY(text, (size_t)preamble.text_size);
    if (!text.at)
        return stria__fail(STRIA_ERR_MEMORY, "npy: out of memory for a header of %lld bytes",
                           (long long)preamble.text_size);
    memcpy(text.at, first + preamble.text_at, (size_t)had);
    STRIA_TRY(read(from, (char *)text.at + had, left, have));
    return stria__npy_header(out, &preamble, text.at, file_size);
}

static stria_status read_file(void *fd, void *out, int64_t size, int64_t at)
{
    return stria__read_at(*(const int *)fd, out, size, at);
}

stria_status stria__npy_array(stria_array *out, const struct npy_header *h, stria_buffer *buffer)
{
    stria_view view;
    stria__buffer_keep_dtype(buffer, h->dtype);
    STRIA_TRY(stria__npy_view(&view, h, buffer, 0));
    array_share(out, &view);
    return STRIA_OK;
}

stria_status stria__npy_meta(stria_array *out, const struct npy_header *h)
{
    OWNED_BUFFER(buffer);
    STRIA_TRY(stria_buffer_meta(&buffer, h->nbytes));
    return stria__npy_array(out, h, buffer);
}

static stria_status read_data(int fd, const struct npy_header *h, bool freeze, stria_array *out)
{
    OWNED_BUFFER(buffer);
    STRIA_TRY(stria_buffer_make(&buffer, h->nbytes));
    STRIA_TRY(stria__read_at(fd, stria_buffer_data(buffer), h->nbytes, h->data_at));
    if (freeze) stria_buffer_freeze(buffer);
    return stria__npy_array(out, h, buffer);
}

/* A file that its file system cannot map is read instead, with the same rights. */
static stria_status map_or_read(int fd, const struct npy_header *h, stria_npy_mode mode,
                                stria_array *out)
{
    bool mapped;
    STRIA_TRY(stria__npy_map(fd, h, mode, &mapped, out));
    if (mapped) return STRIA_OK;
    if (mode == STRIA_NPY_MAP_RW) return stria__fail_errno("map for writing");
    return read_data(fd, h, mode == STRIA_NPY_MAP, out);
}

stria_status stria__npy_take(int fd, const struct npy_header *h, stria_npy_mode mode,
                             stria_array *out)
{
    switch (mode) {
    case STRIA_NPY_READ: return read_data(fd, h, false, out);
    case STRIA_NPY_HEADER: return stria__npy_meta(out, h);
    default: return map_or_read(fd, h, mode, out);
    }
}

stria_status stria_npy_read(stria_array *out, const char *path, stria_npy_mode mode,
                            const stria_exec *exec)
{
    TAKES_EXEC(exec, "npy_read");
    if (!out || !path) return stria__fail(STRIA_ERR_ARGUMENT, "npy: out or path is NULL");
    if ((int)mode < STRIA_NPY_READ || mode > STRIA_NPY_HEADER)
        return stria__fail(STRIA_ERR_ARGUMENT, "npy: %d is not a mode of reading", (int)mode);
    int fd;
    int64_t size;
    OWNED_HEADER(header);
    stria_status status = stria__open_regular(&fd, &size, path, mode == STRIA_NPY_MAP_RW);
    if (status == STRIA_OK) {
        status = stria__npy_read_header(&header, read_file, &fd, size, FIRST_BYTES);
        if (status == STRIA_OK) status = stria__npy_take(fd, &header, mode, out);
        (void)stria__files->close(fd); /* Nothing was written, so a failing close loses nothing. */
    }
    return stria__with_path(status, path);
}

stria_status stria_npy_parse(stria_array *out, const void *bytes, int64_t size,
                             const stria_exec *exec)
{
    TAKES_EXEC(exec, "npy_parse");
    if (!out || (!bytes && size != 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "npy: out or bytes is NULL");
    if (size < 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "npy: a size of %lld bytes is negative",
                           (long long)size);
    struct npy_preamble preamble;
    OWNED_HEADER(header);
    OWNED_BUFFER(buffer);
    const char *text = bytes ? bytes : "";
    STRIA_TRY(stria__npy_preamble(&preamble, text, size, size));
    STRIA_TRY(stria__npy_header(&header, &preamble, text + preamble.text_at, size));
    STRIA_TRY(stria_buffer_make(&buffer, header.nbytes));
    if (header.nbytes)
        memcpy(stria_buffer_data(buffer), text + header.data_at, (size_t)header.nbytes);
    return stria__npy_array(out, &header, buffer);
}
