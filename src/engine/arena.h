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
 * Takes `bytes` > 0 of this thread's arena, aligned to a cache line; they belong to the caller
 * until stria__arena_give is called with the same address. Returns NULL when the arena has no room
 * left or could not be allocated: the caller then makes do with less, on its stack.
 */
char *stria__arena_take(int64_t bytes);

/* Gives back `memory` and everything that was taken after it. */
void stria__arena_give(char *memory);

/*
 * Return ARENA_KEPT bytes that belong to the thread as long as its arena does and are zeros at
 * first, or NULL where there is no arena, or only a small one. stria__arena_kept allocates the
 * arena, stria__arena_find_kept does not.
 */
enum { ARENA_KEPT = 48 << 10 };
void *stria__arena_kept(void);
void *stria__arena_find_kept(void);

/*
 * Gives the arena back if the limit has changed and nothing of it is in use. Every call begins with
 * this. What stria__arena_find_kept returned before is gone then.
 */
void stria__arena_refresh(void);

/* Returns the bytes that stria__arena_take could return now. */
int64_t stria__arena_room(void);

#endif
