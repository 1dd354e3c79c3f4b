/* SPDX-License-Identifier: BSD-3-Clause */
/* The program stria COMMAND ... */
#include <limits.h>

#include "embedded.h"
#include "plan/threads.h"
#include "stria/machine.h"
#include "system.h"
#include "tool.h"

static void print_help(FILE *file)
{
    static const char mark[] = "@COMMANDS@\n";
    const char *const text = embedded_text("_stria"), *const list = strstr(text, mark);
    (void)fprintf(file, "%.*s", (int)(list - text), text);
    for (size_t i = 0; commands[i]; i++)
        (void)fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    (void)fputs(list + strlen(mark), file);
}

static int run_command(const struct command *command, int argc, char **argv)
{
    char title[40];
    (void)snprintf(title, sizeof title, "stria %s", command->name);
    argv[0] = title;
    if (command->trouble) failed_is(command->trouble);
    return finish(command_run(command, argc, argv), failed_status());
}

static void start_thread(void *data, int64_t i)
{
    (void)data;
    (void)i;
}

/*
 * Starts the threads before anything else where the address space is limited, and as many as have
 * room: an OpenMP runtime that cannot create a thread ends the process.
 */
static void prepare_threads(void)
{
    const int most = system_threads_most(STRIA_SCRATCH);
    if (most == INT_MAX) return;
    const int threads = stria_threads() < most ? stria_threads() : most;
    if (stria_set_threads(threads) != STRIA_OK) return;
    stria__parallel(NULL, threads, threads, start_thread, NULL);
}

/*
 * No memory is kept for later arrays: a command makes few, and results larger than memory go
 * through blocks that serve again. The profile is the user's own; one that cannot be read is told
 * of, and passed over.
 */
static void prepare_machine(void)
{
    if (stria_set_keep_limit(0) != STRIA_OK) return;
    const char *const named = getenv("STRIA_MACHINE");
    const bool own = !named || !*named;
    if ((own ? stria_machine_load(NULL) : stria_machine_load(named)) != STRIA_OK)
        (void)fprintf(stderr, "stria: %s: `stria tune` makes it anew\n", stria_last_error());
}

int main(int argc, char **argv)
{
    if (stria_version_check(STRIA_VERSION) != STRIA_OK) {
        (void)fprintf(
            stderr, "stria: this is the tool of %d.%d.%d, and does not run with libstria %s\n",
            STRIA_VERSION_MAJOR, STRIA_VERSION_MINOR, STRIA_VERSION_PATCH, stria_version());
        return EXIT_FAILED;
    }
    system_prepare();
    interrupt_prepare();
    prepare_threads();
    prepare_machine();
    const char *first = argc > 1 ? argv[1] : NULL;
    if (!first) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const bool help = !strcmp(first, "--help") || !strcmp(first, "-h") || !strcmp(first, "help");
    if (help && argc == 2) {
        print_help(stdout);
        return finish(EXIT_OK, EXIT_FAILED);
    }
    errors_as_json(argc, argv);
    if (!strcmp(first, "--version") || !strcmp(first, "-V")) {
        show_version();
        return finish(EXIT_OK, EXIT_FAILED);
    }
    const bool ops = help && !strcmp(argv[2], "ops");
    if (help && argc > 3 + ops) return usage_error("help is of one command or op at a time");
    if (ops) return help_ops(argv[3]);
    if (help) return help_about(argv[2]);
    const struct command *command = command_find(first);
    if (!command) return usage_error("there is no command '%.60s'", first);
    return run_command(command, argc - 1, argv + 1);
}
