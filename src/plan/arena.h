/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scratch memory of a thread. Each thread allocates one arena of stria_scratch_limit() bytes when
 * it first needs scratch, keeps it, and gives it back when it ends, so that later calls allocate
 * nothing. Memory is taken and given back in the order of a stack.
 */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
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
 * The ARENA_KEPT bytes that belong to the thread as long as its arena does; they are zeros at
 * first, and begin with this struct, whose flag is set while they are borrowed. stria__arena_borrow
 * returns NULL to a signal handler of the same thread that interrupts this, and if there is no
 * arena, or only a small one; with `make` it allocates the arena.
 */
enum { ARENA_KEPT = 48 << 10 };
struct arena_kept {
    volatile sig_atomic_t borrowed;
};
struct arena_kept *stria__arena_borrow(bool make);

/* Returns the kept bytes. The fence orders what was written there before the flag, for handlers
 * that see the flag. */
static inline void stria__arena_return(struct arena_kept *kept)
{
    atomic_signal_fence(memory_order_release);
    kept->borrowed = 0;
}

/*
 * Gives the arena back if the limit has changed and nothing of it is in use. Every call begins with
 * this, or with stria__arena_borrow, which does it too.
 */
void stria__arena_refresh(void);

/* Returns the bytes that stria__arena_take could return now. */
int64_t stria__arena_room(void);
