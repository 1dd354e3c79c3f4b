/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suites: tables of bench cases. A suite is a file suite_NAME.c and a row in suite.c; a case is a
 * row there, written with the words of the command line.
 */
#ifndef STRIA_TOOL_SUITE_H
#define STRIA_TOOL_SUITE_H

#include <stdbool.h>

#include "lang/failure.h"
#include "lang/pool.h"

enum { BENCH_MAX_INPUTS = 8 }; /* arrays of a case */

/* Texts are static or live in the list's pool. */
struct suite_case {
    const char *suite;
    const char *group; /* cases that are judged together: their geometric mean and their lowest */
    const char *name;
    const char *dtype, *shape, *expr;   /* as --dtype, --shape and --expr take them */
    const char *with[BENCH_MAX_INPUTS]; /* further arrays, as --with takes them; NULL: the end */
    const char *to;                     /* the target's dtype; NULL: that of the array */
    bool fill;                          /* one item into what EXPR makes; nothing is read */
};

struct suite_list {
    struct suite_case *items;
    size_t count, room;
    struct pool pool;
};

struct suite {
    const char *name;
    void (*add)(struct suite_list *list);
};

extern const struct suite ttc_suite, layouts_suite, convert_suite, fill_suite, small_suite,
    elementwise_suite, reduce_suite;

/* Adds the cases of a suite, or of all; ARGUMENT, naming the suites, when there is none so called.
 */
stria_status suite_add_named(struct suite_list *list, const char *name, struct failure *failure);

void suite_add(struct suite_list *list, struct suite_case c);
void suite_add_table(struct suite_list *list, const struct suite_case *table, size_t count);

/*
 * Adds the cases of a JSON file: {"cases": [...]}, each with "row_major" {"shape","axes"} or
 * "col_major" {"size","perm"}, as the field's collections have them, or with "shape" and "expr".
 * Optional: "id" or "name", "fill", and, also for all cases beside "cases", "group", "dtype" (f32)
 * and "to". FORMAT, with the case and the member named; IO.
 */
stria_status suite_add_file(struct suite_list *list, const char *path, struct failure *failure);

/* Keeps the cases whose suite, group or name contains text. */
void suite_filter(struct suite_list *list, const char *text);
void suite_free(struct suite_list *list);

#endif
