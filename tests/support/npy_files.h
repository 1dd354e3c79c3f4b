/* SPDX-License-Identifier: BSD-3-Clause */
/* Good .npy files, written and read in every way. What goes wrong fails the test. */
#ifndef STRIA_TESTS_SUPPORT_NPY_FILES_H
#define STRIA_TESTS_SUPPORT_NPY_FILES_H

#include "stria/array.h"

void must(stria_status status, const char *what);

/* Thousands of files do not have to survive a power failure. */
stria_status write_unsynced(const char *path, const stria_view *a);

enum { WAYS = 3 };

/* By reading, mapping or from memory. */
void load(stria_array *out, const char *path, int way);

void assert_same_file(const char *a, const char *b);

/* Dense in memory in the order that the file has, in a buffer that holds the data and no more. */
void assert_dense(const stria_array *array, bool fortran, bool readonly, const char *what);

#endif
