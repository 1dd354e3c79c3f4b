/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages of mapped files count as memory of this process until the system has another use for them.
 * Files that are large beside the budget are read through windows (map_windows.h): the pages behind
 * stay in the system's cache, and are mapped again when they are read again. Only Linux tells which
 * file is mapped where; elsewhere nothing is watched.
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
/* Tells whether the file can be read, too. */
bool pages_have_file(const stria_buffer *buffer);
/* Reads bytes of the file that are mapped at byte `at` of the buffer; false if that fails. */
bool pages_read(const stria_buffer *buffer, void *to, int64_t bytes, int64_t at);
/* Makes the disk read them meanwhile. */
void pages_fetch(const stria_buffer *buffer, int64_t bytes, int64_t at);
/* Tells whether those files are large. */
bool pages_are_many(void);
