/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STRIA_SRC_ENVIRONMENT_H
#define STRIA_SRC_ENVIRONMENT_H

/* Returns a variable of the environment; NULL in a process with raised rights (glibc). */
const char *stria__environment(const char *name);

#endif
