/* SPDX-License-Identifier: BSD-3-Clause */
#include "registry.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *theme;
    const struct function_group *group;
    bool views;
} groups[] = {
    {"math by element", &stria__rows_math, false},
    {"math with two results", &stria__rows_two, false},
    {"reductions", &stria__rows_reduce, false},
    {"matrix products", &stria__rows_contract, false},
    {"exact sums", &stria__rows_exact, false},
    {"windows, padding", &stria__rows_window_ops, false},
    {"scans, quantiles, comparisons", &stria__rows_scan, false},
    {"sorting", &stria__rows_sort, false},
    {"order of dims", &stria__rows_order, true},
    {"dtype", &stria__rows_dtype, true},
    {"shape", &stria__rows_shape, true},
    {"indexing", &stria__rows_index, true},
    {"indexing by arrays", &stria__rows_gather, false},
    {"writing by arrays", &stria__rows_scatter, false},
    {"splitting", &stria__rows_split, true},
    {"broadcasting", &stria__rows_broadcast, true},
    {"windows, diagonals, flips", &stria__rows_window, true},
    {"the array itself", &stria__rows_same, true},
    {"complex numbers", &stria__rows_complex, true},
    {"copies, conversions", &stria__rows_copy, false},
    {"new arrays", &stria__rows_make, false},
    {"new arrays by a rule", &stria__rows_create, false},
    {"new arrays by a rule", &stria__rows_random, false},
    {"arrays of data, conversions by name", &stria__rows_data, false},
    {"in place", &stria__rows_owner, false},
    {"joining, repeating", &stria__rows_join, false},
    {"sparse arrays", &stria__rows_sparse, false},
    {"questions", &stria__rows_ask, false},
};

enum { GROUPS = sizeof groups / sizeof *groups };

const struct function *stria__registry_row(size_t i)
{
    for (size_t g = 0; g < GROUPS; g++) {
        if (i < groups[g].group->count) return &groups[g].group->ops[i];
        i -= groups[g].group->count;
    }
    return NULL;
}

/* The group of a row, GROUPS for what is none. */
static size_t group_of(const struct function *op)
{
    size_t g = 0;
    while (g < GROUPS &&
           !(op >= groups[g].group->ops && op < groups[g].group->ops + groups[g].group->count))
        g++;
    return g;
}

const char *stria__registry_theme(const struct function *op)
{
    const size_t g = group_of(op);
    return g < GROUPS ? groups[g].theme : "";
}

bool stria__registry_is_view(const struct function *op)
{
    const size_t g = group_of(op);
    return g < GROUPS && groups[g].views;
}

bool stria__registry_answers(const struct function *op)
{
    const size_t g = group_of(op);
    return g < GROUPS && groups[g].group == &stria__rows_ask;
}

enum waiting stria__registry_waiting(const struct function *op)
{
    return stria__math_may_wait(op)        ? ALL_WAIT
           : stria__reduction_may_wait(op) ? FIRST_WAITS
                                           : NOTHING_WAITS;
}

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

/* Names, the closest first. */
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
        struct text_span rest = stria__signature_names(op->signature);
        while (rest.length) {
            const struct text_span one = stria__span_first(rest);
            const size_t d = distance(name, one);
            if (d && d <= most) suggest(&s, one, d);
            const size_t step = one.length + (one.length < rest.length);
            rest.text += step;
            rest.length -= step;
        }
    }
    size_t used = 0;
    for (size_t i = 0; i < s.count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.*s",
                                 !i                ? ""
                                 : i + 1 < s.count ? ", "
                                                   : " or ",
                                 (int)s.names[i].length, s.names[i].text);
    return s.count ? text : NULL;
}
