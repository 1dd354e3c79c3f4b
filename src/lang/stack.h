/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stack that text may take. A walk of its tree recurses as deep as brackets are nested, and
 * looks at each level whether the thread has the stack that is taken below it, too.
 */
#ifndef STRIA_LANG_STACK_H
#define STRIA_LANG_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"

/* Bytes that the deepest operation takes, one on two numbers, and a walk that computes nothing. */
enum { STACK_OF_OPERATION = 46 << 10, STACK_OF_NUMBERS = 20 << 10, STACK_OF_READING = 4 << 10 };

/* The address above which a walk has to stay, below which so many bytes are wanted. */
uintptr_t stria__stack_least(int below);

static inline bool stria__stack_is_left(uintptr_t least)
{
    return (uintptr_t)__builtin_frame_address(0) >= least;
}

/* The text is nested too deep at `at` for this thread. Returns FORMAT. */
stria_status stria__fail_deep(struct failure *failure, size_t at);

#endif
