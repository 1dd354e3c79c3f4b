/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a fuzz target on the files named, and on those in the folders named. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int files;

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    enum { MOST = 1 << 20 };
    uint8_t *bytes = malloc(MOST);
    const size_t size = bytes ? fread(bytes, 1, MOST, file) : 0;
    (void)fclose(file);
    /* An allocation of the exact size, so that sanitizers see a read beyond it. */
    uint8_t *exact = realloc(bytes, size ? size : 1);
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    files++;
    return 0;
}

static int run_folder(const char *path, DIR *dir)
{
    int failed = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        char name[1024];
        if (entry->d_name[0] == '.') continue;
        (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        failed |= run_file(name);
    }
    (void)closedir(dir);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *dir = opendir(argv[i]);
        failed |= dir ? run_folder(argv[i], dir) : run_file(argv[i]);
    }
    printf("%d files\n", files);
    return failed || files == 0;
}
