/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the data of a .npy file in blocks, of which an array as a whole is one. In the order of
 * the file a block is a number of runs of equal length: all that it covers of the last dims, and
 * its part of the dim before them. The block is streamed once (ops/stream.h), and the stream is cut
 * where a run ends.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/npy_writer.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "io/npy_file.h"
#include "plan/plan.h"
#include "ops/stream.h"
#include "view/array.h"
#include "plan/threads.h"

enum {
    STAGE = 256 << 10,
    DIRECT = 64 << 10,    /* Bytes from which on a system call of its own pays. */
    WRITE_BACK = 16 << 20 /* Bytes from which on starting the disk pays. */
};

/* ---- begin ----------------------------------------------------------------------------------- */

static stria_status set_form(struct stria_npy_writer *w, const struct npy_form *form)
{
    w->fortran = form->fortran;
    w->ndim = form->ndim;
    for (int d = 0; d < form->ndim; d++)
        w->shape[d] = form->shape[form->fortran ? form->ndim - 1 - d : d];
    if (multiply_sizes(&w->left, form->dtype.itemsize, w->ndim, w->shape)) return STRIA_OK;
    return stria__fail(STRIA_ERR_OVERFLOW, "shape %s of items of %d bytes exceeds 2^63 - 1 bytes",
                       stria__dims_text(form->ndim, form->shape).text, (int)form->dtype.itemsize);
}

/* Begins the file, with a header that is composed in the stage unless the form is bare. */
static stria_status begin_file(struct stria_npy_writer *w, const char *path,
                               const struct npy_form *form)
{
    STRIA_TRY(stria__npy_check_items(form->dtype));
    STRIA_TRY(set_form(w, form));
    w->stage = stria__memory(STAGE);
    if (!w->stage.at)
        return stria__fail(STRIA_ERR_MEMORY, "npy: out of memory for %d bytes", (int)STAGE);
    if (!form->bare)
        STRIA_TRY(stria__npy_compose(w->stage.at, STAGE, &w->data_at, form->dtype, form->fortran,
                                     form->ndim, form->shape));
    if (w->left > INT64_MAX - w->data_at)
        return stria__fail(STRIA_ERR_OVERFLOW, "%lld bytes of data exceed what a file can have",
                           (long long)w->left);
    if (path) STRIA_TRY(stria__atomic_begin(&w->file, path));
    if (path) w->fd = w->file.fd;
    w->at = w->data_at;
    return stria__write_at(w->fd, w->stage.at, w->data_at, FILE_GOES_ON);
}

/* Ends the file: commits or abandons it by the status, without freeing *w. Returns the first
 * failure. */
static stria_status end_writer(struct stria_npy_writer *w, stria_status status)
{
    if (!w->stream) status = stria__atomic_end(&w->file, status);
    stria__memory_free(&w->stage);
    stria_dtype_release(w->dtype);
    return status;
}

/* Begins a writer; if this fails, there is nothing to end. */
static stria_status start_writer(struct stria_npy_writer *w, const char *path, int fd,
                                 const struct npy_form *form)
{
    *w = (struct stria_npy_writer){.file = {.dir = -1, .fd = -1},
                                   .fd = fd,
                                   .stream = !path,
                                   .dtype = stria_dtype_retain(form->dtype)};
    const stria_status status = begin_file(w, path, form);
    return status == STRIA_OK ? status : stria__with_path(end_writer(w, status), path);
}

/* ---- put ------------------------------------------------------------------------------------- */

/* The runs of a block, in the order of the file. */
struct runs {
    struct stria_npy_writer *w;
    int outer; /* Number of dims that count runs; the others lie within a run. */
    /* Sizes, current index, and steps in bytes of the file, of these dims. */
    int64_t n[STRIA_MAX_NDIM], index[STRIA_MAX_NDIM], step[STRIA_MAX_NDIM];
    int64_t bytes; /* Bytes of a run. */
    int64_t end;   /* End of the last run. */
    /* Offsets of the first and of the current run, and bytes of it that are written. */
    int64_t first, from, done;
    bool several;
    bool behind; /* The block begins behind everything written so far. */
};

static struct runs runs_of(struct stria_npy_writer *w, const stria_view *items,
                           const int64_t *start)
{
    struct runs r = {.w = w, .bytes = items->dtype.itemsize, .from = w->data_at};
    int64_t step = items->dtype.itemsize;
    bool inside = true;
    for (int d = w->ndim - 1; d >= 0; d--) {
        r.n[d] = items->shape[d];
        r.step[d] = step;
        r.from += start ? start[d] * step : 0;
        if (inside)
            r.bytes *= r.n[d];
        else
            r.several |= r.n[d] > 1;
        if (inside && r.n[d] != w->shape[d]) {
            inside = false;
            r.outer = d;
        }
        step *= w->shape[d];
    }
    r.first = r.from;
    r.end = r.from + r.bytes;
    for (int d = 0; d < r.outer; d++)
        r.end += (r.n[d] - 1) * r.step[d];
    return r;
}

static void next_run(struct runs *r)
{
    r->done = 0;
    (void)stria__next_index(r->index, r->outer, r->n);
    r->from = r->first;
    for (int d = 0; d < r->outer; d++)
        r->from += r->index[d] * r->step[d];
}

static stria_status write_part(struct stria_npy_writer *w, const void *bytes, int64_t size,
                               int64_t offset)
{
    if (offset != w->at) return stria__write_at(w->fd, bytes, size, offset);
    STRIA_TRY(stria__write_at(w->fd, bytes, size, FILE_GOES_ON));
    w->at += size;
    return STRIA_OK;
}

/*
 * Lets the disk begin with complete data, so that the final sync does not wait for the whole file.
 */
static void note_complete(struct stria_npy_writer *w, int64_t end)
{
    if (w->stream || end - w->complete < WRITE_BACK) return;
    stria__files->write_back(w->fd, w->complete, end - w->complete);
    w->complete = end;
}

static stria_status sink(const void *bytes, int64_t size, void *context)
{
    struct runs *const r = context;
    for (const char *at = bytes; size > 0;) {
        const int64_t part = least(least(size, r->bytes - r->done), WRITE_BACK);
        STRIA_TRY(write_part(r->w, at, part, r->from + r->done));
        at += part;
        size -= part;
        r->done += part;
        if (r->behind && !r->several) note_complete(r->w, r->from + r->done);
        if (r->done == r->bytes) next_run(r);
    }
    return STRIA_OK;
}

/* Writes a block at `start`, NULL for the whole array. */
static stria_status put_block(struct stria_npy_writer *w, const int64_t *start,
                              const stria_view *block)
{
    stria_view items = *block;
    if (w->fortran)
        STRIA_TRY(stria_reverse_dims(&items, block)); /* whose C order is that of the file */
    const struct stage through = {w->stage.at, STAGE, 0, STAGE, DIRECT};
    const int64_t bytes = stria_nbytes(block);
    struct runs r = runs_of(w, &items, start);
    if (w->stream && bytes > 0 && (r.several || r.from != w->at))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "npy: a block for byte %lld of a stream that stands at %lld; on a "
                           "descriptor blocks come in order and cover what they begin",
                           (long long)r.from, (long long)w->at);
    if (bytes > w->left)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "npy: a block of %lld bytes, but only %lld are missing: blocks overlap",
                           (long long)bytes, (long long)w->left);
    if (bytes > 0) {
        r.behind = r.from >= w->end;
        if (r.behind) note_complete(w, w->end); /* All earlier runs are complete. */
        if (r.end > w->end) w->end = r.end;
    }
    STRIA_TRY(stria__stream(&items, through, sink, &r));
    w->left -= bytes;
    return STRIA_OK;
}

/* ---- the public functions: arguments checked, memory of the writer --------------------------- */

stria_status stria__npy_writer_new(stria_npy_writer **out, const char *path, int fd,
                                   const struct npy_form *form)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "npy: out is NULL");
    STRIA_TRY(stria__check_dtype(form->dtype, "npy"));
    STRIA_TRY(stria__check_shape(form->ndim, form->shape, "npy"));
    const struct memory own = stria__memory(sizeof(stria_npy_writer));
    stria_npy_writer *const w = own.at;
    if (!w) return stria__fail(STRIA_ERR_MEMORY, "npy: out of memory for %d bytes", (int)sizeof *w);
    const stria_status status = start_writer(w, path, fd, form);
    w->own = own;
    if (status == STRIA_OK)
        *out = w;
    else
        stria__memory_free(&own);
    return status;
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

stria_status stria_npy_put(stria_npy_writer *writer, const stria_view *block, int count,
                           const int64_t *start, const stria_exec *exec)
{
    TAKES_EXEC(exec, "npy");
    int64_t from[STRIA_MAX_NDIM];
    if (!writer) return stria__fail(STRIA_ERR_ARGUMENT, "npy: the writer is NULL");
    STRIA_TRY(stria__check_view(block, "npy", "the block"));
    const int n = writer->ndim;
    if (!start && n > 0) return stria__fail(STRIA_ERR_ARGUMENT, "npy: start is NULL");
    if (block->ndim != n)
        return stria__fail(STRIA_ERR_SHAPE, "npy: a block of %d dims for an array of %d",
                           block->ndim, n);
    if (count != n)
        return stria__fail(STRIA_ERR_ARGUMENT, "npy: start has %d numbers, the array %d dims",
                           count, n);
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
    return put_block(writer, from, block);
}

stria_status stria_npy_commit(stria_npy_writer *writer)
{
    if (!writer) return stria__fail(STRIA_ERR_ARGUMENT, "npy: the writer is NULL");
    stria_status status = STRIA_OK;
    if (writer->left > 0)
        status = stria__fail(STRIA_ERR_ARGUMENT, "npy: %lld bytes of the data were not put",
                             (long long)writer->left);
    const struct memory own = writer->own;
    status = end_writer(writer, status);
    stria__memory_free(&own);
    return status;
}

void stria_npy_abandon(stria_npy_writer *writer)
{
    if (!writer) return;
    const struct memory own = writer->own;
    (void)end_writer(writer, STRIA_ERR_IO);
    stria__memory_free(&own);
}

void stria_npy_unlink(const stria_npy_writer *writer)
{
    if (writer && !writer->stream) stria__atomic_unlink(&writer->file);
}

/* ---- whole arrays ---------------------------------------------------------------------------- */

stria_status stria__npy_write(const char *path, int fd, const stria_view *a, bool bare)
{
    const struct npy_form form = {a->dtype, a->ndim, a->shape, !bare && stria__npy_is_fortran(a),
                                  bare};
    struct stria_npy_writer w;
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "%s: a meta buffer has no elements to write",
                           bare ? "raw" : "npy");
    STRIA_TRY(start_writer(&w, path, fd, &form));
    return stria__with_path(end_writer(&w, put_block(&w, NULL, a)), path);
}

stria_status stria_npy_write(const char *path, const stria_view *a, const stria_exec *exec)
{
    TAKES_EXEC(exec, "npy_write");
    if (!path) return stria__fail(STRIA_ERR_ARGUMENT, "npy: path is NULL");
    STRIA_TRY(stria__check_view(a, "npy", "the view"));
    return stria__npy_write(path, -1, a, false);
}

stria_status stria_npy_write_fd(int fd, const stria_view *a, const stria_exec *exec)
{
    TAKES_EXEC(exec, "npy_write_fd");
    STRIA_TRY(stria__check_view(a, "npy", "the view"));
    return stria__npy_write(NULL, fd, a, false);
}

/*
 * The blocks of the file are reserved: a store into a map for which the disk has no room left ends
 * the process.
 */
static stria_status map_new(stria_array *out, const struct stria_npy_writer *w,
                            const struct npy_form *form)
{
    struct npy_header h = {.dtype = form->dtype,
                           .fortran = form->fortran,
                           .ndim = form->ndim,
                           .data_at = w->data_at,
                           .nbytes = w->left};
    bool mapped;
    if (h.ndim > 0) memcpy(h.shape, form->shape, (size_t)h.ndim * sizeof *h.shape);
    if (h.nbytes > 0 && (errno = stria__files->reserve(w->fd, 0, (off_t)(h.data_at + h.nbytes))))
        return stria__fail_errno("reserve the file's size");
    STRIA_TRY(stria__npy_map(w->fd, &h, STRIA_NPY_MAP_RW, &mapped, out));
    return mapped ? STRIA_OK : stria__fail_errno("map");
}

stria_status stria_npy_create(stria_array *out, const char *path, stria_dtype dtype, int ndim,
                              const int64_t *shape, stria_order order)
{
    const struct npy_form form = {dtype, ndim, shape, order == STRIA_ORDER_F, false};
    struct stria_npy_writer w;
    OWNED_ARRAY(made);
    if (!out || !path) return stria__fail(STRIA_ERR_ARGUMENT, "npy: out or path is NULL");
    STRIA_TRY(stria__check_dtype(dtype, "npy"));
    STRIA_TRY(stria__check_shape(ndim, shape, "npy"));
    STRIA_TRY(check_order(order));
    STRIA_TRY(start_writer(&w, path, -1, &form));
    stria_status status = map_new(&made, &w, &form);
    if (status == STRIA_OK) status = stria__atomic_replace(&w.file);
    if (status != STRIA_OK) { /* Windows removes no file that is mapped. */
        array_drop(&made);
        array_none(&made);
    }
    (void)end_writer(&w, STRIA_ERR_IO);
    STRIA_TRY(stria__with_path(status, path));
    array_share(out, &made.view);
    return STRIA_OK;
}
