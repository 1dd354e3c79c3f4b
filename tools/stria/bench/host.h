/* SPDX-License-Identifier: BSD-3-Clause */
/* The context without which figures are worth nothing: the CPU, its caches, and who compiled the
 * tool. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "view/pool.h"

struct machine {
    char cpu[100];       /* The model's name; "unknown" if the system does not tell. */
    int cores;           /* Number that this process may use. */
    int64_t l1d, l2, l3; /* Bytes as the system reports them for the first CPU; 0: unknown. */
    char system[100];    /* Kernel and architecture. */
    char compiler[60], libc[40];
};

void machine_read(struct machine *out);

/* Returns the commit as git names it, with "-dirty" for a changed tree; "" if it is not known. */
const char *bench_commit(void);
/* Returns the arguments as a shell would read them, in the pool. */
const char *bench_command_line(struct pool *pool, int argc, char *const *argv);

/* ---- where data lies before a call, which is a matter of the caches -------------------------- */

enum { REGIME_MAX_PAIRS = 1024, REGIME_HOT_MOST = 8 << 20 /* Bytes; larger sizes are not hot. */ };

enum regime { REGIME_BY_SIZE, REGIME_HOT, REGIME_L3, REGIME_DRAM };

const char *regime_name(enum regime regime);

/* Returns the number of pairs. touched: bytes that a call reads and writes; pair: bytes of both
 * arrays, gaps included. */
int64_t regime_pairs(enum regime regime, int64_t touched, int64_t pair,
                     const struct machine *machine);
/* Returns the smallest cache that holds so many bytes, "L1", "L2" or "L3", or "DRAM". */
const char *regime_lies_in(int64_t bytes, const struct machine *machine);
