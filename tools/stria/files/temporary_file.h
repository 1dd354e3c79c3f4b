/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Temporary files in TMPDIR or /var/tmp: those without a name, which go with the command, and one
 * with a name for functions that write files by path.
 */
#pragma once

#include "lang/failure.h"
#include "stria/array.h"

/* The path by which an open descriptor is opened again. */
#ifdef __linux__
#define DESCRIPTOR_PATH "/proc/self/fd/%d"
#else
#define DESCRIPTOR_PATH "/dev/fd/%d"
#endif

/* Returns a descriptor; -1 after a refusal, if there is no folder or no room. */
int nameless_open(struct failure *failure);
/* Maps the elements in C order that the file has, of the dtype and shape of a. */
stria_status nameless_map(stria_array *out, int fd, const stria_view *a);

enum { TEMPORARY_PATH = 4096 };
/* Makes an empty file; the caller holds signals back until it is unlinked. */
stria_status temporary_path(char path[TEMPORARY_PATH], struct failure *failure);

/* Copies the rest of one file or pipe to another. IO: errno tells why. */
stria_status copy_bytes(int to, int from, struct failure *failure);
