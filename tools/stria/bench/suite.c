/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embedded.h"
#include "json.h"
#include "must.h"
#include "stria/stria.h"

stria_status suite_add_named(struct suite_list *list, const char *name, struct failure *failure)
{
    const bool all = !strcmp(name, "all");
    bool found = false;
    char one[40];
    for (const char *at = SUITE_NAMES; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        (void)snprintf(one, sizeof one, "%.*s", (int)length, at);
        at += length;
        if (!all && strcmp(name, one) != 0) continue;
        json_t *const file = json_loads(embedded_text(one), 0, NULL);
        const stria_status status = suite_add_json(list, file, one, failure);
        json_decref(file);
        STRIA_TRY(status);
        found = true;
    }
    return found ? STRIA_OK
                 : stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                       "there is no suite '%.60s'; there are " SUITE_NAMES
                                       ", and all for every one",
                                       name);
}

void suite_add(struct suite_list *list, struct suite_case c)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->items = must_realloc(list->items, list->room * sizeof *list->items);
    }
    list->items[list->count++] = c;
}

void suite_filter(struct suite_list *list, const char *text)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct suite_case *c = &list->items[i];
        if (strstr(c->suite, text) || strstr(c->group, text) || strstr(c->name, text))
            list->items[kept++] = *c;
    }
    list->count = kept;
}

void suite_free(struct suite_list *list)
{
    free(list->items);
    stria__pool_free(&list->pool);
}

struct reader {
    struct suite_list *list;
    struct failure *failure;
    const json_t *file;
    char name[60]; /* of the case that is read: for messages, and where the file names none */
};

static stria_status malformed(struct reader *r, const char *member, const char *wanted)
{
    return stria__fail_request(r->failure, STRIA_ERR_FORMAT, "case %s: \"%s\" must be %s", r->name,
                               member, wanted);
}

static const char *keep_text(struct reader *r, const char *text)
{
    return must_text(&r->list->pool, text, strlen(text));
}

/* An optional member of a case. */
static stria_status read_text(const char **out, struct reader *r, const json_t *object,
                              const char *member, const char *otherwise)
{
    const json_t *value = json_object_get(object, member);
    *out = otherwise;
    if (!value || json_is_null(value)) return STRIA_OK;
    if (!json_is_string(value)) return malformed(r, member, "a string");
    *out = keep_text(r, json_string_value(value));
    return STRIA_OK;
}

/* The same, or for all cases, beside "cases". */
static stria_status read_common(const char **out, struct reader *r, const json_t *object,
                                const char *member, const char *otherwise)
{
    STRIA_TRY(read_text(out, r, r->file, member, otherwise));
    return read_text(out, r, object, member, *out);
}

static stria_status read_list(int64_t *out, int *count, struct reader *r, const json_t *object,
                              const char *member)
{
    const json_t *list = json_object_get(object, member);
    if (!json_is_array(list) || json_array_size(list) > STRIA_MAX_NDIM)
        return malformed(r, member, "a list of at most 64 integers");
    *count = (int)json_array_size(list);
    for (int i = 0; i < *count; i++) {
        const json_t *item = json_array_get(list, (size_t)i);
        if (!json_is_integer(item) || json_integer_value(item) < 0)
            return malformed(r, member, "a list of integers, at least 0");
        out[i] = json_integer_value(item);
    }
    return STRIA_OK;
}

/* "4,5,6" */
static const char *list_text(struct reader *r, const int64_t *values, int n, const char *before,
                             const char *after)
{
    char text[STRIA_MAX_NDIM * 21 + 20];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", before);
    for (int i = 0; i < n; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%lld", i ? "," : "",
                                   (long long)values[i]);
    length += (size_t)snprintf(text + length, sizeof text - length, "%s", after);
    return must_text(&r->list->pool, text, length);
}

/* Columns first: dim i of C order is dim n - 1 - i there, among the axes too. */
static void to_row_major(int64_t *shape, int64_t *axes, int n)
{
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        const int64_t size = shape[i], axis = axes[i];
        shape[i] = shape[j];
        shape[j] = size;
        axes[i] = axes[j];
        axes[j] = axis;
    }
    for (int i = 0; i < n; i++)
        axes[i] = n - 1 - axes[i];
}

static bool is_permutation(const int64_t *axes, int n)
{
    bool seen[STRIA_MAX_NDIM] = {false};
    for (int i = 0; i < n; i++) {
        if (axes[i] >= n || seen[axes[i]]) return false;
        seen[axes[i]] = true;
    }
    return true;
}

static stria_status read_permutation(struct suite_case *out, struct reader *r, const json_t *object)
{
    const json_t *rows = json_object_get(object, "row_major");
    const json_t *columns = json_object_get(object, "col_major");
    const json_t *from = rows ? rows : columns;
    const char *sizes = rows ? "shape" : "size", *order = rows ? "axes" : "perm";
    int64_t shape[STRIA_MAX_NDIM], axes[STRIA_MAX_NDIM];
    int ndim, count;
    if (!json_is_object(from))
        return malformed(r, rows ? "row_major" : "col_major", "an object of sizes and axes");
    STRIA_TRY(read_list(shape, &ndim, r, from, sizes));
    STRIA_TRY(read_list(axes, &count, r, from, order));
    if (count != ndim || !is_permutation(axes, ndim))
        return malformed(r, order, "a permutation of the dims of the array");
    if (!rows) to_row_major(shape, axes, ndim);
    out->shape = list_text(r, shape, ndim, "", "");
    out->expr = list_text(r, axes, ndim, ".permute(", ")");
    return STRIA_OK;
}

static stria_status read_expression(struct suite_case *out, struct reader *r, const json_t *object)
{
    int64_t shape[STRIA_MAX_NDIM];
    int ndim;
    STRIA_TRY(read_list(shape, &ndim, r, object, "shape"));
    out->shape = list_text(r, shape, ndim, "", "");
    const json_t *const with = json_object_get(object, "with");
    if (with && (!json_is_array(with) || json_array_size(with) >= BENCH_MAX_INPUTS))
        return malformed(r, "with", "a list of few texts");
    for (size_t i = 0; i < json_array_size(with); i++) {
        const char *const text = json_string_value(json_array_get(with, i));
        if (!text) return malformed(r, "with", "a list of texts");
        out->with[i] = keep_text(r, text);
    }
    return read_text(&out->expr, r, object, "expr", "");
}

static stria_status read_name(const char **out, struct reader *r, const json_t *object)
{
    const json_t *id = json_object_get(object, "id");
    const char *name;
    STRIA_TRY(read_text(&name, r, object, "name", NULL));
    if (name)
        (void)snprintf(r->name, sizeof r->name, "%.50s", name);
    else if (json_is_integer(id))
        (void)snprintf(r->name, sizeof r->name, "#%lld", (long long)json_integer_value(id));
    else if (json_is_string(id))
        (void)snprintf(r->name, sizeof r->name, "%.50s", json_string_value(id));
    *out = name ? name : keep_text(r, r->name);
    return STRIA_OK;
}

static stria_status read_case(struct reader *r, const json_t *object)
{
    struct suite_case c = {.suite = NULL};
    if (!json_is_object(object))
        return stria__fail_request(r->failure, STRIA_ERR_FORMAT, "case %s must be an object",
                                   r->name);
    STRIA_TRY(read_name(&c.name, r, object));
    STRIA_TRY(read_text(&c.suite, r, r->file, "suite", "file"));
    STRIA_TRY(read_common(&c.group, r, object, "group", "file"));
    STRIA_TRY(read_common(&c.dtype, r, object, "dtype", "f32"));
    STRIA_TRY(read_common(&c.to, r, object, "to", NULL));
    const json_t *fill = json_object_get(object, "fill");
    if (fill && !json_is_boolean(fill)) return malformed(r, "fill", "true or false");
    c.fill = json_is_true(fill);
    const bool permuted =
        json_object_get(object, "row_major") || json_object_get(object, "col_major");
    STRIA_TRY(permuted ? read_permutation(&c, r, object) : read_expression(&c, r, object));
    suite_add(r->list, c);
    return STRIA_OK;
}

static stria_status read_cases(struct reader *r, const char *path)
{
    const json_t *cases = json_object_get(r->file, "cases"), *object;
    size_t i;
    if (!json_is_array(cases))
        return stria__fail_request(r->failure, STRIA_ERR_FORMAT, "%.200s: \"cases\" must be a list",
                                   path);
    if (json_array_size(cases) == 0)
        return stria__fail_request(r->failure, STRIA_ERR_FORMAT, "%.200s: \"cases\" is empty",
                                   path);
    json_array_foreach(cases, i, object)
    {
        (void)snprintf(r->name, sizeof r->name, "#%zu", i + 1);
        STRIA_TRY(read_case(r, object));
    }
    return STRIA_OK;
}

stria_status suite_add_json(struct suite_list *list, const json_t *file, const char *path,
                            struct failure *failure)
{
    return read_cases(&(struct reader){.list = list, .failure = failure, .file = file}, path);
}

stria_status suite_add_file(struct suite_list *list, const char *path, struct failure *failure)
{
    json_t *file;
    STRIA_TRY(json_read(&file, path, failure));
    const stria_status status = suite_add_json(list, file, path, failure);
    json_decref(file);
    return status;
}
