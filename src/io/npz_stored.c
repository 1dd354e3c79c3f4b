/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stored members bypass libzip, which would copy and sum up what it reads from a source 8 KiB at a
 * time and in one thread, slower than writing it. When libzip begins to read, this source writes
 * the member to the target itself, while another thread sums it up, and returns no bytes. libzip
 * takes the member's size from how far the target has moved, and the checksum from what the source
 * reports afterwards, unless the source's bytes are not packed: then libzip sums them up itself.
 * Therefore the source calls itself deflated until it was read, and stored then. The target checks
 * what libzip wrote about the member before the archive appears; if it differs from what was
 * written, as it might with another libzip, the archive is written once more without this source.
 */
#include <libdeflate.h>

#include "view/buffer.h"
#include "base/integers.h"
#include "io/npy_header.h"
#include "io/npz.h"
#include "plan/threads.h"
#include "ops/stream.h"
#include "base/status.h"
#include "plan/threads.h"

enum {
    STAGE = 1 << 20,
    DIRECT = 64 << 10,  /* Bytes from which on a system call of its own pays. */
    TOGETHER = 16 << 20 /* Bytes between two reports to the watch. */
};

/* Bytes that one thread sums up and then writes while they are in the cache. */
enum { ALONE = 256 << 10 };

struct part {
    struct npz_member *member;
    const char *bytes;
    int64_t size;
    stria_status status;
};

/* Task 0, which writes, runs in the calling thread, so that it gets the message of a failure. */
static void write_or_sum(void *data, int64_t task)
{
    struct part *const p = data;
    struct npz_member *const m = p->member;
    if (task == 0)
        p->status = stria__npz_put(m->target, p->bytes, p->size);
    else
        m->sum = libdeflate_crc32(m->sum, p->bytes, (size_t)p->size);
}

static stria_status put_alone(struct part p)
{
    for (int64_t left = p.size; left > 0; left -= p.size, p.bytes += p.size) {
        p.size = least(left, ALONE);
        write_or_sum(&p, 1);
        write_or_sum(&p, 0);
        STRIA_TRY(p.status);
    }
    return STRIA_OK;
}

/*
 * Writes bytes and adds them to the checksum. Foreign memory may be brought page by page while it
 * is read (see bring_page in io/file_ops.c); then one thread does both, since a second one would
 * drive away the pages that the first is to write.
 */
static stria_status put_bytes(struct npz_member *m, const void *bytes, int64_t size)
{
    struct part p = {m, bytes, size, STRIA_OK};
    const stria_buffer *const memory = m->view->buffer;
    const int threads = memory && stria__buffer_is_ours(memory)
                            /* The bytes are read twice and written once. */
                            ? stria__threads_for(NULL, 3 * size, 0)
                            : 1;
    if (threads == 1) return put_alone(p);
    stria__parallel(NULL, threads, 2, write_or_sum, &p);
    return p.status;
}

static stria_status sink(const void *bytes, int64_t size, void *context)
{
    struct npz_member *const m = context;
    for (int64_t done = 0; done < size;) {
        const int64_t part = least(size - done, TOGETHER);
        STRIA_TRY(put_bytes(m, (const char *)bytes + done, part));
        done += part;
        STRIA_TRY(stria__watch_bytes(m->exec, part));
    }
    return STRIA_OK;
}

static stria_status put_all(struct npz_member *m, char *stage)
{
    const struct stage through = {stage, m->room, 0, m->room, least(DIRECT, m->room)};
    int64_t header;
    STRIA_TRY(stria__npz_header(m, stage, m->room, &header));
    STRIA_TRY(put_bytes(m, stage, header));
    return stria__stream(&m->items, through, sink, m);
}

static stria_status write_member(struct npz_member *m)
{
    OWNED_BUFFER(stage);
    m->sum = 0;
    m->room = m->items.dtype.itemsize > STAGE ? m->items.dtype.itemsize : STAGE;
    STRIA_TRY(stria_buffer_make(&stage, m->room));
    STRIA_TRY(put_all(m, stria_buffer_data(stage)));
    m->done = true;
    return STRIA_OK;
}

static zip_int64_t set_stat(const struct npz_member *m, zip_stat_t *st)
{
    stria__zip.stat_init(st);
    st->size = st->comp_size = (zip_uint64_t)m->size;
    st->comp_method = m->done ? ZIP_CM_STORE : ZIP_CM_DEFLATE;
    st->valid = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if (m->done) {
        st->crc = m->sum;
        st->valid |= ZIP_STAT_CRC;
    }
    return sizeof *st;
}

zip_int64_t stria__npz_stored_call(void *context, void *data, zip_uint64_t size,
                                   zip_source_cmd_t command)
{
    struct npz_member *const m = context;
    switch (command) {
    case ZIP_SOURCE_OPEN: m->header_at = m->target->header_at; return 0;
    case ZIP_SOURCE_READ:
        if (!m->done) m->status = write_member(m);
        if (m->status == STRIA_OK) return 0;
        return stria__npz_refuse(&m->error, ZIP_ER_INTERNAL, 0);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE: return 0;
    case ZIP_SOURCE_STAT: return set_stat(m, data);
    case ZIP_SOURCE_ERROR: return stria__zip.error_to_data(&m->error, data, size);
    case ZIP_SOURCE_SUPPORTS: return stria__npz_member_supports();
    default: return stria__npz_refuse(&m->error, ZIP_ER_OPNOTSUPP, 0);
    }
}
