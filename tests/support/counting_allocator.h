/* SPDX-License-Identifier: BSD-3-Clause */
/* An allocator that counts what the library asks of it, and can refuse. */
#pragma once

#include <stdint.h>

struct allocation_counts {
    int64_t calls;   /* calls since counting_begin */
    int64_t bytes;   /* bytes requested in these calls */
    int64_t live;    /* blocks not given back yet */
    int64_t held;    /* bytes of the blocks not given back yet */
    int64_t most;    /* the largest value of `held` so far */
    int64_t fail_at; /* the number of the call (from 1) that is refused; 0: none */
};

extern struct allocation_counts allocation_counts;

/* Installs the allocator with all counts 0. */
void counting_begin(int64_t fail_at);
/* Puts the default back. */
void counting_end(void);
