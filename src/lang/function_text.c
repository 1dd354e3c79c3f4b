/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes functions: their forms, signatures as Python writes them, names close to a misspelled
 * one. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "origins.h"
#include "registry.h"
#include "base/text_writer.h"

int stria_function_forms(const stria_function *function)
{
    return function ? function->count : 0;
}

static const struct form *form_at(const stria_function *function, int i)
{
    return function && i >= 0 && i < function->count ? function->forms[i] : NULL;
}

static bool ends_in_underscore(struct text_span name)
{
    return name.text[name.length - 1] == '_';
}

static bool has_name(const struct param *param, const char *name)
{
    return stria__span_has(param->names, name);
}

/* Finds the options among the parameters. */
static void find_options(stria_form *out, const struct signature *signature)
{
    bool variadic = false;
    out->seed = -1;
    for (int i = 0; i < signature->count; i++) {
        const struct param *const param = &signature->params[i];
        if (has_name(param, "out")) out->takes |= STRIA_TAKES_OUT;
        if (has_name(param, "where")) out->takes |= STRIA_TAKES_WHERE;
        if (has_name(param, "dtype")) out->takes |= STRIA_TAKES_DTYPE;
        if (has_name(param, "seed")) out->seed = variadic ? INT_MAX : i;
        variadic |= param->variadic;
    }
}

stria_status stria_function_form(stria_form *out, const stria_function *function, int i)
{
    const struct form *const form = form_at(function, i);
    if (!out || !form)
        return stria__fail(STRIA_ERR_ARGUMENT, "function_form: %s",
                           !out ? "out is NULL" : "there is no such form");
    *out = (stria_form){.signature = form->row->signature,
                        .doc = form->row->doc,
                        .c = form->row->c,
                        .theme = form->theme->name,
                        .parameters = form->signature.count,
                        .origins = stria__origins(form->row, function->name, function->copied),
                        .gives = function->copied ? STRIA_GIVES_ARRAYS : form->theme->gives,
                        .copied = function->copied,
                        .attribute = form->signature.attribute,
                        .method = form->signature.self,
                        .by_torch_only = form->row->world == WORLD_TORCH,
                        .by_numpy_only = form->row->world == WORLD_NUMPY,
                        .writes = form->theme->writes || ends_in_underscore(function->name),
                        .moves = form->theme->moves,
                        .sparse = form->theme->sparse,
                        .operation = form->row->operation};
    find_options(out, &form->signature);
    return STRIA_OK;
}

stria_status stria_function_parameter(stria_parameter *out, const stria_function *function,
                                      int form, int i)
{
#define TYPE_TEXT(type, text) text,
    static const char *const types[] = {PARAM_TYPES(TYPE_TEXT)};
    const struct form *const of = form_at(function, form);
    if (!out || !of || i < 0 || i >= of->signature.count)
        return stria__fail(STRIA_ERR_ARGUMENT, "function_parameter: %s",
                           !out ? "out is NULL"
                           : of ? "there is no such parameter"
                                : "there is no such form");
    const struct param *const param = &of->signature.params[i];
    *out = (stria_parameter){.names = param->names.text,
                             .type = types[param->type],
                             .fallback = param->optional ? param->fallback.text : NULL,
                             .names_length = (int)param->names.length,
                             .fallback_length = (int)param->fallback.length,
                             .variadic = param->variadic,
                             .none = param->none};
    return STRIA_OK;
}

uint32_t stria_function_parameter_origins(const stria_function *function, int i, const char *name)
{
    const struct form *const form = form_at(function, i);
    for (int k = 0; form && name && k < form->signature.count; k++) {
        const struct param *const param = &form->signature.params[k];
        if (stria__span_has(param->names, name))
            return stria__parameter_origins(form->row, param,
                                            (struct text_span){name, strlen(name)});
    }
    return 0;
}

enum { SUGGESTED = 256 /* bytes that hold any suggestion */ };

/* The room for text, which may be none. */
static stria_status room_of(struct written *out, char *text, size_t size, char *end)
{
    if (!text && size > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "text is NULL, with a size of %zu", size);
    *out = size ? (struct written){text, size, 0} : (struct written){end, 1, 0};
    *out->bytes = 0;
    return STRIA_OK;
}

static stria_status finish(size_t *length, const struct written *to)
{
    if (length) *length = to->used;
    return STRIA_OK;
}

static void put_span(struct written *to, struct text_span span)
{
    stria__print(to, "%.*s", (int)span.length, span.text);
}

stria_status stria_function_name(char *text, size_t size, size_t *length,
                                 const stria_function *function)
{
    char end;
    struct written to;
    STRIA_TRY(room_of(&to, text, size, &end));
    if (function) put_span(&to, function->name);
    return finish(length, &to);
}

stria_status stria_function_signature(char *text, size_t size, size_t *length,
                                      const stria_function *function, int i)
{
    char end;
    struct written to;
    STRIA_TRY(room_of(&to, text, size, &end));
    const struct form *const form = form_at(function, i);
    put_span(&to, form ? function->name : (struct text_span){"", 0});
    if (!form || form->signature.attribute) return finish(length, &to);
    for (int k = 0; k < form->signature.count; k++) {
        const struct param *const param = &form->signature.params[k];
        stria__print(&to, "%s%s", k ? ", " : "(", param->variadic ? "*" : "");
        put_span(&to, stria__span_first(param->names));
        if (!param->optional || param->variadic) continue;
        stria__print(&to, "=");
        put_span(&to, param->fallback);
    }
    stria__print(&to, form->signature.count ? ")" : "()");
    return finish(length, &to);
}

stria_status stria_function_suggest(char *text, size_t size, size_t *length, const char *name)
{
    char end, close[SUGGESTED] = "";
    struct written to;
    STRIA_TRY(room_of(&to, text, size, &end));
    if (name && stria__registry_suggest(name, close, sizeof close)) stria__print(&to, "%s", close);
    return finish(length, &to);
}

/* ---- suggestions ----------------------------------------------------------------------------- */

/* Levenshtein's distance, cut off at the length that a suggestion may differ by. */
static size_t distance(const char *a, struct text_span b)
{
    enum { LONGEST = 40 };
    size_t row[LONGEST + 1];
    const size_t n = strlen(a);
    if (n > LONGEST || b.length > LONGEST) return LONGEST;
    for (size_t j = 0; j <= b.length; j++)
        row[j] = j;
    for (size_t i = 0; i < n; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b.length; j++) {
            const size_t replaced = diagonal + (a[i] != b.text[j]);
            const size_t shorter = row[j] < row[j + 1] ? row[j] : row[j + 1];
            diagonal = row[j + 1];
            row[j + 1] = replaced < shorter + 1 ? replaced : shorter + 1;
        }
    }
    return row[b.length];
}

enum { SUGGESTIONS = 3 };

/* Names that are similar to the one looked for, the closest first. */
struct suggestions {
    struct text_span names[SUGGESTIONS];
    size_t distances[SUGGESTIONS], count;
};

static void suggest(struct suggestions *s, struct text_span name, size_t apart)
{
    size_t at = s->count;
    for (size_t i = 0; i < s->count; i++)
        if (s->names[i].length == name.length && !memcmp(s->names[i].text, name.text, name.length))
            return;
    while (at > 0 && s->distances[at - 1] > apart)
        at--;
    if (at == SUGGESTIONS) return;
    if (s->count < SUGGESTIONS) s->count++;
    for (size_t i = s->count - 1; i > at; i--) {
        s->names[i] = s->names[i - 1];
        s->distances[i] = s->distances[i - 1];
    }
    s->names[at] = name;
    s->distances[at] = apart;
}

const char *stria__registry_suggest(const char *name, char *text, size_t size)
{
    const size_t most = (strlen(name) + 1) / 3;
    struct suggestions s = {.count = 0};
    const struct function *op;
    for (size_t i = 0; (op = stria__registry_row(i)); i++) {
        struct text_span names = stria__signature_names(op->signature);
        while (names.length) {
            const struct text_span one = stria__span_take(&names);
            const size_t d = distance(name, one);
            if (d && d <= most) suggest(&s, one, d);
        }
    }
    struct written to = {text, size, 0};
    for (size_t i = 0; i < s.count; i++) {
        stria__print(&to, "%s", !i ? "" : i + 1 < s.count ? ", " : " or ");
        put_span(&to, s.names[i]);
    }
    return s.count ? text : NULL;
}
