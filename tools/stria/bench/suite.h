/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Suites: lists of bench cases in JSON files. The files of the folder suites are built in, under
 * their names. A case is written with the words of the command line.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "lang/failure.h"
#include "view/pool.h"

/* The names of the files of the folder suites. */
#define SUITE_NAMES "ttc layouts convert fill small elementwise reduce contract sort"

enum { BENCH_MAX_INPUTS = 8 }; /* Most arrays of a case. */

/* A case. Its texts are static, or live as long as the list. */
struct suite_case {
    const char *suite;
    /* Group of cases that are judged together, by their geometric mean and their lowest. */
    const char *group;
    const char *name;
    const char *dtype, *shape, *expr;   /* Texts as --dtype, --shape and --expr take them. */
    const char *with[BENCH_MAX_INPUTS]; /* Further arrays, as --with takes them; NULL: the end. */
    const char *to;                     /* Dtype of the target; NULL: that of the array. */
    bool fill; /* One item is written to the view that EXPR makes, and nothing is read. */
};

struct suite_list {
    struct suite_case *items;
    size_t count, room;
    struct pool pool;
    json_t *files; /* The files that were read. */
};

/* Adds the cases of a suite, or of all suites; ARGUMENT, naming the suites, when none has that
 * name. */
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
