/* SPDX-License-Identifier: BSD-3-Clause */
/* Where figures come from: the commit that was built, the command that was given. */
#ifndef STRIA_TOOL_BENCH_ORIGIN_H
#define STRIA_TOOL_BENCH_ORIGIN_H

#include "lang/pool.h"

/* As git names it, with "-dirty" for a changed tree; "" where it is not known. */
const char *bench_commit(void);
/* The arguments as a shell would read them, in the pool. */
const char *bench_command_line(struct pool *pool, int argc, char *const *argv);

#endif
