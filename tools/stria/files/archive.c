/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "archive.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "command.h"
#include "interrupt.h"
#include "must.h"
#include "stria/csv.h"
#include "stria/npz.h"
#include "stria/png.h"
#include "stria/safetensors.h"
#include "temporary_file.h"
#include "terminal.h"

/* ---- paths ----------------------------------------------------------------------------------- */

/*
 * Where the suffix of a kind ends that is followed by nothing or, where a file has several arrays,
 * by a colon and a name.
 */
static const char *after_suffix(const char *path, const struct archive_kind *kind)
{
    const char *const suffix = kind->suffix;
    const size_t n = strlen(suffix), length = strlen(path);
    if (kind->load)
        return length > n && !strcasecmp(path + length - n, suffix) ? path + length : NULL;
    for (const char *at = strstr(path, suffix); at; at = strstr(at + 1, suffix))
        if (at > path && (!at[n] || (at[n] == ':' && at[n + 1]))) return at + n;
    return NULL;
}

static bool is_stream_of(const char *text, const struct archive_kind *kind)
{
    const size_t n = strlen(kind->suffix) - 1;
    return kind->load && !strncasecmp(text, kind->suffix + 1, n) && !strcmp(text + n, ":-");
}

bool archive_is_stream(const char *text)
{
    const struct archive_kind *kind = archive_kinds;
    while (kind->suffix && !is_stream_of(text, kind))
        kind++;
    return kind->suffix;
}

bool archive_is_named(const char *text)
{
    for (const struct archive_kind *kind = archive_kinds; kind->suffix; kind++)
        if (after_suffix(text, kind) || is_stream_of(text, kind)) return true;
    return false;
}

bool archive_path(struct archive_path *out, const char *path, struct pool *pool)
{
    *out = (struct archive_path){.file = path};
    for (const struct archive_kind *kind = archive_kinds; kind->suffix; kind++) {
        const bool stream = is_stream_of(path, kind);
        const char *end = stream ? path + strlen(path) : after_suffix(path, kind);
        if (!end || (*end && access(path, F_OK) == 0)) continue;
        out->kind = kind;
        out->file = stream ? "-" : must_text(pool, path, (size_t)(end - path));
        if (*end) out->member = must_text(pool, end + 1, strlen(end + 1));
        return true;
    }
    return false;
}

static stria_status open_archive(void **out, const struct archive_path *path, enum source_use use,
                                 struct failure *failure)
{
    const stria_status status = path->kind->open(out, path->file, use);
    return status == STRIA_OK ? STRIA_OK : stria__fail_library(failure, status, NO_PLACE);
}

/* "x.npy" is called x. */
static char *short_name(const struct archive_kind *kind, const char *name, struct pool *pool)
{
    const size_t length = strlen(name);
    const bool npy = kind->packs && length > 4 && !strcmp(name + length - 4, ".npy");
    return must_text(pool, name, npy ? length - 4 : length);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* A file of one array. What comes through a pipe is put into a file first, which has no name. */
static stria_status load_file(struct source *out, const struct archive_path *path,
                              enum source_use use, struct failure *failure)
{
    char file[40];
    if (strcmp(path->file, "-") != 0) {
        const stria_status status = path->kind->load(&out->array, path->file, use);
        return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
    }
    STRIA_TRY(take_standard_input(failure));
    const int fd = nameless_open(failure);
    if (fd < 0) return STRIA_ERR_IO;
    stria_status status = copy_bytes(fd, STDIN_FILENO, failure);
    (void)snprintf(file, sizeof file, "/proc/self/fd/%d", fd);
    if (status == STRIA_OK) {
        status = path->kind->load(&out->array, file, use);
        if (status != STRIA_OK) (void)stria__fail_library(failure, status, NO_PLACE);
        const size_t n = strlen(file);
        if (status != STRIA_OK && !strncmp(failure->message, file, n)) {
            const struct failure said = *failure;
            (void)snprintf(failure->message, sizeof failure->message, "standard input%s",
                           said.message + n);
        }
    }
    (void)close(fd);
    return status;
}

static stria_status only_member(const char **out, const void *archive,
                                const struct archive_path *path, struct pool *pool,
                                struct failure *failure)
{
    const struct archive_kind *const kind = path->kind;
    char names[300] = "";
    size_t used = 0;
    const int64_t count = kind->count(archive);
    for (int64_t i = 0; i < count && used < sizeof names - 80; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s", i ? ", " : "",
                                 short_name(kind, kind->name(archive, i), pool));
    *out = kind->name(archive, 0);
    if (count == 1) return STRIA_OK;
    return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                               "%.280s has %lld arrays%s%s; name one: %.280s:%s", path->file,
                               (long long)count, count ? ", " : "", names, path->file,
                               count ? short_name(kind, *out, pool) : "NAME");
}

stria_status archive_read(struct source *out, const struct archive_path *path, enum source_use use,
                          struct failure *failure)
{
    void *archive;
    struct pool pool = {0};
    const char *name = path->member;
    if (path->kind->load) return load_file(out, path, use, failure);
    STRIA_TRY(open_archive(&archive, path, use, failure));
    stria_status status = name ? STRIA_OK : only_member(&name, archive, path, &pool, failure);
    if (status == STRIA_OK) {
        status = path->kind->read(&out->array, archive, name, use);
        if (status != STRIA_OK) {
            (void)stria__fail_library(failure, status, NO_PLACE);
            (void)stria__fail_prefix(failure, path->file);
        }
    }
    out->mapped = status == STRIA_OK && path->kind->maps && use == SOURCE_READ;
    path->kind->close(archive);
    stria__pool_free(&pool);
    return status;
}

stria_status archive_list(const char ***paths, size_t *count, const char *path, struct pool *pool,
                          struct failure *failure)
{
    struct archive_path parts;
    void *archive;
    *count = 1;
    *paths = must_take(pool, sizeof **paths);
    **paths = path;
    if (!archive_path(&parts, path, pool) || parts.member || parts.kind->load) return STRIA_OK;
    const struct archive_kind *const kind = parts.kind;
    STRIA_TRY(open_archive(&archive, &parts, SOURCE_LOOK, failure));
    *count = (size_t)kind->count(archive);
    *paths = must_take_array(pool, *count + 1, sizeof **paths);
    for (size_t i = 0; i < *count; i++) {
        const char *name = short_name(kind, kind->name(archive, (int64_t)i), pool);
        char *text = must_take(pool, strlen(path) + strlen(name) + 2);
        (void)sprintf(text, "%s:%s", path, name);
        (*paths)[i] = text;
    }
    kind->close(archive);
    return STRIA_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

stria_status archive_check(const struct archive_path *path, const struct evaluation *e)
{
    const struct archive_kind *const kind = path->kind;
    void *archive;
    struct pool pool = {0};
    if (kind->load)
        return !e->many ? STRIA_OK
                        : stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, 0,
                                         "the EXPR gives %zu arrays; pick one with [i], or write "
                                         "them to an .npz",
                                         e->count);
    if (path->member && e->many)
        return stria__fail_at(
            e->failure, STRIA_ERR_ARGUMENT, 0,
            "the EXPR gives %zu arrays, -o names one member; without :%.60s they are "
            "called arr_0, arr_1, ...",
            e->count, path->member);
    if (!path->member || kind->open(&archive, path->file, SOURCE_LOOK) != STRIA_OK) return STRIA_OK;
    const int64_t count = kind->count(archive);
    const char *other = NULL;
    for (int64_t i = 0; i < count; i++) {
        const char *name = short_name(kind, kind->name(archive, i), &pool);
        if (strcmp(name, path->member) != 0) other = name;
    }
    if (other)
        (void)stria__fail_request(
            e->failure, STRIA_ERR_ARGUMENT,
            "%.280s has other members, '%.60s' for one, which would be lost: an "
            "archive is replaced as a whole; write to another file",
            path->file, other);
    kind->close(archive);
    stria__pool_free(&pool);
    return other ? STRIA_ERR_ARGUMENT : STRIA_OK;
}

struct writing {
    struct progress *progress;
    int64_t done, all; /* bytes of elements */
};

static bool go_on(void *context, int64_t bytes)
{
    struct writing *const w = context;
    w->done += bytes;
    progress_set(w->progress, (int)((double)w->done / (double)w->all * 1000));
    return !interrupt_waits();
}

static stria_status write_file(const struct archive_path *path, const char *file,
                               const char *const *names, const struct archive_options *options,
                               struct evaluation *e, const stria_watch *watch)
{
    const struct archive_kind *const kind = path->kind;
    const stria_status status = kind->save ? kind->save(file, e->outputs[0], options->header, watch)
                                           : kind->write(file, (int64_t)e->count, names, e->outputs,
                                                         options->deflate, watch);
    return status == STRIA_OK ? status : stria__fail_library(e->failure, status, NO_PLACE);
}

/* Writes a temporary file, which then goes through standard output. */
static stria_status write_stream(const struct archive_path *path,
                                 const struct archive_options *options, struct evaluation *e,
                                 const stria_watch *watch)
{
    char file[TEMPORARY_PATH];
    STRIA_TRY(temporary_path(file, e->failure));
    stria_status status = write_file(path, file, NULL, options, e, watch);
    const int fd = open(file, O_RDONLY | O_CLOEXEC);
    (void)unlink(file);
    if (status == STRIA_OK) status = copy_bytes(STDOUT_FILENO, fd, e->failure);
    if (fd >= 0) (void)close(fd);
    return status;
}

/* A signal ends the writing, and then the program: the library removes its temporary file first. */
static stria_status write_watched(const struct archive_path *path, const char *const *names,
                                  const struct archive_options *options, struct evaluation *e)
{
    char label[300];
    (void)snprintf(label, sizeof label, "writing %.280s", path->file);
    struct writing writing = {.progress = start_progress(label)};
    for (size_t i = 0; i < e->count; i++)
        writing.all += stria_nbytes(e->outputs[i]);
    const stria_watch watch = {go_on, &writing};
    interrupt_hold();
    const stria_status status = strcmp(path->file, "-") != 0
                                    ? write_file(path, path->file, names, options, e, &watch)
                                    : write_stream(path, options, e, &watch);
    progress_stop(writing.progress);
    if (status != STRIA_OK) interrupt_let_go();
    return status;
}

stria_status archive_write(const struct archive_path *path, const struct archive_options *options,
                           struct evaluation *e)
{
    const char **names = must_take_array(&e->pool, e->count + 1, sizeof *names);
    for (size_t i = 0; i < e->count; i++) {
        char *name = must_take(&e->pool, 32);
        (void)snprintf(name, 32, "arr_%zu", i);
        names[i] = path->member ? path->member : name;
    }
    return write_watched(path, names, options, e);
}

/* ---- files of several arrays ----------------------------------------------------------------- */

static stria_status zip_open(void **out, const char *file, enum source_use use)
{
    stria_npz *npz = NULL;
    const stria_status status = stria_npz_open(&npz, file);
    (void)use;
    *out = npz;
    return status;
}

static void zip_close(void *archive)
{
    stria_npz_close(archive);
}

static int64_t zip_count(const void *archive)
{
    return stria_npz_count(archive);
}

static const char *zip_name(const void *archive, int64_t i)
{
    return stria_npz_name(archive, i);
}

static stria_status zip_read(stria_array *out, void *archive, const char *name, enum source_use use)
{
    static const stria_npz_mode modes[] = {[SOURCE_READ] = STRIA_NPZ_MAP,
                                           [SOURCE_WRITE] = STRIA_NPZ_READ,
                                           [SOURCE_LOOK] = STRIA_NPZ_HEADER};
    return stria_npz_read(out, archive, name, modes[use]);
}

static stria_status zip_write(const char *path, int64_t count, const char *const *names,
                              const stria_view *const *views, bool deflate,
                              const stria_watch *watch)
{
    return stria_npz_write_watched(path, count, names, views,
                                   deflate ? STRIA_NPZ_DEFLATED : STRIA_NPZ_STORED, watch);
}

static stria_status tensors_open(void **out, const char *file, enum source_use use)
{
    stria_safetensors *tensors = NULL;
    const stria_status status = stria_safetensors_open(
        &tensors, file, use == SOURCE_WRITE ? STRIA_NPY_MAP_COPY : STRIA_NPY_MAP);
    *out = tensors;
    return status;
}

static void tensors_close(void *archive)
{
    stria_safetensors_close(archive);
}

static int64_t tensors_count(const void *archive)
{
    return stria_safetensors_count(archive);
}

static const char *tensors_name(const void *archive, int64_t i)
{
    return stria_safetensors_name(archive, i);
}

static stria_status tensors_read(stria_array *out, void *archive, const char *name,
                                 enum source_use use)
{
    (void)use;
    return stria_safetensors_get(out, archive, name);
}

static stria_status tensors_write(const char *path, int64_t count, const char *const *names,
                                  const stria_view *const *views, bool deflate,
                                  const stria_watch *watch)
{
    (void)deflate; /* refused before */
    return stria_safetensors_write_watched(path, count, names, views, watch);
}

/* ---- files of one array ---------------------------------------------------------------------- */

static stria_status picture_load(stria_array *out, const char *file, enum source_use use)
{
    return stria_png_read(out, file, use == SOURCE_LOOK ? STRIA_NPY_HEADER : STRIA_NPY_READ);
}

static stria_status picture_save(const char *path, const stria_view *a, const char *header,
                                 const stria_watch *watch)
{
    (void)header; /* refused before */
    return stria_png_write(path, a, watch);
}

static stria_status csv_load(stria_array *out, const char *file, enum source_use use)
{
    (void)use;
    return stria_csv_read(out, file, common.delimiter);
}

static stria_status csv_save(const char *path, const stria_view *a, const char *header,
                             const stria_watch *watch)
{
    return stria_csv_write(path, a, common.delimiter, header, watch);
}

static stria_status tsv_load(stria_array *out, const char *file, enum source_use use)
{
    (void)use;
    return stria_csv_read(out, file, common.delimiter ? common.delimiter : '\t');
}

static stria_status tsv_save(const char *path, const stria_view *a, const char *header,
                             const stria_watch *watch)
{
    return stria_csv_write(path, a, common.delimiter ? common.delimiter : '\t', header, watch);
}

const struct archive_kind archive_kinds[] = {
    {".npz", zip_open, zip_close, zip_count, zip_name, zip_read, zip_write, .maps = true,
     .packs = true},
    {".safetensors", tensors_open, tensors_close, tensors_count, tensors_name, tensors_read,
     tensors_write, .maps = true},
    {".png", .load = picture_load, .save = picture_save},
    {".csv", .load = csv_load, .save = csv_save, .table = true},
    {".tsv", .load = tsv_load, .save = tsv_save, .table = true},
    {.suffix = NULL}};
