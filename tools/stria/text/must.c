/* SPDX-License-Identifier: BSD-3-Clause */
#include "must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <stdatomic.h>

#include "terminal.h"

const char *failure_text(const struct failure *failure, const char *source, char *text, size_t size)
{
    const bool column = failure->placed && failure->usage;
    const char *const file = failure->file ? failure->file : "";
    const int n = snprintf(text, size, "%.300s%s", file, *file ? ": " : "");
    char *const rest = text + n;
    size -= (size_t)n;
    if (column)
        (void)snprintf(rest, size, "column %zu: %s", stria__column_of(source, failure->at),
                       failure->message);
    else
        (void)snprintf(rest, size, "%s", failure->message);
    return text;
}

static void print_source(const char *source, size_t at)
{
    const size_t around = 60, length = strlen(source);
    size_t first = at > around ? at - around : 0, last = first + 2 * around;
    if (last > length) last = length;
    while (first < at && !starts_character(source[first]))
        first++;
    const char *before = first ? "..." : "";
    (void)fprintf(stderr, "  %s", before);
    for (size_t i = first; i < last; i++)
        (void)fputc((unsigned char)source[i] < ' ' ? ' ' : source[i], stderr);
    const size_t blanks = 2 + strlen(before) + stria__column_of(source + first, at - first) - 1;
    (void)fprintf(stderr, "%s\n%*s%s^%s\n", last < length ? "..." : "", (int)blanks, "",
                  colour(stderr, RED), colour(stderr, PLAIN));
}

void failure_print(const struct failure *failure, const char *source)
{
    (void)fprintf(stderr, "%sstria:%s ", colour(stderr, RED), colour(stderr, PLAIN));
    if (failure->file) (void)fprintf(stderr, "%s: ", failure->file);
    if (failure->placed && source)
        (void)fprintf(stderr, "column %zu: ", stria__column_of(source, failure->at));
    const bool op =
        !strncmp(failure->message, "there is no op '", 16) && !strstr(failure->message, "; write ");
    const char *const hint = op ? "; `stria help ops WORD` lists those with WORD in them" : "";
    (void)fprintf(stderr, "%s%s\n", failure->message, hint);
    if (failure->placed && source) print_source(source, failure->at);
}

stria_status fail_found(struct failure *failure, stria_status code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    *failure = (struct failure){.code = code, .file = failure->file};
    (void)vsnprintf(failure->message, sizeof failure->message, format, values);
    va_end(values);
    return code;
}

int failure_exit(const struct failure *failure)
{
    const bool machine = failure->code == STRIA_ERR_MEMORY || failure->code == STRIA_ERR_IO;
    return failure->usage && !machine ? 2 : 1;
}

static atomic_int failed = 1;

void failed_is(int status)
{
    atomic_store(&failed, status);
}

int failed_status(void)
{
    return atomic_load(&failed);
}

/* ---- memory ---------------------------------------------------------------------------------- */

void must_have(bool had, size_t size)
{
    if (had) return;
    (void)fprintf(stderr, "stria: out of memory: %zu bytes were refused\n", size);
    exit(failed_status());
}

static void *checked(void *memory, size_t size)
{
    must_have(memory != NULL, size);
    return memory;
}

void *must_malloc(size_t size)
{
    return checked(malloc(size ? size : 1), size);
}

void *must_realloc(void *memory, size_t size)
{
    return checked(realloc(memory, size ? size : 1), size);
}

void *must_take(struct pool *pool, size_t size)
{
    return checked(stria__pool_take(pool, size), size);
}

void *must_take_array(struct pool *pool, size_t count, size_t size)
{
    return checked(stria__pool_array(pool, count, size), count * size);
}

char *must_text(struct pool *pool, const char *text, size_t length)
{
    return checked(stria__pool_text(pool, text, length), length);
}
