/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bounds the stack that evaluating text takes. A walk of the tree recurses as deep as brackets are
 * nested, and checks at each level that the thread's stack suffices for what is called below.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"

/* Bytes of stack below a walk that computes operations of arrays, only of numbers, or nothing. */
enum { STACK_OF_OPERATION = 46 << 10, STACK_OF_NUMBERS = 20 << 10, STACK_OF_READING = 4 << 10 };

/* Returns the lowest address that a walk may reach, so that `below` bytes are left under it. */
uintptr_t stria__stack_least(int below);

static inline bool stria__stack_is_left(uintptr_t least)
{
    return (uintptr_t)__builtin_frame_address(0) >= least;
}

/* Refuses text that is nested too deep at `at` for this thread's stack. Returns FORMAT. */
stria_status stria__fail_deep(struct failure *failure, size_t at);
