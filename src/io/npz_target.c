/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file of a new archive as libzip writes it: there is no archive to read, and writes go through
 * an atomic file. libzip writes 8 KiB at a time and goes back to the header of each member, so that
 * its writes are gathered.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/npz.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"

enum {
    ROOM = 1 << 20,
    SMALL = 64 << 10,     /* Writes of at most so many bytes are gathered. */
    WRITE_BACK = 16 << 20 /* So many complete bytes are given to the disk at once. */
};

/* The first bytes of a member's local header, and the offsets of its parts. */
enum { MARK = 4, METHOD_AT = 8, SUM_AT = 14, HEADER = 30 };
static const char mark[MARK] = "PK\3\4";

static zip_int64_t failed(struct npz_target *t, stria_status status, int code)
{
    t->status = status;
    return stria__npz_refuse(&t->error, code, 0);
}

static zip_int64_t flush(struct npz_target *t)
{
    const stria_status status = stria__write_at(t->file.fd, t->room.at, t->used, t->from);
    t->used = 0;
    return status == STRIA_OK ? 0 : failed(t, status, ZIP_ER_WRITE);
}

static zip_int64_t write_some(struct npz_target *t, const char *bytes, zip_uint64_t size)
{
    if (t->used > 0 && (t->from + t->used != t->at || size > (zip_uint64_t)(ROOM - t->used)) &&
        flush(t) != 0)
        return -1;
    const zip_uint64_t n = size < ROOM ? size : ROOM;
    if (t->used == 0) t->from = t->at;
    if (n >= HEADER && !memcmp(bytes, mark, MARK)) t->header_at = t->at;
    memcpy((char *)t->room.at + t->used, bytes, n);
    t->used += (int64_t)n;
    t->at += (int64_t)n;
    if (t->at > t->end) t->end = t->at;
    return (zip_int64_t)n;
}

/* Gathers small amounts of bytes, and writes large ones from where they lie. */
stria_status stria__npz_put(struct npz_target *t, const void *bytes, int64_t size)
{
    if (size <= SMALL) return write_some(t, bytes, (zip_uint64_t)size) < 0 ? t->status : STRIA_OK;
    if (t->used > 0 && flush(t) != 0) return t->status;
    STRIA_TRY(stria__write_at(t->file.fd, bytes, size, t->at));
    t->at += size;
    if (t->at > t->end) t->end = t->at;
    if (t->at - t->complete >= WRITE_BACK) {
        stria__files->write_back(t->file.fd, (off_t)t->complete, (off_t)(t->at - t->complete));
        t->complete = t->at;
    }
    return STRIA_OK;
}

static void end_target(struct npz_target *t)
{
    if (t->begun) stria__atomic_abandon(&t->file);
    t->begun = false;
    stria__memory_free(&t->room);
    t->room.at = NULL;
}

static zip_int64_t begin_archive(struct npz_target *t)
{
    if (!t->room.at) t->room = stria__memory(ROOM);
    if (!t->room.at)
        return failed(t, stria__fail(STRIA_ERR_MEMORY, "npz: out of memory for %d bytes", ROOM),
                      ZIP_ER_MEMORY);
    const stria_status status = stria__atomic_begin(&t->file, t->path);
    if (status != STRIA_OK) return failed(t, status, ZIP_ER_TMPOPEN);
    t->begun = true;
    return 0;
}

static uint32_t number_at(const unsigned char *bytes, int size)
{
    uint32_t number = 0;
    for (int i = size - 1; i >= 0; i--)
        number = number << 8 | bytes[i];
    return number;
}

static bool distrusted;

void stria__npz_distrust(bool yes)
{
    distrusted = yes;
}

/* Checks that libzip's header of a stored member agrees with what was written (io/npz_stored.c). */
static stria_status check_header(const struct npz_target *t, const struct npz_member *m)
{
    unsigned char header[HEADER];
    STRIA_TRY(stria__read_at(t->file.fd, header, HEADER, m->header_at));
    if (!distrusted && !memcmp(header, mark, MARK) &&
        number_at(header + METHOD_AT, 2) == ZIP_CM_STORE && number_at(header + SUM_AT, 4) == m->sum)
        return STRIA_OK;
    return stria__fail(STRIA_ERR_UNSUPPORTED,
                       "npz: libzip %.20s does not take checksums from its sources",
                       stria__zip.libzip_version());
}

static stria_status check_headers(const struct npz_target *t)
{
    for (int64_t i = 0; i < t->count; i++)
        if (t->members[i].target) STRIA_TRY(check_header(t, &t->members[i]));
    return STRIA_OK;
}

static zip_int64_t commit(struct npz_target *t)
{
    if (flush(t) != 0) return -1;
    const stria_status checked = check_headers(t);
    if (checked != STRIA_OK) return failed(t, checked, ZIP_ER_INTERNAL);
    t->begun = false;
    const stria_status status = stria__atomic_commit(&t->file);
    return status == STRIA_OK ? 0 : failed(t, status, ZIP_ER_RENAME);
}

static zip_int64_t call_target(void *context, void *data, zip_uint64_t size,
                               zip_source_cmd_t command)
{
    struct npz_target *const t = context;
    switch (command) {
    case ZIP_SOURCE_STAT:
    case ZIP_SOURCE_OPEN: /* There is no archive to read, so that libzip makes a new one. */
        return stria__npz_refuse(&t->error, ZIP_ER_READ, ENOENT);
    case ZIP_SOURCE_BEGIN_WRITE: return begin_archive(t);
    case ZIP_SOURCE_WRITE: return write_some(t, data, size);
    case ZIP_SOURCE_SEEK_WRITE: return stria__npz_seek(&t->at, t->end, data, size, &t->error);
    case ZIP_SOURCE_TELL_WRITE: return t->at;
    case ZIP_SOURCE_COMMIT_WRITE: return commit(t);
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_FREE: end_target(t); return 0;
    case ZIP_SOURCE_ERROR: return stria__zip.error_to_data(&t->error, data, size);
    case ZIP_SOURCE_SUPPORTS: return ZIP_SOURCE_SUPPORTS_WRITABLE;
    default: return stria__npz_refuse(&t->error, ZIP_ER_OPNOTSUPP, 0);
    }
}

zip_source_t *stria__npz_target(struct npz_target *target, const char *path)
{
    *target = (struct npz_target){.path = path};
    stria__zip.error_init(&target->error);
    zip_source_t *source = stria__zip.source_function_create(call_target, target, &target->error);
    if (!source) (void)stria__npz_fail(&target->error, "write");
    return source;
}
