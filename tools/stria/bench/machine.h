/* SPDX-License-Identifier: BSD-3-Clause */
/* What figures are worth nothing without: the CPU, its caches, and who compiled what. */
#ifndef STRIA_TOOL_MACHINE_H
#define STRIA_TOOL_MACHINE_H

#include <stdint.h>

#include "lang/pool.h"

struct machine {
    char cpu[100];       /* the model's name; "unknown" where the system does not tell */
    int cores;           /* that this process may use */
    int64_t l1d, l2, l3; /* bytes as the system reports them for the first CPU; 0: not told */
    char system[100];    /* kernel and architecture */
    char compiler[60], libc[40];
};

void machine_read(struct machine *out);

/* As git names it, with "-dirty" for a changed tree; "" where it is not known. */
const char *bench_commit(void);
/* The arguments as a shell would read them, in the pool. */
const char *bench_command_line(struct pool *pool, int argc, char *const *argv);

#endif
