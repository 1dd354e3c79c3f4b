/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How deep calls go into the stack. A thread runs on a stack that is filled with a pattern before
 * each of them; the lowest byte that differs afterwards tells how deep it was.
 */
#pragma once

#include <stddef.h>

/* The most bytes that a thread has on its stack before it calls, with the cost of measuring. */
enum { STACK_TAKEN = 4 << 10 };

/* Returns what `work` returns, which runs in a thread of its own on a filled stack of 512 KiB. */
void *on_painted_stack(void *(*work)(void *data), void *data);

/* For `work`: stack_paint before a call, stack_depth after it; `from` is a local variable of the
 * caller. */
void stack_paint(void);
ptrdiff_t stack_depth(const char *from);
