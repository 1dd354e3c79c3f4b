/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be asked of a function: its forms, and its signatures as Python writes them. */
#include <stdio.h>
#include <string.h>

#include "lookup.h"
#include "origins.h"
#include "status.h"

int stria_function_forms(const stria_function *function)
{
    return function ? function->count : 0;
}

static const struct form *form_at(const stria_function *function, int i)
{
    return function && i >= 0 && i < function->count ? function->forms[i] : NULL;
}

static stria_gives gives(const struct form *form)
{
    if (form->views) return STRIA_GIVES_VIEWS;
    return stria__registry_answers(form->row) ? STRIA_GIVES_ANSWER : STRIA_GIVES_ARRAYS;
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
                        .theme = form->theme,
                        .parameters = form->signature.count,
                        .origins = stria__origins(form->row, function->name),
                        .gives = function->copied ? STRIA_GIVES_ARRAYS : gives(form),
                        .copied = function->copied,
                        .attribute = form->signature.attribute,
                        .method = form->signature.self,
                        .by_torch_only = form->row->world == WORLD_TORCH,
                        .by_numpy_only = form->row->world == WORLD_NUMPY};
    return STRIA_OK;
}

/* Text that grows, of which as much is kept as there is room for. */
struct growing {
    char *text;
    size_t size, used;
};

static void add(struct growing *g, struct text_span span)
{
    const size_t room = g->size > g->used ? g->size - g->used - 1 : 0;
    const size_t n = span.length < room ? span.length : room;
    if (n) memcpy(g->text + g->used, span.text, n);
    if (g->size) g->text[n ? g->used + n : g->used < g->size ? g->used : g->size - 1] = 0;
    g->used += span.length;
}

static void add_text(struct growing *g, const char *text)
{
    add(g, (struct text_span){text, strlen(text)});
}

size_t stria_function_name(char *text, size_t size, const stria_function *function)
{
    struct growing g = {text, text ? size : 0, 0};
    add(&g, function ? function->name : (struct text_span){"", 0});
    return g.used;
}

size_t stria_function_signature(char *text, size_t size, const stria_function *function, int i)
{
    struct growing g = {text, text ? size : 0, 0};
    const struct form *const form = form_at(function, i);
    add(&g, form ? function->name : (struct text_span){"", 0});
    if (!form || form->signature.attribute) return g.used;
    add_text(&g, "(");
    for (int k = 0; k < form->signature.count; k++) {
        const struct param *const param = &form->signature.params[k];
        add_text(&g, k ? ", " : "");
        add_text(&g, param->variadic ? "*" : "");
        add(&g, stria__span_first(param->names));
        if (!param->optional || param->variadic) continue;
        add_text(&g, "=");
        add(&g, param->fallback);
    }
    add_text(&g, ")");
    return g.used;
}

bool stria_function_suggest(const char *name, char *text, size_t size)
{
    if (text && size) *text = 0;
    return name && text && size && stria__registry_suggest(name, text, size) != NULL;
}
