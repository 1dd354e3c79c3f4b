/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "json_out.h"
#include "progress.h"
#include "registry.h"
#include "stria/npy.h"

static const char ops_help[] =
    "\n"
    "EXPR is what follows an array in Python: '.permute(2, 0, 1)[:, ::2].view(3, -1)'; or any\n"
    "expression, where x is the array: 'x + y.T * 2', 'np.where(x < y, x, y)'. Operators have\n"
    "Python's precedence and PyTorch's rules of promotion. The ops, where names joined by | mean\n"
    "the same, * takes several ints or one tuple, names that end in _ write into the array "
    "itself,\n"
    "and [...] indexes with ints, slices, ... and None:\n";

static bool json_wanted;

void errors_as_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        json_wanted |= !strcmp(argv[i], "--json");
}

/* What getopt could not read: optind is behind it, or still at it in the middle of letters. */
static int bad_option(const struct command *command, int option, const char *text)
{
    const bool word = !strncmp(text, "--", 2);
    const char letter[] = {'-', (char)optopt, 0};
    (void)usage_error(command, "'%.60s' %s", word ? text : letter,
                      option == ':'    ? "wants an argument"
                      : word && optopt ? "takes no argument"
                      : word           ? "is no option, or short for several"
                      : command->ops   ? "is no option; an EXPR that starts with - takes a space "
                                         "in front"
                                       : "is no option");
    return '?';
}

int next_option(int argc, char **argv, const struct option *options, const struct command *command)
{
    char letters[16];
    (void)snprintf(letters, sizeof letters, ":%s", command->letters); /* ':': getopt is silent */
    const int option = getopt_long(argc, argv, letters, options, NULL);
    if (option == 'h') {
        (void)fputs(command->help, stdout);
        if (command->more_help) command->more_help();
        if (command->ops) {
            (void)fputs(ops_help, stdout);
            registry_print(stdout);
        }
    }
    return option == '?' || option == ':' ? bad_option(command, option, argv[optind - 1]) : option;
}

int usage_error(const struct command *command, const char *format, ...)
{
    struct failure failure = {.code = STRIA_ERR_ARGUMENT, .usage = true};
    const char *blank = command ? " " : "", *name = command ? command->name : "";
    va_list args;
    va_start(args, format);
    (void)vsnprintf(failure.message, sizeof failure.message, format, args);
    va_end(args);
    (void)fprintf(stderr, "stria%s%s: %s\ntry `stria%s%s --help`\n", blank, name, failure.message,
                  blank, name);
    if (json_wanted) json_print(json_failure(&failure, NULL));
    return EXIT_USAGE;
}

int report(const struct failure *failure, const char *source)
{
    if (json_wanted) json_print(json_failure(failure, source));
    (void)fflush(stdout);
    failure_print(failure, source);
    return failure_exit(failure);
}

int report_file(struct failure *failure)
{
    failure->usage = false;
    return report(failure, NULL);
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
