/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include "embedded.h"
#include "stria/stria.h"
#include "tool.h"

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
    json_decref(list->files);
    stria__pool_free(&list->pool);
}

struct reader {
    struct suite_list *list;
    struct failure *failure;
    const json_t *file;
    const char *name; /* Name of the case that is read. */
};

static stria_status malformed(const struct reader *r, const char *member, const char *wanted)
{
    return stria__fail_request(r->failure, STRIA_ERR_FORMAT, "case %.50s: \"%s\" must be %s",
                               r->name, member, wanted);
}

/* Reads the texts of a case. Some may stand beside "cases", for all of them. */
static stria_status read_texts(struct suite_case *out, const struct reader *r, const json_t *object)
{
    const struct {
        const char *member, **to;
        bool common;
    } all[] = {{"expr", &out->expr, false},
               {"suite", &out->suite, true},
               {"group", &out->group, true},
               {"dtype", &out->dtype, true},
               {"to", &out->to, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const json_t *value = json_object_get(object, all[i].member);
        if (json_is_absent(value) && all[i].common) value = json_object_get(r->file, all[i].member);
        if (json_is_absent(value)) continue;
        if (!json_is_string(value)) return malformed(r, all[i].member, "a string");
        *all[i].to = json_string_value(value);
    }
    return STRIA_OK;
}

static stria_status read_list(int64_t *out, int *count, const struct reader *r,
                              const json_t *object, const char *member)
{
    const json_t *const list = json_object_get(object, member);
    if (!json_is_array(list) || json_array_size(list) > STRIA_MAX_NDIM)
        return malformed(r, member, "a list of at most 64 integers");
    *count = (int)json_array_size(list);
    for (int i = 0; i < *count; i++) {
        out[i] = json_integer_value(json_array_get(list, (size_t)i));
        if (!json_is_integer(json_array_get(list, (size_t)i)) || out[i] < 0)
            return malformed(r, member, "a list of integers, at least 0");
    }
    return STRIA_OK;
}

/* Writes a list of integers: "4,5,6". */
static const char *list_text(const struct reader *r, const int64_t *values, int n,
                             const char *before, const char *after)
{
    char text[STRIA_MAX_NDIM * 21 + 20];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", before);
    for (int i = 0; i < n; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%lld", i ? "," : "",
                                   (long long)values[i]);
    length += (size_t)snprintf(text + length, sizeof text - length, "%s", after);
    return must_text(&r->list->pool, text, length);
}

/* Turns a list around for column-major cases: dim i of C order is their dim n - 1 - i, among the
 * axes, too. */
static void turn_list(int64_t *out, const int64_t *from, int n, bool axes)
{
    for (int i = 0; i < n; i++)
        out[i] = axes ? n - 1 - from[n - 1 - i] : from[n - 1 - i];
}

static stria_status read_permutation(struct suite_case *out, const struct reader *r,
                                     const json_t *from, bool rows)
{
    const char *const order = rows ? "axes" : "perm";
    int64_t shape[STRIA_MAX_NDIM], axes[STRIA_MAX_NDIM], turned[2][STRIA_MAX_NDIM];
    uint64_t seen = 0;
    int ndim, count;
    if (!json_is_object(from))
        return malformed(r, rows ? "row_major" : "col_major", "an object of sizes and axes");
    STRIA_TRY(read_list(shape, &ndim, r, from, rows ? "shape" : "size"));
    STRIA_TRY(read_list(axes, &count, r, from, order));
    for (int i = 0; i < count; i++)
        seen |= axes[i] < ndim ? (uint64_t)1 << axes[i] : 0;
    if (count != ndim || seen != (ndim ? ~(uint64_t)0 >> (STRIA_MAX_NDIM - ndim) : 0))
        return malformed(r, order, "a permutation of the dims of the array");
    turn_list(turned[0], shape, ndim, false);
    turn_list(turned[1], axes, ndim, true);
    out->shape = list_text(r, rows ? shape : turned[0], ndim, "", "");
    out->expr = list_text(r, rows ? axes : turned[1], ndim, ".permute(", ")");
    return STRIA_OK;
}

static stria_status read_shape(struct suite_case *out, const struct reader *r, const json_t *object)
{
    const json_t *const rows = json_object_get(object, "row_major"),
                        *const columns = json_object_get(object, "col_major"),
                        *const with = json_object_get(object, "with");
    int64_t shape[STRIA_MAX_NDIM];
    int ndim;
    if (rows || columns) return read_permutation(out, r, rows ? rows : columns, rows != NULL);
    STRIA_TRY(read_list(shape, &ndim, r, object, "shape"));
    out->shape = list_text(r, shape, ndim, "", "");
    if (with && (!json_is_array(with) || json_array_size(with) >= BENCH_MAX_INPUTS))
        return malformed(r, "with", "a list of few texts");
    for (size_t i = 0; i < json_array_size(with); i++) {
        out->with[i] = json_string_value(json_array_get(with, i));
        if (!out->with[i]) return malformed(r, "with", "a list of texts");
    }
    return STRIA_OK;
}

/* Returns the name of a case; if it is a number, the number with a mark. */
static const char *name_of(const struct reader *r, const json_t *object, size_t number)
{
    char text[24];
    const json_t *const name = json_object_get(object, "name"), *const id =
                                                                    json_object_get(object, "id");
    if (!json_is_absent(name) || json_is_string(id))
        return json_string_value(json_is_absent(name) ? id : name);
    const long long told = json_is_integer(id) ? json_integer_value(id) : (long long)number;
    const int length = snprintf(text, sizeof text, "#%lld", told);
    return must_text(&r->list->pool, text, (size_t)length);
}

static stria_status read_case(struct reader *r, const json_t *object, size_t number)
{
    struct suite_case c = {.suite = "file", .group = "file", .dtype = "f32", .expr = ""};
    const json_t *const fill = json_object_get(object, "fill");
    c.name = r->name = name_of(r, object, number);
    if (!c.name) {
        r->name = "with another name";
        return malformed(r, "name", "a string");
    }
    if (!json_is_object(object))
        return stria__fail_request(r->failure, STRIA_ERR_FORMAT, "case %s must be an object",
                                   r->name);
    STRIA_TRY(read_texts(&c, r, object));
    if (fill && !json_is_boolean(fill)) return malformed(r, "fill", "true or false");
    c.fill = json_is_true(fill);
    STRIA_TRY(read_shape(&c, r, object));
    suite_add(r->list, c);
    return STRIA_OK;
}

/* Adds the cases of a document, which is taken over, since it holds their texts. */
static stria_status add_json(struct suite_list *list, json_t *file, const char *path,
                             struct failure *failure)
{
    struct reader r = {.list = list, .failure = failure, .file = file};
    const json_t *const cases = json_object_get(file, "cases");
    if (!list->files) list->files = json_array();
    (void)json_array_append_new(list->files, file);
    if (json_array_size(cases) == 0)
        return stria__fail_request(failure, STRIA_ERR_FORMAT, "%.200s: \"cases\" %s", path,
                                   json_is_array(cases) ? "is empty" : "must be a list");
    for (size_t i = 0; i < json_array_size(cases); i++)
        STRIA_TRY(read_case(&r, json_array_get(cases, i), i + 1));
    return STRIA_OK;
}

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
        STRIA_TRY(add_json(list, json_loads(embedded_text(one), 0, NULL), one, failure));
        found = true;
    }
    return found ? STRIA_OK
                 : stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                       "there is no suite '%.60s'; there are " SUITE_NAMES
                                       ", and all for every one",
                                       name);
}

stria_status suite_add_file(struct suite_list *list, const char *path, struct failure *failure)
{
    json_t *file;
    STRIA_TRY(json_read(&file, path, failure));
    return add_json(list, file, path, failure);
}
