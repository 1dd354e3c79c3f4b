/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of commands as tables: what each is called, what it takes, and where that goes. */
#ifndef STRIA_TOOL_OPTION_TABLES_H
#define STRIA_TOOL_OPTION_TABLES_H

#include <stddef.h>
#include <stdint.h>

struct command;

/* In the pool of struct common. */
struct texts {
    size_t count;
    char **items;
};
void texts_add(struct texts *texts, char *text);

struct flag {
    const char *name;
    enum {
        FLAG_TRUE,   /* bool; takes no argument, as the next one */
        FLAG_TELLS,  /* nothing: help and version */
        FLAG_TEXT,   /* const char * */
        FLAG_LIST,   /* struct texts */
        FLAG_NUMBER, /* int64_t, from low to high */
        FLAG_SIZE,   /* int64_t, at least 1 byte */
        FLAG_REAL,   /* double, from 0 to high, where that is not 0 */
        FLAG_WORD,   /* int, the number of one of the words, from 1 */
        FLAG_CALL    /* whatever `take` does: -1, or an exit status after a complaint */
    } kind;
    size_t to; /* bytes from the beginning of the request */
    int64_t low, high;
    const char *words; /* apart by blanks; of other kinds than WORD they only complete it */
    char letter;       /* 0: there is only the name */
    int (*take)(void *request, const char *text);
};

/* Number i of the flags of a command, its own ones first; NULL behind the last. */
const struct flag *command_flag(const struct command *command, int i);
/*
 * Reads options into a request, which the table of the command describes, and the common ones. They
 * may stand anywhere; then optind is where the rest begins, and the budget of the command has
 * begun. Returns -1, or the exit status: after a complaint, or what was asked for was printed.
 */
int read_options(const struct command *command, void *request, int argc, char **argv);

#endif
