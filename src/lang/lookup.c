/* SPDX-License-Identifier: BSD-3-Clause */
#include "lookup.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "io/heap_sort.h"

/* Of all rows at most; test_call.c sees that they are enough. */
enum { FORMS = 640, NAMES = 2000, COPIES = 6000 /* characters */ };

static struct {
    struct form forms[FORMS];
    const struct form *named[NAMES];
    stria_function functions[NAMES];
    char copies[COPIES]; /* the names of functions that end in _copy */
    size_t nforms, nnamed, nfunctions, ncopies;
} all;
static pthread_once_t made = PTHREAD_ONCE_INIT;

struct named_form {
    struct text_span name;
    const struct form *form;
    bool copied;
};

static int compare_names(struct text_span a, struct text_span b)
{
    const size_t n = a.length < b.length ? a.length : b.length;
    const int order = memcmp(a.text, b.text, n);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* By name, what a row has before copies, then in the order of the registry. */
static bool before(const void *left, const void *right)
{
    const struct named_form *const a = left, *const b = right;
    const int order = compare_names(a->name, b->name);
    if (order || a->copied != b->copied) return order ? order < 0 : b->copied;
    return a->form < b->form;
}

/* Makes NAME_copy; nothing where there is no room. */
static struct text_span copy_name(struct text_span name)
{
    static const char suffix[] = "_copy";
    const struct text_span copy = {all.copies + all.ncopies, name.length + sizeof suffix - 1};
    if (copy.length > COPIES - all.ncopies) return (struct text_span){suffix, 0};
    memcpy(all.copies + all.ncopies, name.text, name.length);
    memcpy(all.copies + all.ncopies + name.length, suffix, sizeof suffix - 1);
    all.ncopies += copy.length;
    return copy;
}

/* Lists the form under each of its names, and copies of what it makes. */
static void list_form(struct named_form *list, const struct form *form)
{
    struct text_span rest = form->signature.names;
    const bool twins = form->views && !form->signature.attribute;
    while (rest.length && all.nnamed + 1 < NAMES) {
        const struct text_span name = stria__span_first(rest);
        const size_t step = name.length + (name.length < rest.length);
        list[all.nnamed++] = (struct named_form){name, form, false};
        if (twins) list[all.nnamed++] = (struct named_form){copy_name(name), form, true};
        rest.text += step;
        rest.length -= step;
    }
}

/* The operation that the form is where it is given operands alone, into new memory; -1: none. */
static int operation_of(struct text_span name, const struct form *form)
{
    const int operation = stria__math_operation(form->row);
    if (operation < 0 || name.text[name.length - 1] == '_') return -1;
    for (int i = stria_op_inputs((stria_op)operation); i < form->signature.count; i++)
        if (!form->signature.params[i].optional) return -1;
    return operation;
}

/* Gives the form to the function of its name, which is the last one or new. */
static void add_form(const struct named_form *one, size_t at)
{
    stria_function *const last = all.nfunctions ? &all.functions[all.nfunctions - 1] : NULL;
    const bool same = last && compare_names(last->name, one->name) == 0;
    if (same && last->copied != one->copied) return;
    all.named[at] = one->form;
    if (same) {
        last->count++;
        return;
    }
    all.functions[all.nfunctions++] = (stria_function){
        one->name, 1, one->copied, operation_of(one->name, one->form), &all.named[at]};
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
    for (size_t i = 0; i < all.nnamed; i++)
        add_form(&list[i], i);
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
    const stria_function *const found =
        bsearch(&key, all.functions, all.nfunctions, sizeof *all.functions, compare_key);
    return found ? found : stria__user_function(name, length);
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
