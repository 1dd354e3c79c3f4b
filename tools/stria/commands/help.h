/* SPDX-License-Identifier: BSD-3-Clause */
/* stria help: of a command, of an op by name, of all ops by theme. Both return an exit status. */
#ifndef STRIA_TOOL_HELP_H
#define STRIA_TOOL_HELP_H

/* The names of all ops on one screen; or how those are called that have word in them or in their
 * theme, "" all of them. */
int help_ops(const char *word);
/* The command or the ops of that name; a name may be a command's and an op's. */
int help_about(const char *name);

#endif
