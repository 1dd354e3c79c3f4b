/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands of the form `stria COMMAND FILE... [EXPR]`, which look at one array after the other. */
#ifndef STRIA_TOOL_OVER_FILES_H
#define STRIA_TOOL_OVER_FILES_H

#include "command.h"
#include "lang/eval.h"

struct over_files {
    const struct command *command;
    const char *path, *expr, *rules; /* path: the present one, "" where there is none */
    char **with;                     /* one for each argument is enough */
    size_t nwith;
    int files;
    bool json;
    bool asks;                  /* set before: EXPR may ask for something, x.shape */
    const struct value *answer; /* what it asked for; act is called with NULL then */
    struct pool pool;
};

/* Codes of the options below; a command's own ones begin with OVER_OWN. */
enum { OVER_JSON = 1, OVER_WITH, OVER_RULES, OVER_EXPR, OVER_OWN };

#define OVER_FILES_OPTIONS                                                                         \
    {"json", no_argument, NULL, OVER_JSON}, {"with", required_argument, NULL, OVER_WITH},          \
        {"rules", required_argument, NULL, OVER_RULES},                                            \
    {                                                                                              \
        "expr", required_argument, NULL, OVER_EXPR                                                 \
    }

void over_files_start(struct over_files *o, const struct command *command, int argc);
/* Takes one of the options above; false when it is none of them. */
bool over_files_option(struct over_files *o, int option);
/*
 * Calls act with the array that EXPR makes of each file; own is handed on. Returns the exit status,
 * the worst one of all files, and ends *o.
 */
int over_files(struct over_files *o, int argc, char **argv,
               stria_status (*act)(struct over_files *o, const stria_view *a, void *own,
                                   struct failure *failure),
               void *own);

#endif
