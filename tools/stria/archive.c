/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "archive.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stria/npz.h"

static const char suffix[] = ".npz";
enum { SUFFIX = sizeof suffix - 1 };

bool archive_path(struct archive_path *out, const char *path, struct arena *arena)
{
    const size_t length = strlen(path);
    *out = (struct archive_path){.file = path};
    if (length > SUFFIX && !strcmp(path + length - SUFFIX, suffix)) return true;
    const char *colon = strstr(path, ".npz:");
    if (!colon || !colon[SUFFIX + 1] || access(path, F_OK) == 0) return false;
    out->file = arena_text(arena, path, (size_t)(colon - path) + SUFFIX);
    out->member = arena_text(arena, colon + SUFFIX + 1, strlen(colon + SUFFIX + 1));
    return true;
}

static stria_status open_archive(stria_npz **out, const char *file, struct failure *failure)
{
    const stria_status status = stria_npz_open(out, file);
    return status == STRIA_OK ? STRIA_OK : fail_library(failure, status, NO_PLACE);
}

/* "x.npy" is called x. */
static char *short_name(const char *name, struct arena *arena)
{
    const size_t length = strlen(name);
    const bool npy = length > 4 && !strcmp(name + length - 4, ".npy");
    return arena_text(arena, name, npy ? length - 4 : length);
}

/* ---- reading --------------------------------------------------------------------------------- */

static stria_status only_member(const char **out, const stria_npz *npz, const char *file,
                                struct arena *arena, struct failure *failure)
{
    char names[300] = "";
    size_t used = 0;
    const int64_t count = stria_npz_count(npz);
    for (int64_t i = 0; i < count && used < sizeof names - 80; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.60s", i ? ", " : "",
                                 short_name(stria_npz_name(npz, i), arena));
    *out = stria_npz_name(npz, 0);
    if (count == 1) return STRIA_OK;
    return fail_request(failure, STRIA_ERR_ARGUMENT,
                        "%.280s has %lld arrays%s%s; name one: %.280s:%s", file, (long long)count,
                        count ? ", " : "", names, file, count ? short_name(*out, arena) : "NAME");
}

stria_status archive_read(stria_array *out, const struct archive_path *path, enum source_use use,
                          struct failure *failure)
{
    stria_npz *npz;
    struct arena arena = {0};
    const char *name = path->member;
    TRY(open_archive(&npz, path->file, failure));
    stria_status status = name ? STRIA_OK : only_member(&name, npz, path->file, &arena, failure);
    if (status == STRIA_OK) {
        status =
            stria_npz_read(out, npz, name, use == SOURCE_LOOK ? STRIA_NPZ_HEADER : STRIA_NPZ_READ);
        if (status != STRIA_OK) {
            (void)fail_library(failure, status, NO_PLACE);
            (void)fail_prefix(failure, path->file);
        }
    }
    stria_npz_close(npz);
    arena_free(&arena);
    return status;
}

stria_status archive_list(const char ***paths, size_t *count, const char *path, struct arena *arena,
                          struct failure *failure)
{
    struct archive_path archive;
    stria_npz *npz;
    *count = 1;
    *paths = arena_take(arena, sizeof **paths);
    **paths = path;
    if (!archive_path(&archive, path, arena) || archive.member) return STRIA_OK;
    TRY(open_archive(&npz, archive.file, failure));
    *count = (size_t)stria_npz_count(npz);
    *paths = arena_take_array(arena, *count + 1, sizeof **paths);
    for (size_t i = 0; i < *count; i++) {
        const char *name = short_name(stria_npz_name(npz, (int64_t)i), arena);
        char *text = arena_take(arena, strlen(path) + strlen(name) + 2);
        (void)sprintf(text, "%s:%s", path, name);
        (*paths)[i] = text;
    }
    stria_npz_close(npz);
    return STRIA_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

stria_status archive_check(const struct archive_path *path, const struct evaluation *e)
{
    stria_npz *npz;
    struct arena arena = {0};
    if (path->member && e->many)
        return fail_at(e->failure, STRIA_ERR_ARGUMENT, 0,
                       "the EXPR gives %zu arrays, -o names one member; without :%.60s they are "
                       "called arr_0, arr_1, ...",
                       e->count, path->member);
    if (!path->member || stria_npz_open(&npz, path->file) != STRIA_OK) return STRIA_OK;
    const int64_t count = stria_npz_count(npz);
    const char *other = NULL;
    for (int64_t i = 0; i < count; i++) {
        const char *name = short_name(stria_npz_name(npz, i), &arena);
        if (strcmp(name, path->member) != 0) other = name;
    }
    if (other)
        (void)fail_request(e->failure, STRIA_ERR_ARGUMENT,
                           "%.280s has other members, '%.60s' for one, which would be lost: an "
                           "archive is replaced as a whole; write to another file",
                           path->file, other);
    stria_npz_close(npz);
    arena_free(&arena);
    return other ? STRIA_ERR_ARGUMENT : STRIA_OK;
}

/* A signal waits until the archive is complete, so that it leaves no temporary file. */
static stria_status write_undisturbed(const struct archive_path *path, const char *const *names,
                                      bool deflate, struct evaluation *e)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &before);
    const stria_status status = stria_npz_write(path->file, (int64_t)e->count, names, e->outputs,
                                                deflate ? STRIA_NPZ_DEFLATED : STRIA_NPZ_STORED);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return status == STRIA_OK ? STRIA_OK : fail_library(e->failure, status, NO_PLACE);
}

stria_status archive_write(const struct archive_path *path, bool deflate, struct evaluation *e)
{
    const char **names = arena_take_array(&e->arena, e->count + 1, sizeof *names);
    for (size_t i = 0; i < e->count; i++) {
        char *name = arena_take(&e->arena, 32);
        (void)snprintf(name, 32, "arr_%zu", i);
        names[i] = path->member ? path->member : name;
    }
    return write_undisturbed(path, names, deflate, e);
}
