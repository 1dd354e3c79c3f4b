/* SPDX-License-Identifier: BSD-3-Clause */
/* stria COMMAND ... */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "embedded.h"
#include "interrupt.h"
#include "must.h"

static void print_help(FILE *file)
{
    static const char mark[] = "@COMMANDS@\n";
    const char *const text = embedded_text("_stria"), *const list = strstr(text, mark);
    (void)fprintf(file, "%.*s", (int)(list - text), text);
    for (size_t i = 0; commands[i]; i++)
        (void)fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    (void)fputs(list + strlen(mark), file);
}

static int run(const struct command *command, int argc, char **argv)
{
    char title[40];
    (void)snprintf(title, sizeof title, "stria %s", command->name);
    argv[0] = title;
    if (command->trouble) failed_is(command->trouble);
    return finish(command->run(argc, argv), failed_status());
}

/*
 * A file that is opened must not get the number of a stream that was closed: output would go into
 * it. What holds the place fails at what the stream is for. A write beyond RLIMIT_FSIZE is an error
 * like a full disk, not the end of the process.
 */
static void prepare_process(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
    (void)signal(SIGXFSZ, SIG_IGN);
    interrupt_prepare();
}

int main(int argc, char **argv)
{
    prepare_process();
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
    if (help && argc > 3 + ops) return usage_error(NULL, "help is of one command or op at a time");
    if (ops) return help_ops(argv[3]);
    if (help) return help_about(argv[2]);
    const struct command *command = command_find(first);
    if (!command) return usage_error(NULL, "there is no command '%.60s'", first);
    return run(command, argc - 1, argv + 1);
}
