/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs random programs for differential.py: one request per line of standard input, one answer per
 * line of standard output, both JSON. Expressions are read and run by the tool's own evaluator.
 *
 *   {"shape","strides","offset","dtype","data":HEX,"expr","with":{NAME:{"shape","dtype"}}}
 *       -> {"ok":true,"outputs":[{"dtype","shape","strides","offset","alias","conj","neg",
 *                                 "content":HEX}]}
 *   {..., "dst":EXPR,"src":EXPR}           dst[...] = src
 *       -> {"ok":true,"memory":HEX}
 *   {..., "dst":EXPR,"fill":HEX}           every element of dst gets that item
 *       -> {"ok":true,"memory":HEX}
 *   a refusal -> {"ok":false,"error":{"code","message"},"memory":HEX}
 *
 * data is the whole memory of x, writable unless "readonly" is true; strides and offset are in
 * bytes. content is read element by element, here; the copy engine and the hash are held against
 * it. Memory comes from malloc with the exact size, so that a sanitizer sees every byte outside.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_spec.h"
#include "report.h"
#include "batch.h"
#include "inputs.h"
#include "json_values.h"
#include "stria/stria.h"

static void stop(const char *what)
{
    (void)fprintf(stderr, "runner: %s\n", what);
    exit(1);
}

/* ---- bytes as text --------------------------------------------------------------------------- */

static json_t *hex_of(const char *bytes, int64_t n)
{
    static const char digits[] = "0123456789abcdef";
    char *text = malloc((size_t)n * 2 + 1);
    if (!text) stop("out of memory");
    for (int64_t i = 0; i < n; i++) {
        text[2 * i] = digits[((unsigned char)bytes[i]) >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    json_t *value = json_stringn_nocheck(text, (size_t)n * 2);
    free(text);
    return value;
}

static int nibble(char digit)
{
    return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

static void free_data(void *data, int64_t size, void *context)
{
    (void)size;
    (void)context;
    free(data);
}

/* Makes a buffer of exactly those bytes. */
static stria_buffer *buffer_of(const char *hex, size_t digits)
{
    const size_t n = digits / 2;
    char *data = malloc(n ? n : 1);
    stria_buffer *buffer;
    if (!data) stop("out of memory");
    for (size_t i = 0; i < n; i++)
        data[i] = (char)(nibble(hex[2 * i]) * 16 + nibble(hex[2 * i + 1]));
    if (stria_buffer_wrap(&buffer, data, (int64_t)n, false, free_data, NULL)) stop("no buffer");
    return buffer;
}

/* ---- requests -------------------------------------------------------------------------------- */

static int read_list(int64_t *out, const json_t *list)
{
    const size_t n = json_array_size(list);
    if (n > STRIA_MAX_NDIM) stop("too many dims in a request");
    for (size_t i = 0; i < n; i++)
        out[i] = json_integer_value(json_array_get(list, i));
    return (int)n;
}

/* Makes the array that a request describes, over its data or, without data, over zeros. */
static stria_status read_array(stria_array *out, const json_t *request, struct pool *pool,
                               struct failure *failure)
{
    struct array_spec spec = array_spec_default();
    const json_t *strides = json_object_get(request, "strides");
    const json_t *data = json_object_get(request, "data");
    spec.ndim = read_list(spec.shape, json_object_get(request, "shape"));
    spec.strided = strides != NULL;
    (void)read_list(spec.strides, strides);
    spec.offset = json_integer_value(json_object_get(request, "offset"));
    STRIA_TRY(dtype_text_read(&spec.dtype, json_string_value(json_object_get(request, "dtype")),
                              pool, failure));
    if (!data) return array_spec_make(out, &spec, NULL, failure); /* only its geometry is used */
    stria_buffer *buffer = buffer_of(json_string_value(data), json_string_length(data));
    if (json_is_true(json_object_get(request, "readonly"))) stria_buffer_freeze(buffer);
    const stria_status status = array_spec_make(out, &spec, buffer, failure);
    stria_buffer_release(buffer);
    return status;
}

static stria_status read_inputs(struct inputs *inputs, json_t *request, struct failure *failure)
{
    stria_array array = {0};
    const char *name;
    json_t *other;
    STRIA_TRY(read_array(&array, request, &inputs->pool, failure));
    STRIA_TRY(inputs_add(inputs, "x", array, failure));
    json_object_foreach(json_object_get(request, "with"), name, other)
    {
        STRIA_TRY(read_array(&array, other, &inputs->pool, failure));
        STRIA_TRY(inputs_add(inputs, name, array, failure));
    }
    return STRIA_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Returns the elements in C order, gathered one by one. */
static char *gather(const stria_view *a)
{
    const int64_t items = stria_numel(a), size = a->dtype.itemsize;
    char *dense = malloc((size_t)(items * size) + 1), *to = dense;
    int64_t index[STRIA_MAX_NDIM] = {0};
    if (!dense) stop("out of memory");
    for (int64_t i = 0; i < items; i++, to += size) {
        const char *from = a->data;
        for (int d = 0; d < a->ndim; d++)
            from += index[d] * a->strides[d];
        memcpy(to, from, (size_t)size);
        for (int d = a->ndim - 1; d >= 0 && ++index[d] == a->shape[d]; d--)
            index[d] = 0;
    }
    return dense;
}

/* Compares the engine's copy and hash of a with its elements read one by one; returns what is
 * wrong, or NULL. */
static const char *engine_fault(const stria_view *a, const char *dense)
{
    stria_array copy = {0};
    stria_hash128 of_view, of_copy;
    if (stria_clone_new(&copy, a, NULL)) return "clone is refused";
    const char *fault = NULL;
    if (memcmp(copy.view.data, dense, (size_t)stria_nbytes(a)))
        fault = "clone has another content";
    else if (stria_hash(&of_view, a, NULL) || stria_hash(&of_copy, &copy.view, NULL))
        fault = "hash is refused";
    else if (of_view.high != of_copy.high || of_view.low != of_copy.low)
        fault = "hash of the view is not the hash of its copy";
    stria_array_release(&copy);
    return fault;
}

static json_t *answer_output(struct evaluation *e, const stria_view *view)
{
    const struct array_geometry g = geometry_of(e, view);
    char *dense = gather(view);
    json_t *object = json_object();
    json_put(object, "dtype", json_dtype(g.dtype));
    json_put(object, "shape", json_integers(g.shape, g.ndim));
    json_put(object, "strides", json_integers(g.strides, g.ndim));
    json_put(object, "offset", json_integer(g.offset));
    json_put(object, "alias", g.alias ? json_string(g.alias) : json_null());
    json_put(object, "conj", json_boolean(g.flags & STRIA_CONJ));
    json_put(object, "neg", json_boolean(g.flags & STRIA_NEG));
    json_put(object, "content", hex_of(dense, stria_nbytes(view)));
    const char *fault = g.flags & (STRIA_CONJ | STRIA_NEG) ? NULL : engine_fault(view, dense);
    if (fault) json_put(object, "fault", json_string(fault));
    free(dense);
    return object;
}

static json_t *answer_chain(const char *expr, const struct inputs *inputs, struct failure *failure)
{
    struct evaluation e = inputs_evaluation(expr, inputs, failure);
    json_t *answer = NULL;
    if (stria__evaluate(&e) == STRIA_OK) {
        json_t *outputs = json_array();
        for (size_t i = 0; i < e.count; i++)
            (void)json_array_append_new(outputs, answer_output(&e, e.outputs[i]));
        answer = json_object();
        json_put(answer, "ok", json_true());
        json_put(answer, "outputs", outputs);
    }
    stria__evaluation_end(&e);
    return answer;
}

static json_t *written(stria_status status, struct failure *failure)
{
    if (status != STRIA_OK) {
        (void)stria__fail_library(failure, status, NO_PLACE);
        return NULL;
    }
    json_t *answer = json_object();
    json_put(answer, "ok", json_true());
    return answer;
}

/* Carries out dst[...] = src, where both are views of x, and returns the answer. */
static json_t *answer_assignment(const char *dst, const char *src, const struct inputs *inputs,
                                 struct failure *failure)
{
    struct evaluation to = inputs_evaluation(dst, inputs, failure);
    struct evaluation from = inputs_evaluation(src, inputs, failure);
    json_t *answer = NULL;
    if (stria__evaluate(&to) == STRIA_OK && stria__evaluate(&from) == STRIA_OK)
        answer = written(stria_copy(to.outputs[0], from.outputs[0], NULL), failure);
    stria__evaluation_end(&to);
    stria__evaluation_end(&from);
    return answer;
}

static json_t *answer_fill(const char *dst, const json_t *item, const struct inputs *inputs,
                           struct failure *failure)
{
    struct evaluation to = inputs_evaluation(dst, inputs, failure);
    json_t *answer = NULL;
    if (stria__evaluate(&to) == STRIA_OK) {
        stria_buffer *bytes = buffer_of(json_string_value(item), json_string_length(item));
        answer = written(stria_fill_item(to.outputs[0], stria_buffer_data(bytes), NULL), failure);
        stria_buffer_release(bytes);
    }
    stria__evaluation_end(&to);
    return answer;
}

static void answer(json_t *request)
{
    struct failure failure = {0};
    struct inputs inputs = {0};
    const char *expr = json_string_value(json_object_get(request, "expr"));
    const char *dst = json_string_value(json_object_get(request, "dst"));
    const char *src = json_string_value(json_object_get(request, "src"));
    const json_t *item = json_object_get(request, "fill");
    json_t *result = NULL;
    if (read_inputs(&inputs, request, &failure) == STRIA_OK)
        result = expr   ? answer_chain(expr, &inputs, &failure)
                 : item ? answer_fill(dst, item, &inputs, &failure)
                        : answer_assignment(dst, src, &inputs, &failure);
    const bool refused = !result;
    if (refused) result = json_failure(&failure, NULL);
    if ((dst || refused) && inputs.count) {
        const stria_buffer *memory = inputs.items[0].array.owned;
        json_put(result, "memory", hex_of(stria_buffer_data(memory), stria_buffer_size(memory)));
    }
    json_print(result);
    inputs_free(&inputs);
}

int main(void)
{
    json_error_t error;
    json_t *request;
    while ((request = json_loadf(stdin, JSON_DISABLE_EOF_CHECK, &error))) {
        answer(request);
        json_decref(request);
    }
    return 0;
}
