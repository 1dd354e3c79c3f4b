/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of commands as tables: the name of each, its argument, and where that is stored. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct command;

/* A list of texts, in the pool of struct common. */
struct texts {
    size_t count;
    char **items;
};
void texts_add(struct texts *texts, char *text);

struct flag {
    const char *name;
    enum {
        FLAG_TRUE,   /* Stores a bool; takes no argument, as the next one. */
        FLAG_TELLS,  /* Stores nothing: help and version. */
        FLAG_TEXT,   /* Stores a const char *. */
        FLAG_LIST,   /* Adds to a struct texts. */
        FLAG_NUMBER, /* Stores an int64_t from low to high. */
        FLAG_SIZE,   /* Stores an int64_t of at least 1 byte. */
        FLAG_REAL,   /* Stores a double from 0 to high, unless that is 0. */
        FLAG_WORD,   /* Stores an int, the number of one of the words, from 1. */
        FLAG_CALL    /* Calls `take`, which returns -1, or an exit status after a complaint. */
    } kind;
    size_t to; /* Offset in the request, in bytes. */
    int64_t low, high;
    const char *words; /* Words separated by blanks; other kinds than WORD only complete them. */
    char letter;       /* 0: there is only the name. */
    int (*take)(void *request, const char *text);
};

/* Returns flag i of a command, its own ones first; NULL behind the last. */
const struct flag *command_flag(const struct command *command, int i);
/*
 * Reads the options into a request, as the table of the command describes, and the common ones.
 * They may stand anywhere; then the rest of the arguments begins at optind, and the budget of the
 * command has begun. Returns -1, or the exit status after a complaint or after printing what was
 * asked for.
 */
int read_options(const struct command *command, void *request, int argc, char **argv);
