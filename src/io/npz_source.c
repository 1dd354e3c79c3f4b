/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file of an archive as libzip reads it. It notes where each read begins: libzip does not tell
 * where in the archive a member lies, but a stored one lies where its bytes are read from.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/npz.h"

#include <errno.h>
#include <unistd.h>

zip_int64_t stria__npz_refuse(zip_error_t *error, int code, int cause)
{
    stria__zip.error_set(error, code, cause);
    return -1;
}

zip_int64_t stria__npz_tell_size(zip_stat_t *st, int64_t size)
{
    stria__zip.stat_init(st);
    st->size = (zip_uint64_t)size;
    st->valid = ZIP_STAT_SIZE;
    return sizeof *st;
}

static zip_int64_t read_some(struct npz_source *s, void *out, zip_uint64_t size)
{
    enum { AT_ONCE = 1 << 30 };
    const size_t most = size < AT_ONCE ? (size_t)size : (size_t)AT_ONCE;
    ssize_t n;
    do
        n = stria__files->pread(s->fd, out, most, (off_t)s->at);
    while (n < 0 && errno == EINTR);
    if (n < 0) return stria__npz_refuse(&s->error, ZIP_ER_READ, errno);
    s->last = s->at;
    s->at += n;
    return n;
}

zip_int64_t stria__npz_seek(int64_t *at, int64_t end, void *data, zip_uint64_t size,
                            zip_error_t *error)
{
    const zip_int64_t to = stria__zip.source_seek_compute_offset(
        (zip_uint64_t)*at, (zip_uint64_t)end, data, size, error);
    if (to >= 0) *at = to;
    return to < 0 ? -1 : 0;
}

static zip_int64_t call_source(void *context, void *data, zip_uint64_t size,
                               zip_source_cmd_t command)
{
    struct npz_source *const s = context;
    switch (command) {
    case ZIP_SOURCE_OPEN: s->at = 0; return 0;
    case ZIP_SOURCE_READ: return read_some(s, data, size);
    case ZIP_SOURCE_SEEK: return stria__npz_seek(&s->at, s->size, data, size, &s->error);
    case ZIP_SOURCE_TELL: return s->at;
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE: return 0;
    case ZIP_SOURCE_STAT: return stria__npz_tell_size(data, s->size);
    case ZIP_SOURCE_ERROR: return stria__zip.error_to_data(&s->error, data, size);
    case ZIP_SOURCE_SUPPORTS: return ZIP_SOURCE_SUPPORTS_SEEKABLE;
    default: return stria__npz_refuse(&s->error, ZIP_ER_OPNOTSUPP, 0);
    }
}

zip_source_t *stria__npz_source(struct npz_source *source, int fd, int64_t size)
{
    *source = (struct npz_source){.fd = fd, .size = size};
    stria__zip.error_init(&source->error);
    return stria__zip.source_function_create(call_source, source, &source->error);
}
