/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the heap calls of the whole process, whoever makes them: linking this file puts a counter
 * before glibc's malloc. Elsewhere, and under sanitizers, which bring their own malloc, nothing is
 * counted and the test skips.
 */
#ifndef STRIA_TESTS_HEAP_H
#define STRIA_TESTS_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/* Whether calls are, and bytes. */
bool heap_is_counted(void);
int64_t heap_calls(void); /* malloc, calloc, realloc, aligned_alloc, posix_memalign so far */
int64_t heap_held(void);  /* bytes that are not given back */
int64_t heap_most(void);  /* the most that were held since the last heap_watch */
void heap_watch(void);

#endif
