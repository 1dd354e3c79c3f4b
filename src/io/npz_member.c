/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The .npy file of a view as libzip reads a member that it compresses: as a stream of bytes. They
 * come in chunks: the header, then boxes of up to 256 KiB that are copied into a stage.
 */
#include "io/npz.h"

#include <string.h>

#include "io/npy_header.h"
#include "plan/threads.h"
#include "plan/plan.h"
#include "base/status.h"
#include "stria/copy.h"
#include "view/view.h"

enum { STAGE = 256 << 10 };

/* Sets the size of chunks: as many of the last dims as the stage holds, and some rows of them. */
static void cut_chunks(struct npz_member *m, int64_t room)
{
    int64_t row = m->items.dtype.itemsize;
    m->outer = m->items.ndim;
    while (m->outer > 0 && m->items.shape[m->outer - 1] <= room / row)
        row *= m->items.shape[--m->outer];
    m->rows = room / row;
}

stria_status stria__npz_header(const struct npz_member *m, void *out, int64_t room, int64_t *size)
{
    const stria_view *const a = m->view;
    return stria__npy_compose(out, (size_t)room, size, a->dtype, stria__npy_is_fortran(a), a->ndim,
                              a->shape);
}

/* Allocates the stage and puts the header into it; an archive may have many members, but writes one
 * at a time. */
static stria_status begin_member(struct npz_member *m)
{
    STRIA_TRY(stria_buffer_make(&m->stage, m->room));
    m->used = 0;
    m->left = stria_nbytes(m->view);
    memset(m->index, 0, sizeof m->index);
    return stria__npz_header(m, stria_buffer_data(m->stage), m->room, &m->ready);
}

static void end_member(struct npz_member *m)
{
    stria_buffer_release(m->stage);
    m->stage = NULL;
}

stria_status stria__npz_member(struct npz_member *m, const stria_view *a)
{
    const int64_t item = a->dtype.itemsize;
    *m = (struct npz_member){.view = a, .items = *a};
    if (stria__npy_is_fortran(a)) STRIA_TRY(stria_reverse_dims(&m->items, a));
    m->room = item > STAGE ? item : STAGE;
    if (stria_buffer_is_meta(a->buffer))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "npz: a meta buffer has no elements to write");
    const stria_status status = begin_member(m);
    m->size = m->ready + m->left;
    if (m->left > 0) cut_chunks(m, m->room);
    end_member(m);
    return status;
}

/* Makes the view of the next box, and advances the index. */
static stria_status next_box(stria_view *out, struct npz_member *m)
{
    const int last = m->outer - 1;
    *out = m->items;
    for (int d = 0; d < last; d++)
        STRIA_TRY(stria_narrow(out, out, d, m->index[d], 1));
    if (last < 0) return STRIA_OK;
    const int64_t left = m->items.shape[last] - m->index[last],
                  rows = left < m->rows ? left : m->rows;
    STRIA_TRY(stria_narrow(out, out, last, m->index[last], rows));
    m->index[last] += rows;
    if (m->index[last] == m->items.shape[last]) {
        m->index[last] = 0;
        (void)stria__next_index(m->index, last, m->items.shape);
    }
    return STRIA_OK;
}

/* A chunk is so small that waking up threads takes longer than copying it. */
static const stria_exec alone = {.threads = 1, .hints = STRIA_WILL_READ_SOON};

static stria_status next_chunk(struct npz_member *m)
{
    stria_view box, dense;
    int64_t strides[STRIA_MAX_NDIM], step = m->items.dtype.itemsize;
    STRIA_TRY(next_box(&box, m));
    for (int d = box.ndim - 1; d >= 0; d--) {
        strides[d] = step;
        step *= box.shape[d];
    }
    STRIA_TRY(stria_view_make(&dense, m->stage, box.dtype, box.ndim, box.shape, strides, 0));
    STRIA_TRY(stria_copy(&dense, &box, &alone));
    m->used = 0;
    m->ready = step;
    m->left -= step;
    return stria__watch_bytes(m->exec, step);
}

static zip_int64_t read_some(struct npz_member *m, char *out, zip_uint64_t size)
{
    if (m->used == m->ready && m->left > 0) {
        m->status = next_chunk(m);
        if (m->status != STRIA_OK) return stria__npz_refuse(&m->error, ZIP_ER_INTERNAL, 0);
    }
    const zip_uint64_t have = (zip_uint64_t)(m->ready - m->used), n = size < have ? size : have;
    memcpy(out, (char *)stria_buffer_data(m->stage) + m->used, n);
    m->used += (int64_t)n;
    return (zip_int64_t)n;
}

zip_int64_t stria__npz_member_supports(void)
{
    return stria__zip.source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                                 ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                                 -1);
}

zip_int64_t stria__npz_member_call(void *context, void *data, zip_uint64_t size,
                                   zip_source_cmd_t command)
{
    struct npz_member *const m = context;
    switch (command) {
    case ZIP_SOURCE_OPEN:
        m->status = begin_member(m);
        if (m->status == STRIA_OK) return 0;
        return stria__npz_refuse(&m->error, ZIP_ER_INTERNAL, 0);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE: end_member(m); return 0;
    case ZIP_SOURCE_READ: return read_some(m, data, size);
    case ZIP_SOURCE_STAT: return stria__npz_tell_size(data, m->size);
    case ZIP_SOURCE_ERROR: return stria__zip.error_to_data(&m->error, data, size);
    case ZIP_SOURCE_SUPPORTS: return stria__npz_member_supports();
    default: return stria__npz_refuse(&m->error, ZIP_ER_OPNOTSUPP, 0);
    }
}
