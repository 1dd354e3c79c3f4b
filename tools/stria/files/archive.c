/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "archive.h"

#include <strings.h>

#include "io/file_calls.h"
#include "stria/csv.h"
#include "stria/npz.h"
#include "stria/png.h"
#include "stria/safetensors.h"
#include "temporary_file.h"
#include "tool.h"

/* ---- the kinds ------------------------------------------------------------------------------- */

const struct archive_kind archive_kinds[] = {
    {.suffix = ".npz", .packs = true},
    {.suffix = ".safetensors"},
    {.suffix = ".png", .single = true},
    {.suffix = ".csv", .single = true, .table = true},
    {.suffix = ".tsv", .single = true, .table = true, .delimiter = '\t'},
    {.suffix = NULL}};

/* An open file of several arrays. */
struct archive {
    stria_npz *npz; /* NULL: the other member is used. */
    stria_safetensors *tensors;
};

static stria_status open_archive(struct archive *out, const struct archive_path *path,
                                 enum source_use use)
{
    *out = (struct archive){.npz = NULL};
    return path->kind->packs
               ? stria_npz_open(&out->npz, path->file)
               : stria_safetensors_open(&out->tensors, path->file,
                                        use == SOURCE_WRITE ? STRIA_NPY_MAP_COPY : STRIA_NPY_MAP);
}

static void close_archive(struct archive *a)
{
    stria_npz_release(a->npz);
    stria_safetensors_release(a->tensors);
}

static int64_t count_of(const struct archive *a)
{
    return a->npz ? stria_npz_count(a->npz) : stria_safetensors_count(a->tensors);
}

static const char *name_at(const struct archive *a, int64_t i)
{
    return a->npz ? stria_npz_name(a->npz, i) : stria_safetensors_name(a->tensors, i);
}

/* Returns the short name of a member: "x.npy" of an .npz is called x. */
static char *short_name(const struct archive *a, int64_t i)
{
    const char *const name = name_at(a, i);
    const size_t length = strlen(name);
    const bool npy = a->npz && length > 4 && !strcmp(name + length - 4, ".npy");
    return must_text(&common.pool, name, npy ? length - 4 : length);
}

static stria_status read_member(stria_array *out, const struct archive *a, const char *name,
                                enum source_use use)
{
    static const stria_npz_mode modes[] = {[SOURCE_READ] = STRIA_NPZ_MAP,
                                           [SOURCE_WRITE] = STRIA_NPZ_READ,
                                           [SOURCE_LOOK] = STRIA_NPZ_HEADER};
    return a->npz ? stria_npz_read(out, a->npz, name, modes[use], NULL)
                  : stria_safetensors_get(out, a->tensors, name, NULL);
}

static char delimiter_of(const struct archive_kind *kind)
{
    return common.delimiter ? common.delimiter : kind->delimiter;
}

static stria_status load_single(stria_array *out, const struct archive_kind *kind, const char *file,
                                enum source_use use)
{
    return kind->table
               ? stria_csv_read(out, file, delimiter_of(kind), NULL)
               : stria_png_read(out, file, use == SOURCE_LOOK ? STRIA_NPY_HEADER : STRIA_NPY_READ,
                                NULL);
}

static stria_status write_kind(const struct archive_kind *kind, const char *file,
                               const char *const *names, const struct archive_options *options,
                               const struct evaluation *e, const stria_exec *exec)
{
    const int count = (int)e->count;
    if (kind->packs)
        return stria_npz_write(file, count, names, e->outputs,
                               options->deflate ? STRIA_NPZ_DEFLATED : STRIA_NPZ_STORED, exec);
    if (!kind->single) return stria_safetensors_write(file, count, names, e->outputs, exec);
    return kind->table
               ? stria_csv_write(file, e->outputs[0], delimiter_of(kind), options->header, exec)
               : stria_png_write(file, e->outputs[0], exec);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/*
 * Finds the end of the suffix of a kind that is followed by nothing or, for a file of several
 * arrays, by a colon and a name.
 */
static const char *after_suffix(const char *path, const struct archive_kind *kind)
{
    const char *const suffix = kind->suffix;
    const size_t n = strlen(suffix), length = strlen(path);
    if (kind->single)
        return length > n && !strcasecmp(path + length - n, suffix) ? path + length : NULL;
    for (const char *at = strstr(path, suffix); at; at = strstr(at + 1, suffix))
        if (at > path && (!at[n] || (at[n] == ':' && at[n + 1]))) return at + n;
    return NULL;
}

static bool is_stream_of(const char *text, const struct archive_kind *kind)
{
    const size_t n = strlen(kind->suffix) - 1;
    return kind->single && !strncasecmp(text, kind->suffix + 1, n) && !strcmp(text + n, ":-");
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

bool archive_path(struct archive_path *out, const char *path)
{
    *out = (struct archive_path){.file = path};
    for (const struct archive_kind *kind = archive_kinds; kind->suffix; kind++) {
        const bool stream = is_stream_of(path, kind);
        const char *end = stream ? path + strlen(path) : after_suffix(path, kind);
        if (!end || (*end && access(path, F_OK) == 0)) continue;
        out->kind = kind;
        out->file = stream ? "-" : must_text(&common.pool, path, (size_t)(end - path));
        if (*end) out->member = must_text(&common.pool, end + 1, strlen(end + 1));
        return true;
    }
    return false;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads a file of one array. Data from a pipe is put into a file without a name first. */
static stria_status load_file(struct source *out, const struct archive_path *path,
                              enum source_use use, struct failure *failure)
{
    char file[40];
    if (strcmp(path->file, "-") != 0) {
        const stria_status status = load_single(&out->array, path->kind, path->file, use);
        return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
    }
    STRIA_TRY(take_standard_input(failure));
    const int fd = nameless_open(failure);
    if (fd < 0) return STRIA_ERR_IO;
    stria_status status = copy_bytes(fd, STDIN_FILENO, failure);
    (void)snprintf(file, sizeof file, DESCRIPTOR_PATH, fd);
    if (status == STRIA_OK) {
        status = load_single(&out->array, path->kind, file, use);
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

static stria_status only_member(const char **out, const struct archive *archive,
                                const struct archive_path *path, struct failure *failure)
{
    char names[300] = "";
    size_t used = 0;
    const int64_t count = count_of(archive);
    for (int64_t i = 0; i < count && used < sizeof names - 80; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s", i ? ", " : "",
                                 short_name(archive, i));
    if (count == 1) *out = name_at(archive, 0);
    if (count == 1) return STRIA_OK;
    return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                               "%.280s has %lld arrays%s%s; name one: %.280s:%s", path->file,
                               (long long)count, count ? ", " : "", names, path->file,
                               count ? short_name(archive, 0) : "NAME");
}

stria_status archive_read(struct source *out, const struct archive_path *path, enum source_use use,
                          struct failure *failure)
{
    struct archive archive;
    const char *name = path->member;
    if (path->kind->single) return load_file(out, path, use, failure);
    stria_status status = open_archive(&archive, path, use);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    if (!name) status = only_member(&name, &archive, path, failure);
    if (status == STRIA_OK) {
        status = read_member(&out->array, &archive, name, use);
        if (status != STRIA_OK) {
            (void)stria__fail_library(failure, status, NO_PLACE);
            (void)stria__fail_prefix(failure, path->file);
        }
    }
    out->mapped = status == STRIA_OK && use == SOURCE_READ;
    close_archive(&archive);
    return status;
}

stria_status archive_list(const char ***paths, size_t *count, const char *path,
                          struct failure *failure)
{
    struct archive_path parts;
    struct archive archive;
    *count = 1;
    *paths = must_take(&common.pool, sizeof **paths);
    **paths = path;
    if (!archive_path(&parts, path) || parts.member || parts.kind->single) return STRIA_OK;
    const stria_status status = open_archive(&archive, &parts, SOURCE_LOOK);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    *count = (size_t)count_of(&archive);
    *paths = must_take_array(&common.pool, *count + 1, sizeof **paths);
    for (size_t i = 0; i < *count; i++) {
        const char *name = short_name(&archive, (int64_t)i);
        char *text = must_take(&common.pool, strlen(path) + strlen(name) + 2);
        (void)sprintf(text, "%s:%s", path, name);
        (*paths)[i] = text;
    }
    close_archive(&archive);
    return STRIA_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

stria_status archive_check(const struct archive_path *path, const struct evaluation *e)
{
    struct archive archive;
    if (path->kind->single)
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
    if (!path->member || open_archive(&archive, path, SOURCE_LOOK) != STRIA_OK) return STRIA_OK;
    const int64_t count = count_of(&archive);
    const char *other = NULL;
    for (int64_t i = 0; i < count; i++) {
        const char *name = short_name(&archive, i);
        if (strcmp(name, path->member) != 0) other = name;
    }
    if (other)
        (void)stria__fail_request(
            e->failure, STRIA_ERR_ARGUMENT,
            "%.280s has other members, '%.60s' for one, which would be lost: an "
            "archive is replaced as a whole; write to another file",
            path->file, other);
    close_archive(&archive);
    return other ? STRIA_ERR_ARGUMENT : STRIA_OK;
}

struct writing {
    struct progress *progress;
    int64_t done, all; /* Bytes of elements. */
};

static bool go_on(void *context, int64_t bytes)
{
    struct writing *const w = context;
    w->done += bytes;
    progress_set(w->progress, (double)w->done, (double)w->all);
    return !interrupt_waits();
}

static stria_status write_file(const struct archive_path *path, const char *file,
                               const char *const *names, const struct archive_options *options,
                               struct evaluation *e, const stria_exec *exec)
{
    const stria_status status = write_kind(path->kind, file, names, options, e, exec);
    return status == STRIA_OK ? status : stria__fail_library(e->failure, status, NO_PLACE);
}

/* Writes a temporary file, which is then copied to standard output. */
static stria_status write_stream(const struct archive_path *path,
                                 const struct archive_options *options, struct evaluation *e,
                                 const stria_exec *exec)
{
    char file[TEMPORARY_PATH];
    STRIA_TRY(temporary_path(file, e->failure));
    stria_status status = write_file(path, file, NULL, options, e, exec);
    const int fd = open(file, O_RDONLY | O_CLOEXEC);
    (void)unlink(file);
    if (status == STRIA_OK) status = copy_bytes(STDOUT_FILENO, fd, e->failure);
    if (fd >= 0) (void)close(fd);
    return status;
}

/* Writes a file. A signal ends the writing, and then the program: the library removes its temporary
 * file first. */
static stria_status write_watched(const struct archive_path *path, const char *const *names,
                                  const struct archive_options *options, struct evaluation *e)
{
    char label[300];
    (void)snprintf(label, sizeof label, "writing %.280s", path->file);
    struct writing writing = {.progress = start_progress(label)};
    for (size_t i = 0; i < e->count; i++)
        writing.all += stria_nbytes(e->outputs[i]);
    stria_watch watch = {.go_on = go_on, .context = &writing};
    const stria_exec exec = {.watch = &watch};
    interrupt_hold();
    const stria_status status = strcmp(path->file, "-") != 0
                                    ? write_file(path, path->file, names, options, e, &exec)
                                    : write_stream(path, options, e, &exec);
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
