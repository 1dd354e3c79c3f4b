/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations whose loops are the caller's; their numbers follow those of the library's. */
#pragma once

#include "simd/map.h"
#include "stria/user_function.h"
#include "stria/view.h"

enum { USER_NAME = 32 };

/* A loop as a kernel, with the dtypes that it takes and gives. */
struct user_loop {
    map_loop *kernel;
    stria_kind in[STRIA_USER_INPUTS], out;
};

/* Returns the row of an operation, by its place among users' operations; NULL if there is none. */
struct op_info;
const struct op_info *stria__user_op(int place);

/*
 * Adds an operation; only other user operations may still have its name. *place receives its place
 * among these. ARGUMENT, DTYPE.
 */
stria_status stria__user_op_add(int *place, const stria_user_function *function);

/* Takes one away: its loops write zeros. ARGUMENT: there is none. */
stria_status stria__user_op_remove(int place);

/* Does stria__op_types for an operation of a user's. */
struct op_types;
stria_status stria__user_types(struct op_types *out, const struct op_info *row,
                               const stria_view *const *operands);
