/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions by name. The names of all rows are hashed when the first function is looked for, which
 * takes 0.1 ms. A function is made when it is first found: only then the signatures of its forms
 * are read.
 */
#include "registry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/heap_sort.h"

/* Limits of all rows together; test_call.c sees that they are enough. */
enum { FORMS = 640, NAMES = 2000, SLOTS = 4096, COPIES = 6000 /* characters */ };

/* A name of a row, and the next row of that name in the order of the registry. Places count from 1.
 */
struct name {
    const char *text;
    uint16_t length, form;
    uint16_t next, last;       /* places of names; last: of the first of them */
    _Atomic(uint16_t) made[2]; /* places of functions, of the first of them; [1]: NAME_copy */
};

static struct {
    struct name names[NAMES];
    uint16_t slots[SLOTS]; /* places of names */
    struct form forms[FORMS];
    const struct form *named[NAMES];
    stria_function functions[NAMES];
    const stria_function *ordered[NAMES];
    char copies[COPIES]; /* the names of functions that end in _copy */
    size_t nnames, nnamed, nfunctions, ncopies, nordered;
} all;
static pthread_once_t named = PTHREAD_ONCE_INIT, ordered = PTHREAD_ONCE_INIT;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static const char copy_suffix[] = "_copy";
enum { COPY_SUFFIX = sizeof copy_suffix - 1 };

static struct text_span text_of(const struct name *name)
{
    return (struct text_span){name->text, name->length};
}

static struct form *form_of(const struct name *name)
{
    return &all.forms[name->form];
}

static struct name *next_of(const struct name *name)
{
    return name->next ? &all.names[name->next - 1] : NULL;
}

/* Finds the slot that has the place of the name, or an empty one. */
static uint16_t *slot_of(struct text_span text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.text[i]) * 16777619u;
    for (hash ^= hash >> 15;; hash++) {
        uint16_t *const slot = &all.slots[hash % SLOTS];
        if (!*slot) return slot;
        const struct name *const name = &all.names[*slot - 1];
        if (name->length == text.length && !memcmp(name->text, text.text, text.length)) return slot;
    }
}

/* The first name of that text, or NULL. */
static struct name *find_function(struct text_span text)
{
    const uint16_t place = *slot_of(text);
    return place ? &all.names[place - 1] : NULL;
}

static void add_name(struct text_span text, uint16_t form)
{
    uint16_t *const slot = slot_of(text), place = (uint16_t)++all.nnames;
    struct name *const first = *slot ? &all.names[*slot - 1] : &all.names[place - 1];
    all.names[place - 1] =
        (struct name){.text = text.text, .length = (uint16_t)text.length, .form = form};
    if (*slot)
        all.names[first->last - 1].next = place;
    else
        *slot = place;
    first->last = place;
}

static void add_all_names(void)
{
    const struct function *row;
    for (uint16_t i = 0; i < FORMS && (row = stria__registry_row(i)); i++) {
        struct text_span names = stria__signature_names(row->signature);
        all.forms[i] = (struct form){.row = row, .theme = stria__registry_theme(row)};
        while (names.length && all.nnames < NAMES)
            add_name(stria__span_take(&names), i);
    }
}

/* Results of the form are copied by NAME_copy: they are views, and it is no attribute. */
static bool has_copies(const struct form *form)
{
    const struct text_span names = stria__signature_names(form->row->signature);
    return names.text[names.length] && stria__form_is_views(form);
}

static const struct form *read_form(struct form *form)
{
    const struct function *const row = form->row;
    if (form->signature.names.text) return form; /* others may be reading it */
    (void)stria__signature_read(&form->signature, row->signature);
    form->waits = row->waits;
    return form;
}

/* NAME_copy, empty where there is no room. */
static struct text_span copy_name(struct text_span name)
{
    const struct text_span copy = {all.copies + all.ncopies, name.length + COPY_SUFFIX};
    if (copy.length > COPIES - all.ncopies) return (struct text_span){copy_suffix, 0};
    memcpy(all.copies + all.ncopies, name.text, name.length);
    memcpy(all.copies + all.ncopies + name.length, copy_suffix, COPY_SUFFIX);
    all.ncopies += copy.length;
    return copy;
}

/* The operation that the form is where it is given operands alone, into new memory; -1: none. */
static int operation_of(struct text_span name, const struct form *form)
{
    const int operation = form->row->operation;
    if (operation < 0 || name.text[name.length - 1] == '_') return -1;
    for (int i = stria_op_inputs((stria_op)operation); i < form->signature.count; i++)
        if (!form->signature.params[i].optional) return -1;
    return operation;
}

/* Makes a function; 0 where no form is copied. */
static uint16_t make(const struct name *first, bool copied)
{
    const struct form **const forms = &all.named[all.nnamed];
    int count = 0;
    for (const struct name *name = first; name; name = next_of(name))
        if (!copied || has_copies(form_of(name))) forms[count++] = read_form(form_of(name));
    if (count == 0) return 0;
    all.nnamed += (size_t)count;
    all.functions[all.nfunctions++] =
        (stria_function){copied ? copy_name(text_of(first)) : text_of(first), count, copied,
                         operation_of(text_of(first), forms[0]), forms};
    return (uint16_t)all.nfunctions;
}

static const stria_function *function_of(struct name *first, bool copied)
{
    uint16_t place = atomic_load_explicit(&first->made[copied], memory_order_acquire);
    if (!place) {
        (void)pthread_mutex_lock(&making);
        place = atomic_load_explicit(&first->made[copied], memory_order_relaxed);
        if (!place) place = make(first, copied);
        atomic_store_explicit(&first->made[copied], place, memory_order_release);
        (void)pthread_mutex_unlock(&making);
    }
    return place ? &all.functions[place - 1] : NULL;
}

const stria_function *stria__lookup(const char *name, size_t length)
{
    (void)pthread_once(&named, add_all_names);
    struct name *const first = find_function((struct text_span){name, length});
    if (first) return function_of(first, false);
    const stria_function *copy = NULL;
    if (length > COPY_SUFFIX && !memcmp(name + length - COPY_SUFFIX, copy_suffix, COPY_SUFFIX)) {
        struct name *const of = find_function((struct text_span){name, length - COPY_SUFFIX});
        if (of) copy = function_of(of, true);
    }
    return copy ? copy : stria__user_function(name, length);
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

/* Makes all functions. Where a row has NAME_copy there is no other one. */
static void order_all(void)
{
    (void)pthread_once(&named, add_all_names);
    for (size_t i = 0; i < all.nnames; i++) {
        struct name *const first = &all.names[i];
        if (find_function(text_of(first)) != first) continue;
        all.ordered[all.nordered++] = function_of(first, false);
        const stria_function *const copy = function_of(first, true);
        if (copy && !find_function(copy->name)) all.ordered[all.nordered++] = copy;
    }
    stria__heap_sort(all.ordered, (int64_t)all.nordered, sizeof *all.ordered, before);
}

size_t stria_function_count(void)
{
    (void)pthread_once(&ordered, order_all);
    return all.nordered;
}

const stria_function *stria_function_at(size_t i)
{
    return i < stria_function_count() ? all.ordered[i] : NULL;
}
