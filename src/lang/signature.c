/* SPDX-License-Identifier: BSD-3-Clause */
#include "signature.h"

#include <string.h>

#define TEXT(type, text) text "|"
static const char type_names[] = PARAM_TYPES(TEXT);

/* Finds the name among alternatives. Names are short, so that a loop beats calls of memchr. */
int stria__span_place(struct text_span names, struct text_span name)
{
    size_t at = 0;
    for (int i = 0; at < names.length; i++, at++) {
        const size_t from = at;
        while (at < names.length && names.text[at] != '|')
            at++;
        if (at - from == name.length && !memcmp(names.text + from, name.text, name.length))
            return i;
    }
    return -1;
}

bool stria__span_has(struct text_span names, const char *name)
{
    return stria__span_place(names, (struct text_span){name, strlen(name)}) >= 0;
}

uint32_t stria__name_number(struct text_span name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < name.length; i++)
        hash = (hash ^ (unsigned char)name.text[i]) * 16777619u;
    return hash ? hash : 1;
}

int stria__choice(const char *names, const char *text)
{
    return stria__span_place((struct text_span){names, strlen(names)},
                             (struct text_span){text, strlen(text)});
}

struct text_span stria__span_first(struct text_span names)
{
    const char *bar = memchr(names.text, '|', names.length);
    if (bar) names.length = (size_t)(bar - names.text);
    return names;
}

struct text_span stria__span_take(struct text_span *names)
{
    const struct text_span first = stria__span_first(*names);
    const size_t step = first.length + (first.length < names->length);
    names->text += step;
    names->length -= step;
    return first;
}

/* Takes the text up to one of the stops, at which the cursor stays. */
static struct text_span take_span(const char **at, const char *stops)
{
    const struct text_span span = {*at, strcspn(*at, stops)};
    *at += span.length;
    return span;
}

static bool read_type(struct param *param, const char **at)
{
    const struct text_span name = take_span(at, "?=,)");
    const int type = stria__span_place((struct text_span){type_names, sizeof type_names - 1}, name);
    if (type < 0) return false;
    param->type = (enum param_type)type;
    param->none = **at == '?';
    *at += param->none;
    return true;
}

static bool read_param(struct param *param, const char **at)
{
    *param = (struct param){.type = TYPE_ARRAY};
    if (**at == '*') {
        param->variadic = true;
        ++*at;
    }
    param->names = take_span(at, ":=,)");
    if (!param->names.length) return false;
    struct text_span names = param->names;
    for (int i = 0; names.length; i++) {
        if (i == PARAM_NAMES) return false;
        param->numbers[i] = stria__name_number(stria__span_take(&names));
    }
    if (**at == ':') {
        ++*at;
        if (!read_type(param, at)) return false;
    }
    if (**at == '=') {
        ++*at;
        param->optional = true;
        param->fallback = take_span(at, ",)");
    }
    return true;
}

struct text_span stria__signature_names(const char *text)
{
    return take_span(&text, "(");
}

bool stria__signature_read(struct signature *out, const char *text)
{
    *out = (struct signature){.names = take_span(&text, "(")};
    out->name = stria__span_first(out->names);
    if (!*text) {
        out->attribute = out->self = true;
        out->params[out->count++] = (struct param){.names = {"self", 4}};
        return out->names.length > 0;
    }
    text++;
    while (*text && *text != ')') {
        if (out->count == MAX_PARAMS || !read_param(&out->params[out->count], &text)) return false;
        out->count++;
        text += strspn(text, ", ");
    }
    out->self = out->count > 0 && stria__span_has(out->params[0].names, "self");
    return *text == ')' && !text[1];
}
