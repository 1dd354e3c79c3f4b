/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages of mapped files count as memory of this process for as long as the system has no other use
 * for them. Where files are large beside the budget, they are read through windows (windows.h): the
 * pages behind stay in the system's cache, and come again when they are read again.
 */
#ifndef STRIA_TOOL_PAGES_H
#define STRIA_TOOL_PAGES_H

#include <stdbool.h>

#include "stria/buffer.h"

/*
 * The pages of a file that is mapped read-only may go from now on. What turns out to be no map is
 * left alone. Takes a reference. Like pages_forget for the thread that has the files.
 */
void pages_watch(stria_buffer *buffer);
void pages_forget(stria_buffer *buffer);
/* The file that the buffer is a map of, to be read from, and where its first byte lies there. */
bool pages_source(const stria_buffer *buffer, int *fd, int64_t *offset);
/* Tells whether those files are large. */
bool pages_are_many(void);

#endif
