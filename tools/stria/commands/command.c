/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <errno.h>
#include <stdarg.h>

#include "pages.h"
#include "stria/threads.h"
#include "stria/version.h"
#include "tool.h"

static bool json_wanted;

void errors_as_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        json_wanted |= !strcmp(argv[i], "--json");
}

struct common common = {.seconds = -1};

void show_version(void)
{
    (void)printf("stria %s (%s)\n", stria_version(), stria_isa_name());
}

int usage_error(const char *format, ...)
{
    struct failure failure = {.code = STRIA_ERR_ARGUMENT, .usage = true};
    const struct command *const command = common.command;
    const char *blank = command ? " " : "", *name = command ? command->name : "";
    va_list args;
    va_start(args, format);
    (void)vsnprintf(failure.message, sizeof failure.message, format, args);
    va_end(args);
    (void)fprintf(stderr, "%sstria%s%s:%s %s\ntry `stria%s%s --help`\n", colour(stderr, RED), blank,
                  name, colour(stderr, PLAIN), failure.message, blank, name);
    if (json_wanted) json_print(json_failure(&failure, NULL));
    return EXIT_USAGE;
}

int report(const struct failure *from, const char *source)
{
    struct failure told = *from;
    const struct failure *const failure = &told;
    budget_explain(&told);
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

int finish(int status, int failed)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    if (status != failed) /* Otherwise the failure was reported before. */
        (void)fprintf(stderr, "stria: cannot write the output%s%s\n", errno ? ": " : "",
                      errno ? strerror(errno) : "");
    return failed;
}

stria_status flush_report(FILE *file, struct failure *failure)
{
    if (fflush(file) == 0 && !ferror(file)) return STRIA_OK;
    return stria__fail_request(failure, STRIA_ERR_IO, "cannot write the report: %s",
                               strerror(errno));
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

struct progress *start_progress(const char *label)
{
    return common.quiet ? NULL : progress_start(label);
}

stria_status load_joined(char **paths, int *count, struct failure *failure)
{
    if (!(common.stack || common.cat) || *count == 0) return STRIA_OK;
    common.joined.stacked = common.stack;
    STRIA_TRY(joined_find(&common.joined, paths, (size_t)*count, failure));
    *count = 1;
    return STRIA_OK;
}

static stria_status open_source(struct source *out, const char *path, bool is_x,
                                enum source_use use, struct failure *failure)
{
    if (is_x && common.joined.paths.count) return joined_open(out, &common.joined, failure);
    if (is_x && common.raw.dtype) return raw_open(out, path, &common.raw, use, failure);
    return source_open(out, path, use, failure);
}

stria_status load(struct inputs *inputs, const char *name, const char *path, enum source_use use,
                  struct failure *failure)
{
    char label[300];
    (void)snprintf(label, sizeof label, "reading %.280s", source_name(path));
    struct source source;
    struct progress *progress = start_progress(label);
    const stria_status status = open_source(&source, path, !strcmp(name, "x"), use, failure);
    progress_stop(progress);
    if (status != STRIA_OK) return status;
    STRIA_TRY(inputs_add(inputs, name, source.array, failure));
    inputs->items[inputs->count - 1].mapped = source.mapped;
    if (source.mapped) pages_watch(source.array.owned);
    return STRIA_OK;
}

static stria_status load_with(struct inputs *inputs, const struct texts *with, enum source_use use,
                              struct failure *failure)
{
    for (size_t i = 0; i < with->count; i++) {
        const char *const text = with->items[i], *const equals = strchr(text, '=');
        if (!equals || !equals[1])
            return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                       "--with is written name=FILE, not '%.80s'", text);
        const char *const name = must_text(&common.pool, text, (size_t)(equals - text));
        STRIA_TRY(load(inputs, name, equals + 1, use, failure));
    }
    return STRIA_OK;
}

stria_status load_all(struct inputs *inputs, const char *path, const char *rules,
                      const struct texts *with, enum source_use use, struct failure *failure)
{
    const bool look = use == SOURCE_LOOK;
    if (rules) STRIA_TRY(inputs_rules(inputs, rules, failure));
    if (path)
        STRIA_TRY(*path ? load(inputs, "x", path, use, failure)
                        : inputs_without_x(inputs, look, failure));
    return load_with(inputs, with, look ? SOURCE_READ : use, failure);
}

extern const struct command info_command, show_command, stat_command, diff_command, apply_command,
    merge_command, split_command, explain_command, hash_command, bench_command, completion_command,
    tune_command;

const struct command *const commands[] = {&info_command,
                                          &show_command,
                                          &stat_command,
                                          &diff_command,
                                          &apply_command,
                                          &split_command,
                                          &merge_command,
                                          &explain_command,
                                          &hash_command,
                                          &bench_command,
                                          &tune_command,
                                          &completion_command,
                                          NULL};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (!strcmp(name, commands[i]->name)) return commands[i];
    return NULL;
}

int command_run(const struct command *command, int argc, char **argv)
{
    void *const request = must_take(&common.pool, command->size);
    if (command->usual) memcpy(request, command->usual, command->size);
    if (command->prepare) command->prepare(request, argc, argv);
    const int status = read_options(command, request, argc, argv);
    return status >= 0 ? status : command->run(request, argc, argv);
}
