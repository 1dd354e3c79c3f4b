/* SPDX-License-Identifier: BSD-3-Clause */
#include "lookup.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "io/heap_sort.h"

enum { FORMS = 640, NAMES = 1600 }; /* of all rows at most; test_call.c sees that they are enough */

static struct {
    struct form forms[FORMS];
    const struct form *named[NAMES];
    stria_function functions[NAMES];
    size_t nforms, nnamed, nfunctions;
} all;
static pthread_once_t made = PTHREAD_ONCE_INIT;

struct named_form {
    struct text_span name;
    const struct form *form;
};

static int compare_names(struct text_span a, struct text_span b)
{
    const size_t n = a.length < b.length ? a.length : b.length;
    const int order = memcmp(a.text, b.text, n);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* By name, then in the order of the registry. */
static bool before(const void *left, const void *right)
{
    const struct named_form *const a = left, *const b = right;
    const int order = compare_names(a->name, b->name);
    return order ? order < 0 : a->form < b->form;
}

/* Lists the form under each of its names. */
static void list_form(struct named_form *list, const struct form *form)
{
    struct text_span rest = form->signature.names;
    while (rest.length && all.nnamed < NAMES) {
        const struct text_span name = stria__span_first(rest);
        const size_t step = name.length + (name.length < rest.length);
        list[all.nnamed++] = (struct named_form){name, form};
        rest.text += step;
        rest.length -= step;
    }
}

static void make(void)
{
    static struct named_form list[NAMES];
    const struct function *row;
    for (size_t i = 0; (row = stria__registry_row(i)) && all.nforms < FORMS; i++) {
        struct form *const form = &all.forms[all.nforms];
        if (!stria__signature_read(&form->signature, row->signature)) continue;
        form->row = row;
        form->theme = stria__registry_theme(row);
        form->waits = stria__registry_waiting(row);
        form->views = stria__registry_is_view(row);
        all.nforms++;
        list_form(list, form);
    }
    stria__heap_sort(list, (int64_t)all.nnamed, sizeof *list, before);
    for (size_t i = 0; i < all.nnamed; i++) {
        all.named[i] = list[i].form;
        if (i && compare_names(list[i - 1].name, list[i].name) == 0) {
            all.functions[all.nfunctions - 1].count++;
            continue;
        }
        const struct text_span name = list[i].name;
        const bool in_place = name.text[name.length - 1] == '_';
        const int operation = in_place ? -1 : stria__math_operation(list[i].form->row);
        all.functions[all.nfunctions++] = (stria_function){name, 1, operation, &all.named[i]};
    }
}

static void make_once(void)
{
    (void)pthread_once(&made, make);
}

static int compare_key(const void *key, const void *function)
{
    const struct text_span *const name = key;
    return compare_names(*name, ((const stria_function *)function)->name);
}

const stria_function *stria__lookup(const char *name, size_t length)
{
    const struct text_span key = {name, length};
    make_once();
    return bsearch(&key, all.functions, all.nfunctions, sizeof *all.functions, compare_key);
}

const stria_function *stria_function_find(const char *name)
{
    return name ? stria__lookup(name, strlen(name)) : NULL;
}

size_t stria_function_count(void)
{
    make_once();
    return all.nfunctions;
}

const stria_function *stria_function_at(size_t i)
{
    return i < stria_function_count() ? &all.functions[i] : NULL;
}
