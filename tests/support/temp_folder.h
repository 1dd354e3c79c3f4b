/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder of a test's own, below the working directory, and whole files in it. */
#ifndef STRIA_TESTS_SUPPORT_TEMP_FOLDER_H
#define STRIA_TESTS_SUPPORT_TEMP_FOLDER_H

#include <stdint.h>

struct temp_folder {
    char path[64];
};

/* These abort when the machine does not cooperate. */
struct temp_folder temp_folder_new(void);
void temp_folder_remove(struct temp_folder folder); /* with the files in it */
void temp_folder_clear(struct temp_folder folder);
int temp_folder_entries(struct temp_folder folder); /* hidden ones too */

/* The one of a program's tests, with what cmocka_run_group_tests calls before and after them. */
extern struct temp_folder group_folder;
int group_folder_set_up(void **state);
int group_folder_tear_down(void **state);

/* "folder/name", in one of four static buffers in turn. */
const char *temp_path(struct temp_folder folder, const char *name);

void file_put(const char *path, const void *bytes, int64_t size);
/* The contents, to be given to free; NULL when there is no such file. */
char *file_get(const char *path, int64_t *size);

#endif
