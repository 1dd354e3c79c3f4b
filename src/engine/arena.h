/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scratch memory of a thread. Each thread allocates one arena of stria_scratch_limit() bytes when
 * it first needs scratch, keeps it, and gives it back when it ends, so that later calls allocate
 * nothing. Memory is taken and given back in the order of a stack.
 */
#ifndef STRIA_SRC_ENGINE_ARENA_H
#define STRIA_SRC_ENGINE_ARENA_H

#include <stdint.h>

/*
 * `bytes` > 0 of this thread's arena, aligned to a cache line, until stria__arena_give is called
 * with the same address. NULL when the arena has no room left or could not be allocated: the caller
 * then does with less, on its stack.
 */
char *stria__arena_take(int64_t bytes);

/* Gives back `memory` and everything that was taken after it. */
void stria__arena_give(char *memory);

/* Bytes that stria__arena_take could return now. */
int64_t stria__arena_room(void);

#endif
