/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations that the commands share: their table, exit statuses, help, and common options. */
#pragma once

#include <getopt.h>
#include <stdio.h>

#include "inputs.h"
#include "joined_files.h"
#include "option_tables.h"
#include "source.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct command {
    const char *name;
    const char *summary;      /* One line of `stria --help`; help/NAME.txt has the rest. */
    const struct flag *flags; /* Its own options, ended by {0}; NULL: none. */
    bool ops;                 /* It takes an EXPR. */
    bool raw;                 /* Its FILEs may have no header: --dtype, --shape. */
    bool joins;               /* Its FILEs may be one array: --stack, --cat. */
    bool unlimited;           /* There is no budget unless one is given. */
    size_t size;              /* Bytes of its request, which the options are stored in. */
    const void *usual;        /* The request without options; NULL: all zeros. */
    /* Prepares the request further, before options are read; NULL: nothing is left to do. */
    void (*prepare)(void *request, int argc, char **argv);
    /* Runs the command; argv[0] is "stria COMMAND", and argv[optind] the first that is no option.
     */
    int (*run)(void *request, int argc, char **argv);
    int trouble; /* Exit status of trouble if 1 means something else; 0: EXIT_FAILED. */
};

/* The commands in the order of the help, ended by NULL; each is a file cmd_NAME.c. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);
/* Reads the options of a command and runs it; returns the exit status. */
int command_run(const struct command *command, int argc, char **argv);

/* The options that every command has, as read_options found them, and memory of the command. */
struct common {
    const struct command *command;
    int64_t memory, seconds; /* Limits as budget_start takes them. */
    bool quiet, stack, cat;
    int color;
    char delimiter; /* Delimiter of tables; 0: the usual one. */
    struct raw_form raw;
    struct joined joined; /* Files that are x together. */
    struct pool pool;     /* Memory that nobody has to free. */
};
extern struct common common;

/* Makes errors objects on stdout, too, if --json is anywhere among the arguments. */
void errors_as_json(int argc, char **argv);
void show_version(void);
/* Prints "stria apply: message" and where to read more. Returns EXIT_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Shows the failure, with the EXPR if it has a place there. Returns the exit status. */
int report(const struct failure *from, const char *source);
/* Shows a failure that was found in a file: the command line that names it is not to blame. */
int report_file(struct failure *failure);
/* Flushes stdout; returns `failed`, after a message on stderr, if not all could be written, else
 * status. */
int finish(int status, int failed);

/* Flushes the report, so that it is written before a result is put in its place. */
stria_status flush_report(FILE *file, struct failure *failure);

/* Reads an integer that is the whole text, within low..high. */
bool read_integer(int64_t *out, const char *text, int64_t low, int64_t high);

/*
 * Takes the FILEs of --stack or --cat, and those that match patterns among them, for x; *count is
 * then 1.
 */
stria_status load_joined(char **paths, int *count, struct failure *failure);
/* Opens FILE as input `name`. Says so on a terminal when slow. */
stria_status load(struct inputs *inputs, const char *name, const char *path, enum source_use use,
                  struct failure *failure);
/*
 * Loads everything that an EXPR is evaluated with: x from path ("": none; NULL: it exists already),
 * the rules, if any, and every "name=FILE" of --with. SOURCE_LOOK applies only to x.
 */
stria_status load_all(struct inputs *inputs, const char *path, const char *rules,
                      const struct texts *with, enum source_use use, struct failure *failure);
/* Starts a line of progress, unless --quiet. */
struct progress *start_progress(const char *label);

/* ---- help: both return an exit status -------------------------------------------------------- */

/* Prints the names of all ops on one screen; or the calls of those that have word in them or in
 * their theme, "" for all. */
int help_ops(const char *word);
/* Prints the help of the command or the ops of that name, which may be a command's and an op's. */
int help_about(const char *name);
