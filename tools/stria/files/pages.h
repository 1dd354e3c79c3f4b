/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages of mapped files count as memory of this process until the system has another use for them.
 * Files that are large beside the budget are read through windows (windows.h): the pages behind
 * stay in the system's cache, and are mapped again when they are read again.
 */
#pragma once

#include <stdbool.h>

#include "stria/buffer.h"

/*
 * Lets the pages of a file that is mapped read-only go from now on. Buffers that are no such map
 * are left alone. Takes a reference. As pages_forget, it belongs to the thread that has the files.
 */
void pages_watch(stria_buffer *buffer);
void pages_forget(stria_buffer *buffer);
/* Finds the file that the buffer is a map of, to be read from, and where the map's first byte lies
 * in it. */
bool pages_source(const stria_buffer *buffer, int *fd, int64_t *offset);
/* Tells whether those files are large. */
bool pages_are_many(void);
