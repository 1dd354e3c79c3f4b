/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suites: lists of bench cases, in JSON files. Those of the folder suites are built in, by the name
 * of their file. A case is written with the words of the command line.
 */
#ifndef STRIA_TOOL_SUITE_H
#define STRIA_TOOL_SUITE_H

#include <jansson.h>
#include <stdbool.h>

#include "lang/failure.h"
#include "view/pool.h"

/* The files of the folder suites. */
#define SUITE_NAMES "ttc layouts convert fill small elementwise reduce contract sort"

enum { BENCH_MAX_INPUTS = 8 }; /* arrays of a case */

/* Texts are static, or live as long as the list. */
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
    json_t *files; /* what was read */
};

/* Adds the cases of a suite, or of all; ARGUMENT, naming the suites, when there is none so called.
 */
stria_status suite_add_named(struct suite_list *list, const char *name, struct failure *failure);

void suite_add(struct suite_list *list, struct suite_case c);

/*
 * Adds the cases of a JSON file: {"cases": [...]}, each with "row_major" {"shape","axes"} or
 * "col_major" {"size","perm"}, as the field's collections have them, or with "shape" and "expr".
 * Optional: "id" or "name", "fill", "with" (a list of texts), and, also for all cases beside
 * "cases", "group", "dtype" (f32) and "to"; "suite" beside "cases". FORMAT, with the case and the
 * member named; IO.
 */
stria_status suite_add_file(struct suite_list *list, const char *path, struct failure *failure);

/* Keeps the cases whose suite, group or name contains text. */
void suite_filter(struct suite_list *list, const char *text);
void suite_free(struct suite_list *list);

#endif
