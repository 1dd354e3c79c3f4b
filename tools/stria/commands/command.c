/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "embedded.h"
#include "failure_text.h"
#include "inputs.h"
#include "json.h"
#include "lang/pool.h"
#include "must.h"
#include "pages.h"
#include "stria/threads.h"
#include "stria/version.h"
#include "terminal.h"

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

struct common common = {.seconds = -1};

enum { MEMORY = 1000, TIME, COLOR, RAW_DTYPE, RAW_SHAPE, RAW_OFFSET, DELIMITER, STACK, CAT };

static const struct option common_options[] = {{"memory", required_argument, NULL, MEMORY},
                                               {"time", required_argument, NULL, TIME},
                                               {"color", required_argument, NULL, COLOR},
                                               {"quiet", no_argument, NULL, 'q'},
                                               {"version", no_argument, NULL, 'V'},
                                               {"help", no_argument, NULL, 'h'},
                                               {0}};
enum { COMMON_OPTIONS = sizeof common_options / sizeof *common_options };

static const struct option raw_options[] = {{"dtype", required_argument, NULL, RAW_DTYPE},
                                            {"shape", required_argument, NULL, RAW_SHAPE},
                                            {"offset", required_argument, NULL, RAW_OFFSET},
                                            {"delimiter", required_argument, NULL, DELIMITER}};
enum { RAW_OPTIONS = sizeof raw_options / sizeof *raw_options };

static const struct option join_options[] = {{"stack", no_argument, NULL, STACK},
                                             {"cat", no_argument, NULL, CAT}};
enum { JOIN_OPTIONS = sizeof join_options / sizeof *join_options };

void command_options(struct option all[COMMAND_MOST_OPTIONS], const struct command *command)
{
    const size_t most = COMMAND_MOST_OPTIONS - RAW_OPTIONS - JOIN_OPTIONS - COMMON_OPTIONS;
    size_t n = 0;
    for (const struct option *own = command->options; own->name && n < most; own++)
        all[n++] = *own;
    for (size_t i = 0; command->raw && i < RAW_OPTIONS; i++)
        all[n++] = raw_options[i];
    for (size_t i = 0; command->joins && i < JOIN_OPTIONS; i++)
        all[n++] = join_options[i];
    memcpy(all + n, common_options, sizeof common_options);
}

static void show_help(const struct command *command)
{
    (void)fputs(embedded_text(command->name), stdout);
    if (command->raw) (void)fputs(embedded_text("_raw"), stdout);
    if (command->joins) (void)fputs(embedded_text("_join"), stdout);
    (void)fputs(embedded_text("_common"), stdout);
    if (command->ops) (void)fputs(embedded_text("_expr"), stdout);
}

void show_version(void)
{
    (void)printf("stria %s (%s)\n", stria_version(), stria_isa_name());
}

/* 0 when the option was a common one and is dealt with. */
static int take_common(const struct command *command, int option)
{
    switch (option) {
    case 'h': show_help(command); return 'h';
    case 'V': show_version(); return 'h';
    case 'q': common.quiet = true; return 0;
    case MEMORY:
        if (read_size(&common.memory, optarg) && common.memory > 0) return 0;
        (void)usage_error(command, "--memory wants a size like 500M or 2G, not '%.60s'", optarg);
        return '?';
    case TIME:
        if (read_integer(&common.seconds, optarg, 0, 1000000000)) return 0;
        (void)usage_error(command, "--time wants a number of seconds, not '%.60s'", optarg);
        return '?';
    case COLOR:
        if (colour_choose(optarg)) return 0;
        (void)usage_error(command, "--color is auto, always or never, not '%.60s'", optarg);
        return '?';
    case RAW_DTYPE: common.raw.dtype = optarg; return 0;
    case RAW_SHAPE: common.raw.shape = optarg; return 0;
    case RAW_OFFSET:
        if (read_integer(&common.raw.offset, optarg, 0, INT64_MAX)) return 0;
        (void)usage_error(command, "--offset wants a number of bytes, not '%.60s'", optarg);
        return '?';
    case DELIMITER:
        common.delimiter = !strcmp(optarg, "tab") ? '\t' : !strcmp(optarg, "blank") ? ' ' : *optarg;
        if (*optarg && (!optarg[1] || common.delimiter != *optarg)) return 0;
        (void)usage_error(command, "--delimiter is one character, tab or blank, not '%.60s'",
                          optarg);
        return '?';
    case STACK:
    case CAT: common.joined.how = option == STACK ? JOINED_STACKED : JOINED_BEHIND; return 0;
    default: return option;
    }
}

int next_option(int argc, char **argv, const struct command *command)
{
    struct option all[COMMAND_MOST_OPTIONS];
    char letters[24]; /* the first keeps getopt silent */
    command_options(all, command);
    (void)snprintf(letters, sizeof letters, ":%shqV", command->letters);
    for (;;) {
        int option = getopt_long(argc, argv, letters, all, NULL);
        if (option == '?' || option == ':') return bad_option(command, option, argv[optind - 1]);
        if (option != -1) {
            option = take_common(command, option);
            if (option) return option;
            continue;
        }
        if (!common.raw.dtype && (common.raw.shape || common.raw.offset)) {
            (void)usage_error(command, "--shape and --offset describe a FILE without a header: "
                                       "--dtype is missing");
            return '?';
        }
        if (!command->unlimited || common.memory > 0 || common.seconds > 0)
            budget_start(common.memory        ? common.memory
                         : command->unlimited ? INT64_MAX
                                              : 0,
                         common.seconds >= 0  ? common.seconds
                         : command->unlimited ? 0
                                              : -1);
        return -1;
    }
}

int usage_error(const struct command *command, const char *format, ...)
{
    struct failure failure = {.code = STRIA_ERR_ARGUMENT, .usage = true};
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
    if (status != failed) /* else what failed was told */
        (void)fprintf(stderr, "stria: cannot write the output%s%s\n", errno ? ": " : "",
                      errno ? strerror(errno) : "");
    return failed;
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

stria_status load_joined(char **paths, int *count, struct pool *pool, struct failure *failure)
{
    if (common.joined.how == JOINED_NOT || *count == 0) return STRIA_OK;
    STRIA_TRY(joined_find(&common.joined, paths, (size_t)*count, pool, failure));
    *count = 1;
    return STRIA_OK;
}

static stria_status open_source(struct source *out, const char *path, bool is_x,
                                enum source_use use, struct failure *failure)
{
    if (is_x && common.joined.count) return joined_open(out, &common.joined, failure);
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

stria_status load_with(struct inputs *inputs, char *const *with, size_t count, enum source_use use,
                       struct failure *failure)
{
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(with[i], '=');
        if (!equals || !equals[1])
            return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                       "--with is written name=FILE, not '%.80s'", with[i]);
        struct pool pool = {0};
        const char *name = must_text(&pool, with[i], (size_t)(equals - with[i]));
        const stria_status status = load(inputs, name, equals + 1, use, failure);
        stria__pool_free(&pool);
        if (status != STRIA_OK) return status;
    }
    return STRIA_OK;
}

extern const struct command info_command, show_command, stat_command, diff_command, apply_command,
    merge_command, split_command, explain_command, hash_command, completion_command;

const struct command *const commands[] = {&info_command,  &show_command,       &stat_command,
                                          &diff_command,  &apply_command,      &split_command,
                                          &merge_command, &explain_command,    &hash_command,
                                          &bench_command, &completion_command, NULL};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (!strcmp(name, commands[i]->name)) return commands[i];
    return NULL;
}
