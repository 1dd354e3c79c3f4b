/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "joined_files.h"

#include <unistd.h>

#include "pages.h"
#include "stria/copy.h"
#include "stria/raw.h"
#include "system.h"
#include "temporary_file.h"
#include "tool.h"

/* ---- names ----------------------------------------------------------------------------------- */

static void add_path(void *texts, const char *path)
{
    texts_add(texts, must_text(&common.pool, path, strlen(path)));
}

stria_status joined_find(struct joined *joined, char **paths, size_t count, struct failure *failure)
{
    for (size_t i = 0; i < count; i++) {
        if (!strpbrk(paths[i], "*?[") || access(paths[i], F_OK) == 0)
            texts_add(&joined->paths, paths[i]);
        else if (!system_match(paths[i], add_path, &joined->paths))
            return stria__fail_request(failure, STRIA_ERR_ARGUMENT, "no file matches %.280s",
                                       paths[i]);
    }
    return STRIA_OK;
}

/* ---- what they make -------------------------------------------------------------------------- */

/* The geometry of the whole: dims and sizes, and the dtype of the first file. */
struct whole {
    const struct joined *joined;
    stria_array first; /* An array without memory; its dtype is that of all. */
    int ndim;
    int64_t shape[STRIA_MAX_NDIM];
};

static stria_status refuse_file(const struct whole *w, const char *path, const stria_view *a,
                                struct failure *failure)
{
    char one[200], other[200];
    const stria_view *const first = &w->first.view;
    return fail_found(
        failure, STRIA_ERR_SHAPE, "%.200s is %s %s, %.200s %s %s; --%s wants %s",
        w->joined->paths.items[0], dtype_text(first->dtype, &common.pool),
        tuple_text(first->shape, first->ndim, one, sizeof one), path,
        dtype_text(a->dtype, &common.pool), tuple_text(a->shape, a->ndim, other, sizeof other),
        w->joined->stacked ? "stack" : "cat",
        w->joined->stacked ? "files of one dtype and shape"
                           : "files of one dtype, and of one shape but for the first dim");
}

/* Tells whether a goes with the first file. */
static bool fits(const struct whole *w, const stria_view *a)
{
    const stria_view *const first = &w->first.view;
    const int from = !w->joined->stacked;
    if (!stria_dtype_equal(a->dtype, first->dtype) || a->ndim != first->ndim || a->ndim < from)
        return false;
    return a->ndim == from || !memcmp(a->shape + from, first->shape + from,
                                      (size_t)(a->ndim - from) * sizeof *a->shape);
}

/* Reads the headers of all files. */
static stria_status measure_files(struct whole *w, struct failure *failure)
{
    const struct joined *const joined = w->joined;
    const bool stacked = joined->stacked;
    for (size_t i = 0; i < joined->paths.count; i++) {
        struct source source;
        STRIA_TRY(source_open(&source, joined->paths.items[i], SOURCE_LOOK, failure));
        if (i == 0) w->first = source.array;
        stria_status status = STRIA_OK;
        if (!fits(w, &source.array.view))
            status = refuse_file(w, joined->paths.items[i], &source.array.view, failure);
        else if (!stacked)
            w->shape[0] += source.array.view.shape[0];
        if (i > 0) stria_array_release(&source.array);
        STRIA_TRY(status);
    }
    const stria_view *const first = &w->first.view;
    w->ndim = first->ndim + stacked;
    if (w->ndim > STRIA_MAX_NDIM)
        return stria__fail_request(failure, STRIA_ERR_SHAPE, "--stack: more than %d dims",
                                   STRIA_MAX_NDIM);
    if (stacked) w->shape[0] = (int64_t)joined->paths.count;
    for (int d = 1; d < w->ndim; d++)
        w->shape[d] = first->shape[d - stacked];
    return STRIA_OK;
}

/* ---- putting them together ------------------------------------------------------------------- */

/* Calls a function for each file, in order, with its part of the whole, which begins at row
 * `at`. */
static stria_status each_file(const struct whole *w,
                              stria_status (*take)(void *to, int64_t at, const stria_view *part),
                              void *to, struct failure *failure)
{
    int64_t at = 0;
    for (size_t i = 0; i < w->joined->paths.count; i++) {
        struct source source;
        stria_view part;
        STRIA_TRY(source_open(&source, w->joined->paths.items[i], SOURCE_READ, failure));
        if (source.mapped) pages_watch(source.array.owned);
        part = source.array.view;
        /* The file has changed meanwhile. */
        stria_status status = fits(w, &part) ? STRIA_OK : STRIA_ERR_IO;
        if (status == STRIA_OK && w->joined->stacked) status = stria_unsqueeze(&part, &part, 0);
        if (status == STRIA_OK && at + part.shape[0] > w->shape[0]) status = STRIA_ERR_IO;
        if (status == STRIA_OK) status = take(to, at, &part);
        at += part.shape[0];
        if (source.mapped) pages_forget(source.array.owned);
        stria_array_release(&source.array);
        if (status != STRIA_OK) {
            (void)stria__fail_library(failure, status, NO_PLACE);
            return stria__fail_prefix(failure, w->joined->paths.items[i]);
        }
    }
    return STRIA_OK;
}

static stria_status copy_part(void *to, int64_t at, const stria_view *part)
{
    stria_view rows;
    STRIA_TRY(stria_narrow(&rows, to, 0, at, part->shape[0]));
    return stria_copy(&rows, part, NULL);
}

static stria_status write_part(void *to, int64_t at, const stria_view *part)
{
    const int64_t start[STRIA_MAX_NDIM] = {at};
    return stria_npy_put(to, part, part->ndim, start, NULL);
}

static stria_status write_all(const struct whole *w, int fd, struct failure *failure)
{
    stria_npy_writer *writer;
    stria_status status = stria_raw_begin_fd(&writer, fd, w->first.view.dtype, w->ndim, w->shape);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    status = each_file(w, write_part, writer, failure);
    if (status != STRIA_OK) {
        stria_npy_abandon(writer);
        return status;
    }
    status = stria_npy_commit(writer);
    return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
}

static stria_status join_in_file(struct source *out, const struct whole *w, struct failure *failure)
{
    stria_view like = {.dtype = w->first.view.dtype, .ndim = w->ndim};
    memcpy(like.shape, w->shape, sizeof like.shape);
    const int fd = nameless_open(failure);
    if (fd < 0) return STRIA_ERR_IO;
    stria_status status = write_all(w, fd, failure);
    if (status == STRIA_OK) {
        status = nameless_map(&out->array, fd, &like);
        if (status != STRIA_OK) (void)stria__fail_library(failure, status, NO_PLACE);
        out->mapped = status == STRIA_OK;
    }
    (void)close(fd);
    return status;
}

static stria_status join_files(struct source *out, struct whole *w, struct failure *failure)
{
    STRIA_TRY(measure_files(w, failure));
    int64_t bytes = w->first.view.dtype.itemsize;
    for (int d = 0; d < w->ndim; d++)
        if (__builtin_mul_overflow(bytes, w->shape[d], &bytes)) bytes = INT64_MAX;
    if (bytes > budget_left() / 2) return join_in_file(out, w, failure);
    const stria_status status = stria_empty(&out->array, w->first.view.dtype, w->ndim, w->shape);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    const stria_status joined = each_file(w, copy_part, &out->array.view, failure);
    if (joined != STRIA_OK) stria_array_release(&out->array);
    return joined;
}

stria_status joined_open(struct source *out, const struct joined *joined, struct failure *failure)
{
    struct whole w = {.joined = joined};
    *out = (struct source){.mapped = false};
    const stria_status status = join_files(out, &w, failure);
    stria_array_release(&w.first);
    return status;
}
