/* SPDX-License-Identifier: BSD-3-Clause */
/* The one table of ops: rows/rows_*.c hold its rows by theme. */
#ifndef STRIA_LANG_REGISTRY_H
#define STRIA_LANG_REGISTRY_H

#include "function.h"

extern const struct function_group stria__rows_order, stria__rows_shape, stria__rows_index,
    stria__rows_split, stria__rows_window, stria__rows_broadcast, stria__rows_complex,
    stria__rows_math, stria__rows_two, stria__rows_reduce, stria__rows_contract, stria__rows_scan,
    stria__rows_sort, stria__rows_dtype, stria__rows_same, stria__rows_owner, stria__rows_copy,
    stria__rows_make, stria__rows_create, stria__rows_random, stria__rows_join, stria__rows_gather,
    stria__rows_scatter, stria__rows_sparse, stria__rows_data, stria__rows_ask;
extern const struct function_group stria__rows_exact, stria__rows_window_ops;

/* The rows in order, from 0 until NULL. */
const struct function *stria__registry_row(size_t i);
/* The theme that the row stands under. */
const char *stria__registry_theme(const struct function *op);
/* The row answers a question, with no array. */
bool stria__registry_answers(const struct function *op);
/* The row makes views only: NAME_copy is NAME, then a copy of every result. */
bool stria__registry_is_view(const struct function *op);
/*
 * Which arguments may wait to be computed with the op (fusion.h): all of elementwise math, the
 * array of a reduction.
 */
enum waiting { NOTHING_WAITS, FIRST_WAITS, ALL_WAIT };
enum waiting stria__registry_waiting(const struct function *op);
/* Runs the operation that the first name of a row has; its operands are the first arguments. */
stria_status stria__call_operation(struct invocation *call);
bool stria__math_may_wait(const struct function *op);
/* The operation that the row computes of its operands as they are given, -1: none. */
int stria__math_operation(const struct function *op);
bool stria__reduction_may_wait(const struct function *op);
/* The names closest to one that is not there, as "a, b or c"; NULL when nothing is close. */
const char *stria__registry_suggest(const char *name, char *text, size_t size);

#endif
