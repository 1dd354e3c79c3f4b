/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "target.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "interrupt.h"
#include "progress.h"
#include "target_names.h"
#include "write_blocks.h"

bool target_is_stream(const char *text)
{
    return !strcmp(text, "-") || !strcmp(text, "/dev/stdout") || archive_is_stream(text);
}

bool target_varies(const char *text)
{
    return strchr(text, '{') || target_is_stream(text);
}

/* ---- what must not be written to ------------------------------------------------------------- */

/* A log or a result that the shell has opened: replaced, what is said later would be lost. */
static bool is_stream_of_ours(const char *path)
{
    struct stat file, stream;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode)) return false;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &stream) == 0 && stream.st_dev == file.st_dev && stream.st_ino == file.st_ino)
            return true;
    return false;
}

stria_status target_of(struct target *out, const char *text, const char *from, size_t number,
                       struct pool *pool, struct failure *failure)
{
    char *path;
    struct archive_path parts;
    *out = (struct target){.path = NULL};
    if (target_is_stream(text)) {
        out->archive = archive_path(&out->parts, text, pool);
        if (!isatty(STDOUT_FILENO) || (out->archive && out->parts.kind->table)) return STRIA_OK;
        return stria__fail_request(
            failure, STRIA_ERR_ARGUMENT,
            "-o -: standard output is a terminal; `stria show` prints values");
    }
    STRIA_TRY(target_name(&path, text, from, number, pool, failure));
    if (is_stream_of_ours(path))
        return stria__fail_request(
            failure, STRIA_ERR_ARGUMENT,
            "%.280s is where standard output or standard error goes; -o - writes "
            "the array there",
            path);
    out->archive = archive_path(&parts, path, pool);
    out->parts = parts;
    out->path = path;
    return STRIA_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static stria_status begin(stria_npy_writer **out, const struct target *target, const stria_view *a,
                          bool fortran, struct failure *failure)
{
    const stria_order order = fortran ? STRIA_ORDER_F : STRIA_ORDER_C;
    const int fd = STDOUT_FILENO;
    stria_status status;
    interrupt_hold();
    if (target->raw)
        status = target->path ? stria_raw_begin(out, target->path, a->dtype, a->ndim, a->shape)
                              : stria_raw_begin_fd(out, fd, a->dtype, a->ndim, a->shape);
    else
        status = target->path
                     ? stria_npy_begin(out, target->path, a->dtype, a->ndim, a->shape, order)
                     : stria_npy_begin_fd(out, fd, a->dtype, a->ndim, a->shape, order);
    if (status == STRIA_OK) interrupt_guard(*out);
    interrupt_let_go();
    if (status == STRIA_OK) return status;
    (void)stria__fail_library(failure, status, NO_PLACE);
    return target->path ? status : stria__fail_prefix(failure, "standard output");
}

static stria_status finish_writing(stria_npy_writer *writer, const struct target *target,
                                   struct failure *failure)
{
    interrupt_hold();
    const stria_status status = stria_npy_commit(writer);
    interrupt_guard(NULL);
    if (status == STRIA_OK) return status;
    interrupt_let_go();
    (void)stria__fail_library(failure, status, NO_PLACE);
    return stria__fail_prefix(failure, target->path ? target->path : "standard output");
}

static stria_status write_result(const struct target *target, struct evaluation *e,
                                 const struct fused *fused, stria_status (*told)(void *context),
                                 void *context)
{
    const stria_view *const a = e->outputs[0];
    const char *const name = target->path ? target->path : "standard output";
    struct result result = {.name = name, .view = e->copies ? e->last->from : a, .fused = fused};
    stria_npy_writer *writer;
    char label[300];
    result.fortran = !target->raw && !stria_is_contiguous(a, STRIA_ORDER_C) &&
                     stria_is_contiguous(a, STRIA_ORDER_F);
    result.stream = !target->path;
    STRIA_TRY(begin(&writer, target, a, result.fortran, e->failure));
    (void)snprintf(label, sizeof label, "writing %.280s", name);
    struct progress *progress = start_progress(label);
    stria_status status = write_blocks(writer, &result, progress, e->failure);
    progress_stop(progress);
    if (status == STRIA_OK) status = told(context);
    if (status == STRIA_OK) return finish_writing(writer, target, e->failure);
    interrupt_hold();
    stria_npy_abandon(writer);
    interrupt_guard(NULL);
    interrupt_let_go();
    return status;
}

stria_status target_write(const struct target *target, struct evaluation *e,
                          stria_status (*told)(void *context), void *context)
{
    struct fused fused;
    bool waits;
    if (target->archive) {
        STRIA_TRY(archive_check(&target->parts, e));
        STRIA_TRY(told(context));
        return archive_write(&target->parts, &target->options, e);
    }
    if (e->many)
        return stria__fail_at(
            e->failure, STRIA_ERR_ARGUMENT, 0,
            "the EXPR gives %zu arrays; pick one with [i], or write them to an .npz", e->count);
    STRIA_TRY(stria__fuse_open(&e->fusion, e->outputs[0], &fused, &waits));
    const stria_status status = write_result(target, e, waits ? &fused : NULL, told, context);
    if (waits) stria__fuse_close(&fused);
    return status;
}
