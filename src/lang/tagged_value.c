/* SPDX-License-Identifier: BSD-3-Clause */
#include "tagged_value.h"

#include <stdio.h>
#include <string.h>

#include "stria/copy.h"

const char *stria__value_describe(const struct value *value, char *text)
{
#define TEXT(kind, text) text,
    static const char *const names[] = {VALUE_KINDS(TEXT)};
    const char *what = stria__value_is_arrays(value) ? " arrays" : "";
    if (stria__value_is_sequence(value))
        (void)snprintf(text, VALUE_TEXT, "%s of %zu%s", names[value->kind], value->list.count,
                       what);
    else if (value->kind == VALUE_INT && !value->huge)
        (void)snprintf(text, VALUE_TEXT, "the int %lld", (long long)value->integer);
    else if (value->kind == VALUE_STRING)
        (void)snprintf(text, VALUE_TEXT, "the string '%.30s'", value->string.text);
    else if (value->kind == VALUE_ARRAY)
        (void)snprintf(text, VALUE_TEXT, "an array of %d dims", (int)value->view->ndim);
    else
        (void)snprintf(text, VALUE_TEXT, "%s", names[value->kind]);
    return text;
}

bool stria__value_is_arrays(const struct value *value)
{
    if (!stria__value_is_sequence(value)) return false;
    for (size_t i = 0; i < value->list.count; i++)
        if (value->list.items[i].kind != VALUE_ARRAY) return false;
    return value->list.count > 0;
}

static bool is_integer(stria_dtype dtype)
{
    return dtype.kind <= STRIA_U64;
}

stria_status stria__value_integers(const int64_t **out, int64_t *count, const stria_view *view,
                                   struct pool *pool, size_t at, struct failure *failure)
{
    if (!is_integer(view->dtype))
        return stria__fail_at(failure, STRIA_ERR_DTYPE, at,
                              "an array of integers expected: its dtype is not one of them");
    if (stria_buffer_is_meta(view->buffer))
        return stria__fail_at(failure, STRIA_ERR_UNSUPPORTED, at,
                              "the values of this array are needed, and only its shape is known");
    const int64_t n = stria_numel(view), most = 1 << 24;
    if (n > most)
        return stria__fail_at(failure, STRIA_ERR_UNSUPPORTED, at,
                              "an argument of %lld integers is too long; at most %lld",
                              (long long)n, (long long)most);
    TAKE_ARRAY(int64_t, values, pool, (size_t)n);
    stria_view to;
    stria_status status = stria_view_foreign(&to, values, stria_dtype_of(STRIA_I64), view->ndim,
                                             view->shape, NULL, 0);
    if (status == STRIA_OK) status = stria_copy(&to, view, NULL);
    if (status != STRIA_OK) return stria__fail_library(failure, status, at);
    for (int64_t i = 0; view->dtype.kind == STRIA_U64 && i < n; i++)
        /* The largest integer stands for what does not fit. */
        if (values[i] < 0) values[i] = INT64_MAX;
    *out = values;
    *count = n;
    return STRIA_OK;
}

stria_status stria__value_integer(int64_t *out, const struct value *array, struct pool *pool,
                                  struct failure *failure)
{
    const int64_t *numbers = NULL;
    int64_t count;
    STRIA_TRY(stria__value_integers(&numbers, &count, array->view, pool, array->at, failure));
    *out = numbers[0];
    return STRIA_OK;
}
