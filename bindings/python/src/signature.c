/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signatures of the registry as Python's inspect module reads them: of names with the same meaning,
 * the one that NumPy and the Array API have, without types.
 */
#include <stdlib.h>
#include <string.h>

#include "functions.h"

/* Text of limited length; what does not fit is left out. */
struct text {
    char data[8192];
    size_t size;
};

static void put_text(struct text *t, const char *data, size_t size)
{
    const size_t left = sizeof t->data - 1 - t->size;
    if (size > left) size = left;
    memcpy(t->data + t->size, data, size);
    t->size += size;
    t->data[t->size] = 0;
}

static void puts_(struct text *t, const char *data)
{
    put_text(t, data, strlen(data));
}

static bool has_name(const stria_parameter *p, const char *name)
{
    const int size = (int)strlen(name);
    for (int at = 0; at < p->names_length;) {
        const int here = (int)strcspn(p->names + at, "|:=,)");
        if (here == size && !memcmp(p->names + at, name, (size_t)size)) return true;
        at += here + 1;
    }
    return false;
}

/* Writes the name that is shown. */
static void put_name(struct text *t, const stria_parameter *p, bool first)
{
    static const char *const preferred[] = {"axis",   "axes", "keepdims", "shape",   "x1", "x2",
                                            "arrays", "x",    "indices",  "repeats", "k"};
    for (size_t i = 0; i < sizeof preferred / sizeof *preferred; i++)
        if (has_name(p, preferred[i])) {
            puts_(t, preferred[i]);
            return;
        }
    const size_t size = strcspn(p->names, "|:=,)");
    if (first && size == 4 && !memcmp(p->names, "self", 4))
        puts_(t, "x");
    else
        put_text(t, p->names, size);
}

/* Writes a default as Python reads it: names of memory formats are strings. */
static void put_value(struct text *t, const stria_parameter *p)
{
    const char c = *p->fallback;
    const bool word = (c >= 'a' && c <= 'z');
    puts_(t, "=");
    if (word) puts_(t, "'");
    put_text(t, p->fallback, (size_t)p->fallback_length);
    if (word) puts_(t, "'");
}

const char *const py_option_names[3] = {"out", "where", "dtype"};

static void put_signature(struct text *t, const struct forms *forms, const stria_form *form,
                          const char *name, bool method, unsigned lacks)
{
    bool optional = false, star = false;
    puts_(t, name);
    puts_(t, "(");
    for (int i = 0; i < form->parameters; i++) {
        stria_parameter parameter;
        const stria_parameter *const p = &parameter;
        if (stria_function_parameter(&parameter, forms->function, (int)(form - forms->form), i))
            break;
        const bool self = i == 0 && has_name(p, "self");
        puts_(t, i ? ", " : "");
        if (self && method) {
            puts_(t, "$self, /");
            continue;
        }
        /* Sizes and dims come as a tuple to a function, and may come one by one to a method. */
        const bool any = !strcmp(p->type, "any");
        const bool many = p->variadic && (method || any || !strcmp(p->type, "arrays"));
        if (many) puts_(t, "*");
        star |= many;
        if (many && !method && !any)
            puts_(t, "arrays");
        else
            put_name(t, p, i == 0);
        if (p->fallback && !many) put_value(t, p);
        optional |= p->fallback && !many;
        if (optional && !p->fallback && !many) puts_(t, "=None"); /* Python needs a default, too. */
        if (self && !many) puts_(t, ", /");
    }
    for (int i = 0; i < 3; i++) {
        if (!(lacks >> i & 1)) continue;
        puts_(t, star ? ", " : ", *, ");
        puts_(t, py_option_names[i]);
        puts_(t, "=None");
        star = true;
    }
    puts_(t, ")\n--\n\n");
}

static const stria_form *main_form(const struct forms *forms)
{
    const stria_form *found = NULL;
    int best = -1;
    for (int i = 0; i < forms->count; i++) {
        const stria_form *const form = &forms->form[i];
        const int score = (form->by_torch_only   ? 0
                           : form->by_numpy_only ? 200
                                                 : 100) +
                          form->parameters - (form->attribute ? 50 : 0);
        if (score <= best) continue;
        best = score;
        found = form;
    }
    return found;
}

/* The comments of the headers, and examples of functions, sorted by name; tools/docs.py writes the
 * lists. */
static const struct comment {
    const char *name, *text;
} comments[] =
    {
#include "docs.inc"
},
  examples[] = {
#include "examples.inc"
};

static int compare(const void *name, const void *comment)
{
    return strcmp(name, ((const struct comment *)comment)->name);
}

static const char *comment_of(const char *c)
{
    const struct comment *const found =
        bsearch(c, comments, sizeof comments / sizeof *comments, sizeof *comments, compare);
    return found ? found->text : NULL;
}

static const char *example_of(const char *name)
{
    const struct comment *const found =
        bsearch(name, examples, sizeof examples / sizeof *examples, sizeof *examples, compare);
    return found ? found->text : NULL;
}

/* Writes what a form does. Its operands are called as its signature calls them. */
static void put_doc(struct text *t, const struct forms *forms, const stria_form *form, bool method)
{
    static const char *const operands[] = {"self", "other", "input"};
    for (const char *at = form->doc; *at;) {
        size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
        bool written = false;
        for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
            stria_parameter p;
            if (strlen(operands[i]) != size || memcmp(at, operands[i], size) != 0) continue;
            for (int k = 0; !written && k < form->parameters; k++) {
                if (stria_function_parameter(&p, forms->function, (int)(form - forms->form), k))
                    break;
                written = has_name(&p, operands[i]);
                if (written && method && k == 0)
                    puts_(t, "self");
                else if (written)
                    put_name(t, &p, k == 0);
            }
        }
        if (size == 0) size = 1;
        if (!written) put_text(t, at, size);
        at += size;
    }
}

/* Writes how a form is called: those of PyTorch alone with its names, others with the names of
 * their signature, and what else they are called. */
static void put_call(struct text *t, const struct forms *forms, const stria_form *form,
                     const char *name)
{
    struct text others;
    others.size = 0;
    puts_(t, name);
    puts_(t, "(");
    for (int i = 0; i < form->parameters; i++) {
        stria_parameter p;
        if (stria_function_parameter(&p, forms->function, (int)(form - forms->form), i)) break;
        puts_(t, i ? ", " : "");
        if (p.variadic) puts_(t, "*");
        const size_t before = t->size, first = strcspn(p.names, "|:=,)");
        if (form->by_torch_only)
            put_text(t, p.names, first);
        else
            put_name(t, &p, i == 0);
        const size_t shown = t->size - before;
        if (i > 0 && (shown != first || memcmp(t->data + before, p.names, first) != 0)) {
            puts_(&others, others.size ? ", " : "");
            put_text(&others, p.names, first);
            puts_(&others, " is ");
            put_text(&others, t->data + before, shown);
        }
        if (p.fallback) put_value(t, &p);
    }
    puts_(t, form->by_torch_only ? ")   (PyTorch's)" : form->by_numpy_only ? ")   (NumPy's)" : ")");
    if (others.size)
        puts_(t, "   where "), put_text(t, others.data, others.size), puts_(t, ", too");
}

char *py_signature_doc(const struct forms *forms, const char *name, bool method, unsigned lacks)
{
    struct text t;
    t.size = 0;
    t.data[0] = 0;
    const char *const dot = strrchr(name, '.');
    const stria_form *const form = main_form(forms);
    if (form) {
        if (!form->attribute) put_signature(&t, forms, form, dot ? dot + 1 : name, method, lacks);
        if (form->attribute && !method) puts_(&t, name), puts_(&t, "(x, /)\n--\n\n");
        put_doc(&t, forms, form, method);
        const size_t length = strlen(name);
        if (length > 5 && !strcmp(name + length - 5, "_copy"))
            puts_(&t, " The result is in new memory.");
        if (name[length - 1] == '_' && strcmp(name, "set_") != 0)
            puts_(&t, " The result is written to the array itself.");
        const char *const example = example_of(name);
        if (example) puts_(&t, "\n\n"), puts_(&t, example);
        puts_(&t, "\n\nIt is called as\n");
        for (int i = 0; i < forms->count; i++) {
            const size_t before = t.size;
            puts_(&t, "\n    ");
            put_call(&t, forms, &forms->form[i], dot ? dot + 1 : name);
            /* Forms that differ in C alone are one line. */
            const char *const first = strstr(t.data, t.data + before);
            if (first < t.data + before && first[t.size - before] == '\n') t.size = before;
        }
        puts_(&t, "\n\nIn C: ");
        puts_(&t, form->c);
        const char *const comment = comment_of(form->c);
        if (comment) puts_(&t, ".\n\n"), puts_(&t, comment);
    }
    char *const copy = PyMem_Malloc(t.size + 1);
    if (!copy) return (void)PyErr_NoMemory(), NULL;
    memcpy(copy, t.data, t.size + 1);
    return copy;
}
