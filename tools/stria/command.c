/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "progress.h"
#include "registry.h"
#include "stria/npy.h"

static const char ops_help[] =
    "\n"
    "EXPR is what follows an array in Python: '.permute(2, 0, 1)[:, ::2].view(3, -1)'. x is the\n"
    "array itself; torch.f(x, ...) and np.f(x, ...) are calls too. The ops, where names joined\n"
    "by | mean the same, * takes several ints or one tuple, and [...] indexes with ints, slices,\n"
    "... and None:\n";

int next_option(int argc, char **argv, const struct option *options, const struct command *command)
{
    const int option = getopt_long(argc, argv, command->letters, options, NULL);
    if (option == 'h') {
        (void)fputs(command->help, stdout);
        if (command->more_help) command->more_help();
        if (command->ops) {
            (void)fputs(ops_help, stdout);
            registry_print(stdout);
        }
    } else if (option == '?') {
        (void)fprintf(stderr, "try `stria %s --help`\n", command->name);
    }
    return option;
}

int usage_error(const struct command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fprintf(stderr, "stria %s: ", command->name);
    (void)vfprintf(stderr, format, args);
    (void)fprintf(stderr, "\ntry `stria %s --help`\n", command->name);
    va_end(args);
    return EXIT_USAGE;
}

int report(const struct failure *failure, const char *source)
{
    (void)fflush(stdout);
    failure_print(failure, source);
    return failure_exit(failure);
}

int finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    (void)fprintf(stderr, "stria: cannot write the output: %s\n", strerror(errno));
    return EXIT_FAILED;
}

bool read_integer(int64_t *out, const char *text, int64_t low, int64_t high)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < low || value > high) return false;
    *out = value;
    return true;
}

stria_status load(struct inputs *inputs, const char *name, const char *path, bool mapped,
                  struct failure *failure)
{
    char label[300];
    (void)snprintf(label, sizeof label, "reading %.280s", path);
    stria_array array;
    struct progress *progress = progress_start(label);
    const stria_status status =
        stria_npy_read(&array, path, mapped ? STRIA_NPY_MAP : STRIA_NPY_READ);
    progress_stop(progress);
    if (status != STRIA_OK) return fail_library(failure, status, NO_PLACE);
    return inputs_add(inputs, name, array, failure);
}

stria_status load_with(struct inputs *inputs, char *const *with, size_t count,
                       struct failure *failure)
{
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(with[i], '=');
        if (!equals || !equals[1])
            return fail_request(failure, STRIA_ERR_ARGUMENT,
                                "--with is written name=FILE, not '%.80s'", with[i]);
        struct arena arena = {0};
        const char *name = arena_text(&arena, with[i], (size_t)(equals - with[i]));
        const stria_status status = load(inputs, name, equals + 1, false, failure);
        arena_free(&arena);
        if (status != STRIA_OK) return status;
    }
    return STRIA_OK;
}
