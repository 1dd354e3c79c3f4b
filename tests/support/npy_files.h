/* SPDX-License-Identifier: BSD-3-Clause */
/* Good .npy files, written and read in every way. A failed call fails the test. */
#pragma once

#include "stria/array.h"

void must(stria_status status, const char *what);

/* Writes a file without fsync: thousands of test files do not have to survive a power failure. */
stria_status write_unsynced(const char *path, const stria_view *a);

enum { WAYS = 3 };

/* Loads a file by reading it, mapping it, or from a copy in memory, by number. */
void load(stria_array *out, const char *path, int way);

void assert_same_file(const char *a, const char *b);

/* Asserts that elements lie densely in the file's order, in a buffer that holds the data and no
 * more. */
void assert_dense(const stria_array *array, bool fortran, bool readonly, const char *what);
