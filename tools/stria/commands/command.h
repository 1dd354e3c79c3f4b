/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations that the commands share: their table, exit statuses, help, and the options several
 * of them have.
 */
#ifndef STRIA_TOOL_COMMAND_H
#define STRIA_TOOL_COMMAND_H

#include <getopt.h>
#include <stdio.h>

#include "inputs.h"
#include "joined_files.h"
#include "option_tables.h"
#include "source.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct command {
    const char *name;
    const char *summary;               /* one line of `stria --help`; help/NAME.txt is the rest */
    const struct flag *flags;          /* its own options, ended by {0}; NULL: none */
    bool ops;                          /* it takes an EXPR */
    bool raw;                          /* its FILEs may have no header: --dtype, --shape */
    bool joins;                        /* they may be one array: --stack, --cat */
    bool unlimited;                    /* there is no budget unless one is given */
    int (*run)(int argc, char **argv); /* argv[0] is "stria COMMAND" */
    int trouble;                       /* exit status where 1 means something; 0: EXIT_FAILED */
};

extern const struct command bench_command;
/* In the order of the help, ended by NULL; each is a file cmd_NAME.c. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);

/* The options that every command has, as read_options found them, and what commands keep. */
struct common {
    const struct command *command;
    int64_t memory, seconds; /* as budget_start takes them */
    bool quiet, stack, cat;
    int color;
    char delimiter; /* of tables; 0: the usual one */
    struct raw_form raw;
    struct joined joined; /* files that are x together */
    struct pool pool;     /* that nobody has to free */
};
extern struct common common;

/* With --json among the arguments, errors are objects on stdout too, wherever it stands. */
void errors_as_json(int argc, char **argv);
void show_version(void);
/* "stria apply: message" and where to read more. command NULL: none. Returns EXIT_USAGE. */
int usage_error(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Shows the failure, with the EXPR when it has a place there. Returns the exit status. */
int report(const struct failure *from, const char *source);
/* The same for what was found in a file: the command line that names it is not to blame. */
int report_file(struct failure *failure);
/* Flushes stdout: `failed`, said on stderr, when it could not all be written, else status. */
int finish(int status, int failed);

/* Text printed to the file must be there before a result is put in its place. */
stria_status flush_report(FILE *file, struct failure *failure);

/* An integer from text, whole, within low..high. */
bool read_integer(int64_t *out, const char *text, int64_t low, int64_t high);

/*
 * With --stack or --cat: takes these FILEs, and what patterns among them match, for x. *count is
 * then 1.
 */
stria_status load_joined(char **paths, int *count, struct failure *failure);
/* Opens FILE as input `name`. Says so on a terminal when slow. */
stria_status load(struct inputs *inputs, const char *name, const char *path, enum source_use use,
                  struct failure *failure);
/*
 * All that an EXPR is evaluated with: x, which is path, "" for none, or NULL where it is there; the
 * rules, if any; and every "name=FILE" of --with. SOURCE_LOOK is only for x.
 */
stria_status load_all(struct inputs *inputs, const char *path, const char *rules,
                      const struct texts *with, enum source_use use, struct failure *failure);
/* A line of progress, unless --quiet. */
struct progress *start_progress(const char *label);

/* ---- help: both return an exit status -------------------------------------------------------- */

/* The names of all ops on one screen; or how those are called that have word in them or in their
 * theme, "" all of them. */
int help_ops(const char *word);
/* The command or the ops of that name; a name may be a command's and an op's. */
int help_about(const char *name);

#endif
