/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "target.h"

#include <sys/stat.h>
#include <unistd.h>
#include <ctype.h>
#include <strings.h>

#include "tool.h"
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

/* Tells whether the path is a log or a result that the shell has opened: if it were replaced, later
 * output would be lost. */
static bool is_stream_of_ours(const char *path)
{
    struct stat file, stream;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode)) return false;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &stream) == 0 && stream.st_dev == file.st_dev &&
            stream.st_ino == file.st_ino && file.st_ino != 0) /* Windows has no such numbers. */
            return true;
    return false;
}

/*
 * Refuses a name whose suffix means another format than .npy: up to 8 letters and digits, the first
 * of which is a letter.
 */
static stria_status check_suffix(const char *path, struct failure *failure)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *dot = strrchr(name, '.');
    size_t length = 0;
    if (!dot || dot == name || !isalpha((unsigned char)dot[1]) || !strcasecmp(dot, ".npy"))
        return STRIA_OK;
    while (isalnum((unsigned char)dot[1 + length]))
        length++;
    if (dot[1 + length] || length > 8) return STRIA_OK;
    return stria__fail_request(
        failure, STRIA_ERR_ARGUMENT,
        "-o %.280s: the array would be written as .npy, not %.9s; .npy, .npz, .safetensors, .png, "
        ".csv, .tsv and names without a suffix are written, and any name by --raw",
        path, dot);
}

stria_status target_of(struct target *out, const char *text, const char *from, size_t number,
                       bool raw, struct failure *failure)
{
    char *path;
    *out = (struct target){.raw = raw};
    if (target_is_stream(text)) {
        out->archive = archive_path(&out->parts, text);
        if (!isatty(STDOUT_FILENO) || (out->archive && out->parts.kind->table)) return STRIA_OK;
        return stria__fail_request(
            failure, STRIA_ERR_ARGUMENT,
            "-o -: standard output is a terminal; `stria show` prints values");
    }
    STRIA_TRY(target_name(&path, text, from, number, failure));
    if (is_stream_of_ours(path))
        return stria__fail_request(
            failure, STRIA_ERR_ARGUMENT,
            "%.280s is where standard output or standard error goes; -o - writes "
            "the array there",
            path);
    out->archive = archive_path(&out->parts, path);
    out->path = path;
    return raw || out->archive ? STRIA_OK : check_suffix(path, failure);
}

/* ---- writing --------------------------------------------------------------------------------- */

static stria_status begin_npy(stria_npy_writer **out, const struct target *target,
                              const stria_view *a, bool fortran, struct failure *failure)
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

static stria_status put_whole(stria_npy_writer *writer, const struct result *result,
                              struct failure *failure)
{
    static const int64_t start[STRIA_MAX_NDIM];
    const stria_status status =
        stria_npy_put(writer, result->view, result->view->ndim, start, NULL);
    if (status == STRIA_OK) return status;
    (void)stria__fail_library(failure, status, NO_PLACE);
    return stria__fail_prefix(failure, result->name);
}

static stria_status write_result(const struct target *target, struct evaluation *e, bool waits,
                                 stria_status (*told)(void *context), void *context)
{
    const stria_view *const a = e->outputs[0];
    const bool left = !waits && stria_buffer_is_meta(a->buffer);
    const char *const name = target->path ? target->path : "standard output";
    struct result result = {
        .name = name, .view = left ? e->last->from : a, .waits = waits ? &e->waiting : NULL};
    stria_npy_writer *writer;
    char label[300];
    result.fortran = !target->raw && !stria_is_contiguous(a, STRIA_ORDER_C) &&
                     stria_is_contiguous(a, STRIA_ORDER_F);
    result.stream = !target->path;
    STRIA_TRY(begin_npy(&writer, target, a, result.fortran, e->failure));
    (void)snprintf(label, sizeof label, "writing %.280s", name);
    struct progress *progress = start_progress(label);
    stria_status status = waits || inputs_are_large(result.view)
                              ? write_blocks(writer, &result, progress, e->failure)
                              : put_whole(writer, &result, e->failure);
    progress_stop(progress);
    if (status == STRIA_OK) status = told(context);
    if (status == STRIA_OK) return finish_writing(writer, target, e->failure);
    interrupt_hold();
    stria_npy_abandon(writer);
    interrupt_guard(NULL);
    interrupt_let_go();
    return status;
}

stria_status target_leave_copy(struct invocation *c, void *unused)
{
    const stria_view *const a = c->self;
    (void)unused;
    if (!a || !inputs_are_large(a) || stria_buffer_is_meta(a->buffer) ||
        stria_is_contiguous(a, STRIA_ORDER_C) || c->args[1].format != STRIA_ORDER_C)
        return c->row->run(c);
    STRIA_TRY(stria_buffer_meta(&c->out.owned, stria_nbytes(a)));
    return stria_view_make(&c->out.view, c->out.owned, a->dtype, a->ndim, a->shape, NULL, 0);
}

stria_status target_write(const struct target *target, struct evaluation *e,
                          stria_status (*told)(void *context), void *context)
{
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
    /* Math is computed block by block while it is written, if it is so large that blocks pay. */
    if (!inputs_are_large(e->outputs[0])) STRIA_TRY(stria__wait_force(&e->waiting, e->outputs[0]));
    STRIA_TRY(stria__wait_open(&e->waiting, e->outputs[0], &waits));
    const stria_status status = write_result(target, e, waits, told, context);
    if (waits) stria__wait_close(&e->waiting);
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Finds the text for {field}: length bytes at *text. */
static bool field_text(const char *field, size_t size, const char *from, const char **text,
                       size_t *length)
{
    const char *slash = strrchr(from, '/'), *name = slash ? slash + 1 : from,
               *dot = strrchr(name, '.');
    if (!strcmp(from, "-")) name = "stdin", dot = NULL;
    *text = name;
    *length = strlen(name);
    if (size == 4 && !memcmp(field, "name", 4)) return true;
    if (size == 4 && !memcmp(field, "stem", 4)) {
        if (dot && dot != name) *length = (size_t)(dot - name);
        return true;
    }
    *text = slash ? from : ".";
    *length = !slash ? 1 : slash == from ? 1 : (size_t)(slash - from);
    return size == 3 && !memcmp(field, "dir", 3);
}

stria_status target_name(char **out, const char *text, const char *from, size_t number,
                         struct failure *failure)
{
    size_t used = 0;
    /* No field is longer than the input's path or than a number. */
    const size_t room = (strlen(text) + 1) * (strlen(from) + 24);
    char *to = *out = must_take(&common.pool, room);
    for (const char *at = text; *at;) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL, *field;
        size_t length;
        if (*at != '{') {
            to[used++] = *at++;
        } else if (end && end - at == 2 && at[1] == 'n') {
            used += (size_t)snprintf(to + used, 24, "%zu", number);
            at = end + 1;
        } else if (end && field_text(at + 1, (size_t)(end - at - 1), from, &field, &length)) {
            memcpy(to + used, field, length);
            used += length;
            at = end + 1;
        } else {
            return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                       "-o '%.200s': in braces stand stem, name, dir or n", text);
        }
    }
    return STRIA_OK;
}

/* ---- of several inputs ----------------------------------------------------------------------- */

struct named {
    const char *name;
    size_t number; /* Number of the input. */
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static int by_name_and_number(const void *a, const void *b)
{
    const size_t x = ((const struct named *)a)->number, y = ((const struct named *)b)->number;
    const int order = by_name(a, b);
    return order ? order : (x > y) - (x < y);
}

stria_status target_names_check(const char *text, char **inputs, size_t count,
                                struct failure *failure)
{
    struct named *const names = must_take_array(&common.pool, count, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        char *name;
        STRIA_TRY(target_name(&name, text, inputs[i], i + 1, failure));
        names[i] = (struct named){name, i};
    }
    qsort(names, count, sizeof *names, by_name_and_number);
    for (size_t i = 1; i < count; i++)
        if (!strcmp(names[i - 1].name, names[i].name))
            return stria__fail_request(
                failure, STRIA_ERR_ARGUMENT,
                "%.200s and %.200s would both be written to %.200s; {dir} and {n} "
                "tell them apart",
                inputs[names[i - 1].number], inputs[names[i].number], names[i].name);
    for (size_t i = 0; i < count; i++) {
        const struct named wanted = {inputs[i], i}, *const other = bsearch(&wanted, names, count,
                                                                           sizeof wanted, by_name);
        if (other && other->number < i)
            return stria__fail_request(
                failure, STRIA_ERR_ARGUMENT,
                "%.200s would be replaced by what comes of %.200s before it is "
                "read; name it first, or another OUT",
                inputs[i], inputs[other->number]);
    }
    return STRIA_OK;
}
