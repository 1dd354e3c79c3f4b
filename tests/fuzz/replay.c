/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a fuzz target on the files named, on those in the folders named, and, for --random=N, on N
 * inputs of random bytes, which are the same on every machine; --random=N+K begins with the K-th.
 * --some=N runs N or, where tests are to be few, a fifth.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "support/random.h"
#include "support/slow.h"

static int files;
static volatile unsigned long long current; /* number of the random input that is running */

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
    /* The block has exactly the size of the input, so that sanitizers see a read beyond it. */
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

/* Prints the number of the input that failed before the program ends. */
static void tell(int number)
{
    (void)number;
    (void)fprintf(stderr, "random input %llu\n", current);
    _exit(1);
}

static void run_random(const char *text, unsigned one_in)
{
    enum { MOST = 600 };
    char *end;
    const unsigned long long n = strtoull(text, &end, 10) / one_in;
    const unsigned long long first = *end == '+' ? strtoull(end + 1, NULL, 10) : 0;
    (void)signal(SIGABRT, tell);
    for (current = first; current < first + n; current++) {
        uint64_t seed = current;
        uint8_t bytes[MOST];
        const size_t size = (size_t)random_between(&seed, 0, MOST);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)random_bits(&seed);
        (void)LLVMFuzzerTestOneInput(bytes, size);
        files++;
    }
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--random=", 9) == 0) {
            run_random(argv[i] + 9, 1);
            continue;
        }
        if (strncmp(argv[i], "--some=", 7) == 0) {
            run_random(argv[i] + 7, ONE_IN);
            continue;
        }
        DIR *dir = opendir(argv[i]);
        failed |= dir ? run_folder(argv[i], dir) : run_file(argv[i]);
    }
    printf("%d inputs\n", files);
    return failed || files == 0;
}
