/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder for one test, below the working directory, and whole files in it. */
#pragma once

#include <stdint.h>

struct temp_folder {
    char path[64];
};

/* These functions abort the test program when the system fails. */
struct temp_folder temp_folder_new(void);
void temp_folder_remove(struct temp_folder folder); /* removes the files in it, too */
void temp_folder_clear(struct temp_folder folder);
int temp_folder_entries(struct temp_folder folder); /* counts hidden files, too */

/* The folder of a test program, made before and removed after its tests by
 * cmocka_run_group_tests. */
extern struct temp_folder group_folder;
int group_folder_set_up(void **state);
int group_folder_tear_down(void **state);

/* Returns "folder/name", in one of four static buffers in turn. */
const char *temp_path(struct temp_folder folder, const char *name);

void file_put(const char *path, const void *bytes, int64_t size);
/* Returns the contents, which the caller frees by free; NULL when there is no such file. */
char *file_get(const char *path, int64_t *size);
