/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "target_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "must.h"

/* What stands for {field}: length bytes at *text. */
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
                         struct pool *pool, struct failure *failure)
{
    size_t used = 0;
    /* No field is longer than the input's path or than a number. */
    const size_t room = (strlen(text) + 1) * (strlen(from) + 24);
    char *to = *out = must_take(pool, room);
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

stria_status target_suffix_check(const char *path, struct failure *failure)
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

/* ---- of several inputs ----------------------------------------------------------------------- */

struct named {
    const char *name;
    size_t number; /* of the input */
};

static int compare(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->number < y->number ? -1 : x->number > y->number;
}

static const struct named *find(const struct named *names, size_t count, const char *name)
{
    size_t first = 0, end = count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (strcmp(names[middle].name, name) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first < count && !strcmp(names[first].name, name) ? &names[first] : NULL;
}

stria_status target_names_check(const char *text, char **inputs, size_t count, struct pool *pool,
                                struct failure *failure)
{
    struct named *const names = must_take_array(pool, count, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        char *name;
        STRIA_TRY(target_name(&name, text, inputs[i], i + 1, pool, failure));
        names[i] = (struct named){name, i};
    }
    qsort(names, count, sizeof *names, compare);
    for (size_t i = 1; i < count; i++)
        if (!strcmp(names[i - 1].name, names[i].name))
            return stria__fail_request(
                failure, STRIA_ERR_ARGUMENT,
                "%.200s and %.200s would both be written to %.200s; {dir} and {n} "
                "tell them apart",
                inputs[names[i - 1].number], inputs[names[i].number], names[i].name);
    for (size_t i = 0; i < count; i++) {
        const struct named *const other = find(names, count, inputs[i]);
        if (other && other->number < i)
            return stria__fail_request(
                failure, STRIA_ERR_ARGUMENT,
                "%.200s would be replaced by what comes of %.200s before it is "
                "read; name it first, or another OUT",
                inputs[i], inputs[other->number]);
    }
    return STRIA_OK;
}
