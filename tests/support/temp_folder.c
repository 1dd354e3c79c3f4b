/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700
#include "support/temp_folder.h"

#include <dirent.h>
#ifdef _WIN32
#include <direct.h>
#include <io.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void need(int condition, const char *what)
{
    if (condition) return;
    perror(what);
    abort();
}

#ifdef _WIN32 /* which has the name of the folder, but not the folder */
static char *mkdtemp(char *path)
{
    return _mktemp(path) && _mkdir(path) == 0 ? path : NULL;
}
#endif

struct temp_folder temp_folder_new(void)
{
    struct temp_folder folder = {"stria-test-XXXXXX"};
    need(mkdtemp(folder.path) != NULL, "mkdtemp");
    return folder;
}

/* Calls visit for every entry but . and .. and returns their number. */
static int each_entry(struct temp_folder folder, void (*visit)(const char *path))
{
    DIR *dir = opendir(folder.path);
    need(dir != NULL, folder.path);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        count++;
        if (visit) visit(temp_path(folder, entry->d_name));
    }
    (void)closedir(dir);
    return count;
}

static void remove_entry(const char *path)
{
    need(remove(path) == 0, path);
}

void temp_folder_clear(struct temp_folder folder)
{
    (void)each_entry(folder, remove_entry);
}

void temp_folder_remove(struct temp_folder folder)
{
    temp_folder_clear(folder);
    need(rmdir(folder.path) == 0, folder.path);
}

int temp_folder_entries(struct temp_folder folder)
{
    return each_entry(folder, NULL);
}

const char *temp_path(struct temp_folder folder, const char *name)
{
    static char paths[4][512];
    static int turn;
    char *path = paths[turn++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder.path, name);
    return path;
}

void file_put(const char *path, const void *bytes, int64_t size)
{
    FILE *file = fopen(path, "wb");
    need(file != NULL, path);
    need(fwrite(bytes, 1, (size_t)size, file) == (size_t)size, path);
    need(fclose(file) == 0, path);
}

char *file_get(const char *path, int64_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    need(fseek(file, 0, SEEK_END) == 0, path);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)*size + 1);
    need(bytes && fread(bytes, 1, (size_t)*size, file) == (size_t)*size, path);
    (void)fclose(file);
    return bytes;
}

struct temp_folder group_folder;

int group_folder_set_up(void **state)
{
    (void)state;
    group_folder = temp_folder_new();
    return 0;
}

int group_folder_tear_down(void **state)
{
    (void)state;
    temp_folder_remove(group_folder);
    return 0;
}
