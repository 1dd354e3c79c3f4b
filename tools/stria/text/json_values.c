/* SPDX-License-Identifier: BSD-3-Clause */
#include "json_values.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#include "must.h"
#include "report.h"
#include "stria/machine.h"

static json_t *made(json_t *value)
{
    if (value) return value;
    (void)fputs("stria: out of memory, or text that is not UTF-8\n", stderr);
    exit(failed_status());
}

void json_put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, made(value))) (void)made(NULL);
}

json_t *json_of(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    json_t *const value = json_vpack_ex(NULL, 0, format, values);
    va_end(values);
    return made(value);
}

static void append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, made(value))) (void)made(NULL);
}

/* Makes a string. Text may quote bytes of a file; bytes that are no UTF-8 become '?'. */
json_t *json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string) return string;
    const size_t length = strlen(text);
    char *clean = must_malloc(length + 1);
    for (size_t i = 0; i <= length; i++)
        clean[i] = (unsigned char)text[i] < 128 ? text[i] : '?';
    string = json_string(clean);
    free(clean);
    return string;
}

json_t *json_dtype(stria_dtype dtype)
{
    struct pool pool = {0};
    json_t *text = json_text(dtype_text(dtype, &pool));
    stria__pool_free(&pool);
    return text;
}

json_t *json_integers(const int64_t *values, int n)
{
    json_t *array = made(json_array());
    for (int i = 0; i < n; i++)
        append(array, json_integer(values[i]));
    return array;
}

json_t *json_float(double x)
{
    if (isnan(x)) return json_null();
    return isinf(x) ? json_string(x > 0 ? "inf" : "-inf") : json_real(x);
}

static void put_geometry(json_t *object, const struct array_geometry *g)
{
    const uint32_t class = g->flags & STRIA_CLASS_MASK;
    json_put(object, "dtype", json_dtype(g->dtype));
    json_put(object, "shape", json_integers(g->shape, g->ndim));
    json_put(object, "strides", json_integers(g->strides, g->ndim));
    json_put(object, "offset", json_integer(g->offset));
    json_put(object, "conj", json_boolean(g->flags & STRIA_CONJ));
    json_put(object, "neg", json_boolean(g->flags & STRIA_NEG));
    if (class == STRIA_CLASS_MATRIX) json_put(object, "class", json_string("matrix"));
    if (class == STRIA_CLASS_RECARRAY) json_put(object, "class", json_string("recarray"));
}

json_t *json_failure(const struct failure *failure, const char *source)
{
    char text[sizeof failure->message + 400];
    return json_of(
        "{s:b,s:{s:s,s:o}}", "ok", false, "error", "code", stria_status_name(failure->code),
        "message",
        json_text(source ? failure_text(failure, source, text, sizeof text) : failure->message));
}

static json_t *json_math(const struct math *math)
{
    json_t *const operands = made(json_array());
    for (int i = 0; i < math->count; i++)
        append(operands, json_of("{s:o,s:b}", "dtype", json_dtype(math->operands[i]->dtype), "weak",
                                 (math->operands[i]->flags & STRIA_WEAK) != 0));
    const bool numpy = math->rule == STRIA_PROMOTE_NUMPY;
    return json_of("{s:s,s:s*,s:s,s:o,s:o,s:s}", "op", stria__math_name(math), "subscripts",
                   math->subscripts, "rules", numpy ? "numpy" : "torch", "operands", operands,
                   "dtype", json_dtype(math->promoted), "how", math->how);
}

static json_t *json_step(const struct step *step)
{
    json_t *const object = made(json_object());
    json_put(object, "op", json_string(step->op));
    json_put(object, "kind", json_string(stria__outcome_name(step->kind)));
    if (step->count) put_geometry(object, &step->outs[0]);
    if (step->math) json_put(object, "math", json_math(step->math));
    if (step->how) json_put(object, "how", json_string(step->how));
    if (!step->many) return object;
    json_t *const outs = made(json_array());
    for (size_t i = 0; i < step->count; i++) {
        json_t *const out = made(json_object());
        put_geometry(out, &step->outs[i]);
        append(outs, out);
    }
    json_put(object, "outputs", outs);
    return object;
}

static json_t *json_output(struct evaluation *e, const stria_view *view)
{
    json_t *const object = made(json_object());
    const struct array_geometry g = geometry_of(e, view);
    put_geometry(object, &g);
    json_put(object, "alias", g.alias ? json_string(g.alias) : json_null());
    json_put(object, "nbytes", json_integer(stria_nbytes(view)));
    return object;
}

/* Makes a number. JSON has no infinity, no complex number and no integer beyond int64_t: they
 * become text. */
static json_t *json_number(const struct value *number)
{
    char text[NUMBER_TEXT];
    if (number->kind == VALUE_INT && !number->huge) return json_integer(number->integer);
    if (number->kind == VALUE_FLOAT && number->number.real - number->number.real == 0)
        return json_real(number->number.real);
    return json_string(answer_number(number, text));
}

json_t *json_answer(const struct value *value)
{
    if (value->kind == VALUE_BOOL) return json_boolean(value->truth);
    if (value->kind == VALUE_DTYPE) return json_dtype(value->dtype);
    if (value->kind == VALUE_STRING) return json_string(value->string.text);
    if (stria__value_is_number(value)) return json_number(value);
    json_t *numbers = made(json_array());
    for (size_t i = 0; i < value->list.count; i++)
        append(numbers, json_integer(value->list.items[i].integer));
    return numbers;
}

json_t *json_evaluation(struct evaluation *e)
{
    json_t *const steps = made(json_array()), *const outs = made(json_array());
    for (const struct step *step = e->first; step; step = step->next)
        append(steps, json_step(step));
    for (size_t i = 0; i < e->count; i++)
        append(outs, json_output(e, e->outputs[i]));
    return json_of("{s:b,s:o,s:o,s:o*}", "ok", true, "steps", steps, "outputs", outs, "answer",
                   e->answer ? json_answer(e->answer) : NULL);
}

stria_status json_plan(json_t **out, const struct evaluation *e)
{
    struct materialization m;
    const stria_status status = materialization_plan(&m, e);
    if (status == STRIA_ERR_MEMORY) return stria__fail_library(e->failure, status, NO_PLACE);
    *out = json_null();
    if (status != STRIA_OK) return STRIA_OK;
    json_t *const dims = made(json_array());
    for (int i = 0; i < m.plan.nest.ndim; i++) {
        const stria_dim *const d = &m.plan.nest.dims[i];
        append(dims, json_of("{s:I,s:I,s:I}", "n", (json_int_t)d->n, "out", (json_int_t)d->s[0],
                             "in", (json_int_t)d->s[1]));
    }
    *out = json_of("{s:s,s:o,s:f,s:s?,s:f,s:s,s:s,s:I,s:o}", "strategy", m.plan.strategy, "reason",
                   json_text(m.plan.reason), "cycles", m.plan.cycles, "second", m.plan.second,
                   "second_cycles", m.plan.second_cycles, "isa", stria_isa_name(), "numbers",
                   stria_machine_profile(), "bytes", (json_int_t)stria_nbytes(&m.target.view),
                   "dims", dims);
    materialization_end(&m);
    return STRIA_OK;
}

void json_print_to(FILE *file, json_t *object)
{
    if (json_dumpf(object, file, JSON_COMPACT) && !ferror(file)) (void)made(NULL);
    (void)fputc('\n', file);
    json_decref(object);
}

void json_print(json_t *object)
{
    json_print_to(stdout, object);
}

stria_status json_read(json_t **out, const char *path, struct failure *failure)
{
    json_error_t error;
    json_t *value = strcmp(path, "-") == 0 ? json_loadf(stdin, JSON_REJECT_DUPLICATES, &error)
                                           : json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!value && error.line < 0) /* The text of jansson has the path then. */
        return stria__fail_request(failure, STRIA_ERR_IO, "%.300s", error.text);
    if (!value)
        return stria__fail_request(failure, STRIA_ERR_FORMAT, "%.200s: %s, line %d", path,
                                   error.text, error.line);
    *out = value;
    return STRIA_OK;
}
