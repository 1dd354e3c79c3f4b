/* SPDX-License-Identifier: BSD-3-Clause */
/* The program stria COMMAND ... */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <sys/resource.h>

#include "embedded.h"
#include "plan/threads.h"
#include "stria/machine.h"
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

/*
 * Prepares the process. A file that is opened must not get the number of a closed stream: output
 * would go into it. What is opened in its place fails when the stream is used. A write beyond
 * RLIMIT_FSIZE is an error like a full disk, not the end of the process.
 */
static void prepare_process(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    (void)signal(SIGXFSZ, SIG_IGN);
    interrupt_prepare();
}

static void start_thread(void *data, int64_t i)
{
    (void)data;
    (void)i;
}

/*
 * Starts threads. An OpenMP runtime that cannot create a thread ends the process. If the address
 * space is limited (ulimit -v), threads are created before anything else, as many as a quarter of
 * it has stacks for, and they share one heap.
 */
static void prepare_threads(void)
{
    enum { USUAL_STACK = 8 << 20 };
    struct rlimit space, stack;
    if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return;
    const bool usual = getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY;
    const rlim_t each = (usual ? USUAL_STACK : stack.rlim_cur) + STRIA_SCRATCH,
                 most = 1 + space.rlim_cur / 4 / each;
    const int threads = (rlim_t)stria_threads() < most ? stria_threads() : (int)most;
#ifdef M_ARENA_MAX
    (void)mallopt(M_ARENA_MAX, 1);
#endif
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
    prepare_process();
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
