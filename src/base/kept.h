/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of memory that were given back and wait for an array of their size. Fresh pages cost more
 * than most operations on them: the system clears them, one fault after the other.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Takes out a block of exactly so many bytes, aligned as is asked for; NULL where there is none. */
void *stria__kept_take(size_t size, size_t alignment);

/* Tells whether a block of so many bytes is within the limit. */
bool stria__kept_fits(size_t size);

/* Keeps a block, which free would take, if it fits; returns false where it is still the caller's.
 */
bool stria__kept_put(void *memory, size_t size);

/* Frees all blocks; tells whether there were any. */
bool stria__kept_drop(void);
