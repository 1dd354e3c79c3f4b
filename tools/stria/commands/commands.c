/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of commands. */
#include <string.h>

#include "command.h"

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
