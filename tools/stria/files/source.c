/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "source.h"

#include <errno.h>
#include <sys/stat.h>

#include "archive.h"
#include "array_spec.h"
#include "io/file_calls.h"
#include "stria/npy.h"
#include "stria/raw.h"
#include "tool.h"

/* Files of so many bytes are mapped; to read a smaller one costs no more than its page faults. */
enum { MAP_FROM = 1 << 20 };

static bool is_standard_input(const char *path)
{
    return !strcmp(path, "-") || !strcmp(path, "/dev/stdin");
}

const char *source_name(const char *path)
{
    return is_standard_input(path) || archive_is_stream(path) ? "standard input" : path;
}

bool source_is_named(const char *text)
{
    const size_t length = strlen(text);
    return is_standard_input(text) || (length > 4 && !strcmp(text + length - 4, ".npy")) ||
           archive_is_named(text) || access(text, F_OK) == 0;
}

/* Tells whether the descriptor stands at the beginning of a file, which can then be opened like any
 * other. */
static bool is_whole_file(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0;
}

/* Tells whether the path is that of a pipe, as a shell makes it for <(command), or of a device. */
static bool is_stream(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 &&
           (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || S_ISCHR(st.st_mode));
}

bool source_is_stream(const char *path)
{
    return is_standard_input(path) ? !is_whole_file(STDIN_FILENO)
                                   : archive_is_stream(path) || is_stream(path);
}

/* Reads the data behind a header to its end, so that the process that writes into the pipe does not
 * lose its reader. */
static stria_status drain(int fd, int64_t bytes, const char *name, struct failure *failure)
{
    static char room[64 << 10];
    while (bytes > 0) {
        const unsigned want = bytes < (int64_t)sizeof room ? (unsigned)bytes : sizeof room;
        const ssize_t n = read(fd, room, want);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return fail_found(failure, STRIA_ERR_IO, "%.280s: the input ended %lld bytes early",
                              name, (long long)bytes);
        bytes -= n;
    }
    return STRIA_OK;
}

static stria_status read_stream(struct source *out, int fd, const char *name, enum source_use use,
                                struct failure *failure)
{
    const stria_npy_mode mode = use == SOURCE_LOOK ? STRIA_NPY_HEADER : STRIA_NPY_READ;
    stria_status status = stria_npy_read_fd(&out->array, fd, mode, NULL);
    if (status != STRIA_OK) {
        (void)stria__fail_library(failure, status, NO_PLACE);
        return stria__fail_prefix(failure, name);
    }
    if (use != SOURCE_LOOK) return STRIA_OK;
    status = drain(fd, stria_nbytes(&out->array.view), name, failure);
    if (status != STRIA_OK) stria_array_release(&out->array);
    return status;
}

static stria_npy_mode mode_for(enum source_use use)
{
    return use == SOURCE_LOOK    ? STRIA_NPY_HEADER
           : use == SOURCE_WRITE ? STRIA_NPY_MAP_COPY
                                 : STRIA_NPY_MAP;
}

static stria_status read_file(struct source *out, const char *path, enum source_use use,
                              struct failure *failure)
{
    struct stat st;
    const bool large = stat(path, &st) == 0 && st.st_size >= MAP_FROM;
    const stria_npy_mode mode = use == SOURCE_LOOK || large ? mode_for(use) : STRIA_NPY_READ;
    const stria_status status = stria_npy_read(&out->array, path, mode, NULL);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    out->mapped = mode == STRIA_NPY_MAP;
    return STRIA_OK;
}

stria_status take_standard_input(struct failure *failure)
{
    static bool taken;
    if (isatty(STDIN_FILENO))
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "standard input is a terminal; pipe an array into it: "
                                   "cat a.npy | stria ...");
    if (taken && !is_whole_file(STDIN_FILENO))
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "standard input is named twice, but can be read once");
    taken = true;
    return STRIA_OK;
}

static stria_status read_standard_input(struct source *out, enum source_use use,
                                        struct failure *failure)
{
    STRIA_TRY(take_standard_input(failure));
    if (is_whole_file(STDIN_FILENO)) return read_file(out, "/dev/stdin", use, failure);
    return read_stream(out, STDIN_FILENO, "standard input", use, failure);
}

stria_status source_open(struct source *out, const char *path, enum source_use use,
                         struct failure *failure)
{
    *out = (struct source){.mapped = false};
    struct archive_path archive;
    if (is_standard_input(path)) return read_standard_input(out, use, failure);
    if (archive_path(&archive, path)) return archive_read(out, &archive, use, failure);
    if (!is_stream(path)) return read_file(out, path, use, failure);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return read_file(out, path, use, failure); /* This call tells why. */
    const stria_status status = read_stream(out, fd, path, use, failure);
    (void)close(fd);
    return status;
}

/* ---- files without a header ------------------------------------------------------------------ */

/* Tells whether it is an array file, whose header would be taken for elements. */
static bool is_npy(const char *file)
{
    static const char magic[] = "\x93NUMPY";
    char first[sizeof magic - 1];
    const int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    /* The descriptor of a redirected stream may share its place with the stream. */
    const bool is = fd >= 0 && is_whole_file(fd) &&
                    read(fd, first, sizeof first) == (ssize_t)sizeof first &&
                    lseek(fd, 0, SEEK_SET) == 0 && memcmp(first, magic, sizeof first) == 0;
    if (fd >= 0) (void)close(fd);
    return is;
}

stria_status raw_open(struct source *out, const char *path, const struct raw_form *form,
                      enum source_use use, struct failure *failure)
{
    stria_dtype dtype;
    int64_t shape[STRIA_MAX_NDIM] = {-1};
    int ndim = 1;
    *out = (struct source){.mapped = false};
    const char *const file = !strcmp(path, "-") ? "/dev/stdin" : path;
    if (form->shape) ndim = read_integers(shape, STRIA_MAX_NDIM, form->shape);
    if (ndim < 0)
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "--shape is written 4,5,6, with one -1 for what the file has; "
                                   "not '%.80s'",
                                   form->shape);
    STRIA_TRY(dtype_text_read(&dtype, form->dtype, &common.pool, failure));
    if (form->offset == 0 && is_npy(file))
        return stria__fail_request(
            failure, STRIA_ERR_ARGUMENT,
            "%.280s is an .npy file, which --dtype, --shape and --offset are not "
            "for; in EXPR .to(f32) converts, .view(f32) reads the bytes anew",
            path);
    const stria_status status =
        stria_raw_read(&out->array, file, dtype, ndim, shape, form->offset, mode_for(use), NULL);
    out->mapped = status == STRIA_OK && use == SOURCE_READ;
    return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
}
