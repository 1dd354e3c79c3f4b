/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions by name. All signatures are read, and all names hashed, when the first function is
 * looked for, which takes a quarter of a millisecond.
 */
#include "registry.h"

#include <pthread.h>
#include <string.h>

#include "base/heap_sort.h"

/* Limits of all rows together; test_call.c checks that they suffice. */
enum { FORMS = 720, NAMES = 2000, SLOTS = 8192, COPIES = 6000 /* COPIES counts characters. */ };

static struct {
    struct form forms[FORMS];
    const struct form *named[2 * NAMES]; /* The forms of each function, side by side. */
    stria_function functions[NAMES];
    const stria_function *ordered[NAMES];
    uint16_t slots[SLOTS]; /* Numbers of functions, counted from 1. */
    char copies[COPIES];   /* The names of functions that end in _copy. */
    size_t nforms, nnamed, nfunctions, ncopies;
} all;
static pthread_once_t made = PTHREAD_ONCE_INIT, ordered = PTHREAD_ONCE_INIT;

/* Finds the slot that has the number of the function of that name, or an empty one. */
static uint16_t *slot_of(struct text_span text)
{
    uint32_t hash = stria__name_number(text);
    for (hash ^= hash >> 15;; hash++) {
        uint16_t *const slot = &all.slots[hash % SLOTS];
        if (!*slot) return slot;
        const struct text_span name = all.functions[*slot - 1].name;
        if (name.length == text.length && !memcmp(name.text, text.text, text.length)) return slot;
    }
}

/* Returns the function of that name; makes it if there is none. */
static stria_function *function_of(struct text_span name, bool copied)
{
    uint16_t *const slot = slot_of(name);
    if (!*slot) {
        all.functions[all.nfunctions++] = (stria_function){.name = name, .copied = copied};
        *slot = (uint16_t)all.nfunctions;
    }
    return &all.functions[*slot - 1];
}

/* Gives a function its next form; its forms were counted before, so that they have their places. */
static void add_form(stria_function *function, const struct form *form)
{
    all.named[function->forms - all.named + function->count++] = form;
}

/* Visits each name of each form in the order of the registry. */
static void for_each_name(void (*visit)(stria_function *function, const struct form *form))
{
    for (size_t i = 0; i < all.nforms; i++)
        for (struct text_span names = all.forms[i].signature.names; names.length;)
            visit(function_of(stria__span_take(&names), false), &all.forms[i]);
}

static void count_form(stria_function *function, const struct form *form)
{
    (void)form;
    function->count++;
}

/* Tells whether NAME_copy copies the results of the form: if they are views and it is no
 * attribute. */
static bool has_copies(const struct form *form)
{
    return stria__form_is_views(form) && !form->signature.attribute;
}

/* Makes NAME_copy of a function if a form of it gives views and no row has that name. */
static void add_copy(const stria_function *function)
{
    static const char suffix[] = "_copy";
    const struct text_span name = {all.copies + all.ncopies,
                                   function->name.length + sizeof suffix - 1};
    bool any = false;
    for (int i = 0; i < function->count; i++)
        any |= has_copies(function->forms[i]);
    if (!any || name.length > COPIES - all.ncopies) return;
    memcpy(all.copies + all.ncopies, function->name.text, function->name.length);
    memcpy(all.copies + all.ncopies + function->name.length, suffix, sizeof suffix - 1);
    if (*slot_of(name)) return;
    all.ncopies += name.length;
    stria_function *const copy = function_of(name, true);
    copy->forms = all.named + all.nnamed;
    for (int i = 0; i < function->count; i++)
        if (has_copies(function->forms[i])) add_form(copy, function->forms[i]);
    all.nnamed += (size_t)copy->count;
}

/* Returns the operation that a call with operands alone computes into new memory; -1: none. */
static int operation_of(const stria_function *function)
{
    const struct form *const form = function->forms[0];
    const int operation = form->row->operation;
    if (operation < 0 || function->name.text[function->name.length - 1] == '_') return -1;
    for (int i = stria_op_inputs((stria_op)operation); i < form->signature.count; i++)
        if (!form->signature.params[i].optional) return -1;
    return operation;
}

static void make_all(void)
{
    const struct function *row;
    for (; all.nforms < FORMS && (row = stria__registry_row(all.nforms)); all.nforms++) {
        struct form *const form = &all.forms[all.nforms];
        *form = (struct form){.row = row, .theme = stria__registry_theme(row), .waits = row->waits};
        (void)stria__signature_read(&form->signature, row->signature);
    }
    for_each_name(count_form);
    const size_t rows = all.nfunctions;
    for (size_t i = 0; i < rows; i++) {
        all.functions[i].forms = all.named + all.nnamed;
        all.nnamed += (size_t)all.functions[i].count;
        all.functions[i].count = 0;
    }
    for_each_name(add_form);
    for (size_t i = 0; i < rows; i++)
        add_copy(&all.functions[i]);
    for (size_t i = 0; i < all.nfunctions; i++)
        all.functions[i].operation = operation_of(&all.functions[i]);
}

const stria_function *stria__lookup(const char *name, size_t length)
{
    (void)pthread_once(&made, make_all);
    const uint16_t place = *slot_of((struct text_span){name, length});
    return place ? &all.functions[place - 1] : stria__user_function(name, length);
}

const stria_function *stria_function_find(const char *name)
{
    return name ? stria__lookup(name, strlen(name)) : NULL;
}

static bool before(const void *left, const void *right)
{
    const struct text_span a = (*(const stria_function *const *)left)->name,
                           b = (*(const stria_function *const *)right)->name;
    const int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
    return order ? order < 0 : a.length < b.length;
}

static void order_all(void)
{
    (void)pthread_once(&made, make_all);
    for (size_t i = 0; i < all.nfunctions; i++)
        all.ordered[i] = &all.functions[i];
    stria__heap_sort(all.ordered, (int64_t)all.nfunctions, sizeof *all.ordered, before);
}

size_t stria_function_count(void)
{
    (void)pthread_once(&ordered, order_all);
    return all.nfunctions;
}

const stria_function *stria_function_at(size_t i)
{
    return i < stria_function_count() ? all.ordered[i] : NULL;
}
