/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command stria explain --batch: JSON in, JSON out, line by line. Requests are untrusted: every
 * line gets exactly one answer, whatever it holds.
 */
#define _POSIX_C_SOURCE 200809L
#include "batch.h"

#include "array_spec.h"
#include "tool.h"

enum { LINE_MAX_BYTES = 64 << 20 };

struct line {
    char *text;
    size_t length, room;
    bool too_long;
};

/* Reads a line; false at the end of the input. Bytes beyond the limit are read and dropped. */
static bool read_line(struct line *line, FILE *file)
{
    int c = getc(file);
    if (c == EOF) return false;
    line->length = 0;
    line->too_long = false;
    for (; c != EOF && c != '\n'; c = getc(file)) {
        if (line->length == LINE_MAX_BYTES) {
            line->too_long = true;
            continue;
        }
        if (line->length == line->room) {
            line->room = line->room ? 2 * line->room : 4096;
            line->text = must_realloc(line->text, line->room);
        }
        line->text[line->length++] = (char)c;
    }
    return true;
}

/* Skips the mark with which some editors begin a file of UTF-8. */
static void skip_byte_order_mark(struct line *line)
{
    if (line->length < 3 || memcmp(line->text, "\xef\xbb\xbf", 3) != 0) return;
    line->length -= 3;
    memmove(line->text, line->text + 3, line->length);
}

static stria_status malformed(struct failure *failure, const char *array, const char *member,
                              const char *wanted)
{
    return stria__fail_request(failure, STRIA_ERR_FORMAT, "%.60s: \"%s\" must be %s", array, member,
                               wanted);
}

static stria_status read_dims(int64_t *out, int *count, const json_t *list, const char *array,
                              const char *member, struct failure *failure)
{
    if (!json_is_array(list)) return malformed(failure, array, member, "a list of integers");
    if (json_array_size(list) > STRIA_MAX_NDIM)
        return stria__fail_request(failure, STRIA_ERR_SHAPE,
                                   "%.60s: \"%s\" has %zu dims; at most %d", array, member,
                                   json_array_size(list), STRIA_MAX_NDIM);
    *count = (int)json_array_size(list);
    for (int i = 0; i < *count; i++) {
        const json_t *item = json_array_get(list, (size_t)i);
        if (!json_is_integer(item)) return malformed(failure, array, member, "a list of integers");
        out[i] = json_integer_value(item);
    }
    return STRIA_OK;
}

static stria_status read_number(int64_t *out, const json_t *object, const char *array,
                                const char *member, int64_t low, struct failure *failure)
{
    const json_t *value = json_object_get(object, member);
    if (json_is_absent(value)) return STRIA_OK;
    if (!json_is_integer(value) || json_integer_value(value) < low)
        return malformed(failure, array, member, low ? "an integer" : "an integer, at least 0");
    *out = json_integer_value(value);
    return STRIA_OK;
}

static stria_status read_bit(bool *out, const json_t *object, const char *array, const char *member,
                             struct failure *failure)
{
    const json_t *value = json_object_get(object, member);
    if (json_is_absent(value)) return STRIA_OK;
    if (!json_is_boolean(value)) return malformed(failure, array, member, "true or false");
    *out = json_is_true(value);
    return STRIA_OK;
}

static stria_status read_spec(struct array_spec *spec, const json_t *object, const char *array,
                              struct pool *pool, struct failure *failure)
{
    *spec = array_spec_default();
    STRIA_TRY(read_dims(spec->shape, &spec->ndim, json_object_get(object, "shape"), array, "shape",
                        failure));
    const json_t *strides = json_object_get(object, "strides");
    spec->strided = !json_is_absent(strides);
    if (spec->strided) {
        int count;
        STRIA_TRY(read_dims(spec->strides, &count, strides, array, "strides", failure));
        if (count != spec->ndim)
            return stria__fail_request(failure, STRIA_ERR_FORMAT, "%.60s: %d sizes and %d strides",
                                       array, spec->ndim, count);
    }
    STRIA_TRY(read_number(&spec->offset, object, array, "offset", INT64_MIN, failure));
    STRIA_TRY(read_number(&spec->bytes, object, array, "bytes", 0, failure));
    STRIA_TRY(read_bit(&spec->conj, object, array, "conj", failure));
    STRIA_TRY(read_bit(&spec->neg, object, array, "neg", failure));
    const json_t *dtype = json_object_get(object, "dtype");
    if (json_is_absent(dtype)) return STRIA_OK;
    if (!json_is_string(dtype)) return malformed(failure, array, "dtype", "a string");
    return dtype_text_read(&spec->dtype, json_string_value(dtype), pool, failure);
}

/* Adds an array: "base":"x" lies in x's memory; "values" makes real memory; otherwise the array has
 * only bounds. */
static stria_status add_array(struct inputs *inputs, const char *name, const json_t *object,
                              struct failure *failure)
{
    struct array_spec spec;
    stria_array array = {0};
    if (!json_is_object(object))
        return stria__fail_request(failure, STRIA_ERR_FORMAT, "%.60s: an object expected", name);
    STRIA_TRY(read_spec(&spec, object, name, &inputs->pool, failure));
    const json_t *values = json_object_get(object, "values"),
                 *base = json_object_get(object, "base");
    const stria_view *owner = NULL;
    if (!json_is_absent(base)) {
        owner = json_is_string(base) && inputs->count
                    ? stria__environment_find(&inputs->environment, json_string_value(base))
                    : NULL;
        if (!owner || !json_is_absent(values))
            return malformed(failure, name, "base", "an array named before, without values");
    }
    STRIA_TRY(json_is_absent(values)
                  ? array_spec_make(&array, &spec, owner ? owner->buffer : NULL, failure)
                  : array_values_make(&array, &spec, values, failure));
    return inputs_add(inputs, name, array, failure);
}

static stria_status add_arrays(struct inputs *inputs, const json_t *request,
                               struct failure *failure)
{
    const json_t *rules = json_object_get(request, "rules");
    if (!json_is_absent(rules) && !json_is_string(rules))
        return malformed(failure, "the request", "rules", "a string");
    if (!json_is_absent(rules)) STRIA_TRY(inputs_rules(inputs, json_string_value(rules), failure));
    STRIA_TRY(add_array(inputs, "x", request, failure));
    json_t *with = json_object_get(request, "with");
    if (json_is_absent(with)) return STRIA_OK;
    if (!json_is_object(with))
        return stria__fail_request(failure, STRIA_ERR_FORMAT,
                                   "\"with\" must be an object of arrays");
    const char *name;
    json_t *object;
    json_object_foreach(with, name, object) STRIA_TRY(add_array(inputs, name, object, failure));
    return STRIA_OK;
}

static json_t *answer_request(const json_t *request, struct failure *failure)
{
    struct inputs inputs = {0};
    const json_t *expr = json_object_get(request, "expr");
    stria_status status;
    json_t *answer = NULL;
    if (!json_is_object(request))
        (void)stria__fail_request(failure, STRIA_ERR_FORMAT, "a request is a JSON object");
    else if (!json_is_string(expr))
        (void)stria__fail_request(failure, STRIA_ERR_FORMAT, "\"expr\" must be a string");
    else if (add_arrays(&inputs, request, failure) == STRIA_OK)
        answer = explain_json(json_string_value(expr), &inputs, failure, &status);
    inputs_free(&inputs);
    return answer ? answer : json_failure(failure, NULL);
}

static json_t *answer_line(const struct line *line)
{
    struct failure failure = {0};
    json_error_t error;
    if (line->too_long) {
        (void)stria__fail_request(&failure, STRIA_ERR_FORMAT, "the line is longer than %d bytes",
                                  LINE_MAX_BYTES);
        return json_failure(&failure, NULL);
    }
    json_t *request =
        json_loadb(line->text, line->length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (!request) {
        (void)stria__fail_request(&failure, STRIA_ERR_FORMAT, "not JSON: %s, at byte %d",
                                  error.text, error.position);
        return json_failure(&failure, NULL);
    }
    json_t *answer = answer_request(request, &failure);
    json_decref(request);
    return answer;
}

static stria_allocator usual;

/* Allocates for arrays with values, which are small; results must not become as large as a request
 * says. */
static void *small_alloc(size_t size, size_t alignment, void *context)
{
    (void)context;
    return size > VALUES_MAX_BYTES ? NULL : usual.alloc(size, alignment, usual.context);
}

static void small_free(void *memory, size_t size, void *context)
{
    (void)context;
    usual.free(memory, size, usual.context);
}

bool explain_batch(void)
{
    static const stria_allocator small = {small_alloc, small_free, NULL};
    struct line line = {0};
    stria_get_allocator(&usual);
    const stria_status status = stria_set_allocator(&small);
    (void)status; /* Both functions exist, so that the status is OK. */
    for (bool first = true; !ferror(stdout) && read_line(&line, stdin); first = false) {
        if (first) skip_byte_order_mark(&line);
        json_print(answer_line(&line));
        (void)fflush(stdout);
    }
    free(line.text);
    if (!ferror(stdin)) return true;
    (void)fputs("stria: cannot read standard input\n", stderr);
    return false;
}

json_t *explain_json(const char *expr, const struct inputs *inputs, struct failure *failure,
                     stria_status *status)
{
    struct evaluation e = inputs_evaluation(expr, inputs, failure);
    e.asking = true;
    *status = stria__evaluate(&e);
    json_t *answer, *plan = json_null();
    if (*status == STRIA_OK && e.count) *status = json_plan(&plan, &e);
    if (*status == STRIA_OK) {
        answer = json_evaluation(&e);
        json_put(answer, "plan", plan);
    } else {
        answer = json_failure(failure, expr);
    }
    stria__evaluation_end(&e);
    return answer;
}
