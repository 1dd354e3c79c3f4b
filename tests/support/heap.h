/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the heap calls of the whole process, whoever makes them: linking this file puts a counter
 * before glibc's malloc. Elsewhere, and under sanitizers, which bring their own malloc, nothing is
 * counted and the test skips.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Whether heap calls and bytes are counted. */
bool heap_is_counted(void);
/* calls of malloc, calloc, realloc, aligned_alloc and posix_memalign so far */
int64_t heap_calls(void);
int64_t heap_held(void); /* bytes not given back yet */
int64_t heap_most(void); /* the most bytes held since the last heap_watch */
void heap_watch(void);
