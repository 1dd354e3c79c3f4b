/* SPDX-License-Identifier: BSD-3-Clause */
/* The one table of ops: ops_*.c hold its rows by theme. */
#ifndef STRIA_TOOL_REGISTRY_H
#define STRIA_TOOL_REGISTRY_H

#include <stdio.h>

#include "op.h"

extern const struct op_group order_ops, shape_ops, index_ops, split_ops, window_ops, broadcast_ops,
    complex_ops, math_ops, two_ops, reduce_ops, scan_ops, dtype_ops, same_ops, owner_ops, copy_ops,
    make_ops, create_ops, random_ops, join_ops, gather_ops, scatter_ops, sparse_ops, data_ops,
    ask_ops;

/* The rows in order, from 0 until NULL. */
const struct op *registry_row(size_t i);
/* The row makes views only: NAME_copy is NAME, then a copy of every result. */
bool registry_is_view(const struct op *op);
/*
 * Which arguments may wait to be computed with the op (fuse.h): all of elementwise math, the array
 * of a reduction.
 */
enum waiting { NOTHING_WAITS, FIRST_WAITS, ALL_WAIT };
enum waiting registry_waiting(const struct op *op);
bool math_may_wait(const struct op *op);
bool reduction_may_wait(const struct op *op);
/* The names closest to one that is not there, as "a, b or c"; NULL when nothing is close. */
const char *registry_suggest(const char *name, char *text, size_t size);
/* Every signature by theme, or those with word in them or in their theme; false: there is none. */
bool registry_print(FILE *file, const char *word);
/* How the ops of that name are called; false when there is none. */
bool registry_print_op(FILE *file, const char *name);

#endif
