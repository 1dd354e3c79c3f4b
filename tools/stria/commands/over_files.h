/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs commands of the form `stria COMMAND FILE... [EXPR]`, which handle one array after the
 * other. */
#pragma once

#include "command.h"
#include "lang/eval.h"

/* The first member of a request that has options of its own. */
struct over_files {
    /* Called with the array that EXPR makes of each file. */
    stria_status (*act)(struct over_files *o, const stria_view *a, struct failure *failure);
    const char *path, *expr, *rules; /* Path of the current file, "" if there is none. */
    struct texts with;
    int files;
    bool json;
    bool asks;                  /* Set before: EXPR may ask for an answer, x.shape. */
    const struct value *answer; /* The answer; act is called with NULL then. */
};

#define OVER_FILES_FLAGS                                                                           \
    {.name = "json", .kind = FLAG_TRUE, .to = offsetof(struct over_files, json)},                  \
        {.name = "with", .kind = FLAG_LIST, .to = offsetof(struct over_files, with)},              \
        {.name = "rules",                                                                          \
         .kind = FLAG_TEXT,                                                                        \
         .to = offsetof(struct over_files, rules),                                                 \
         .words = "torch numpy"},                                                                  \
    {                                                                                              \
        .name = "expr", .kind = FLAG_TEXT, .to = offsetof(struct over_files, expr)                 \
    }

/* Runs such a command; returns the exit status, the worst one of all files. */
int over_files(void *request, int argc, char **argv);
