/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory from the allocator hook, and how much of it, and of time, a thread may take. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "stria/alloc.h"
#include "stria/status.h"

/* Returns the current allocator. The caller keeps the value and frees through it. */
STRIA_FOR_LINALG stria_allocator stria__allocator(void);

/* A block of memory from the allocator hook, counted in the thread's budget; at is NULL if there
 * was none. */
struct memory {
    void *at;
    size_t size;     /* Bytes that were asked for. */
    uint64_t budget; /* Number of the budget that it counts for, or 0. */
    stria_allocator from;
};
STRIA_FOR_LINALG struct memory stria__memory(size_t size);
STRIA_FOR_LINALG void stria__memory_free(const struct memory *memory);

/* Declares a block of memory, which is released at the end of the enclosing block. */
#define OWNED_MEMORY(name, bytes)                                                                  \
    __attribute__((cleanup(stria__memory_free))) const struct memory name = stria__memory(bytes)

/*
 * The most memory that a thread may hold in arrays and evaluations while it computes text, and the
 * most time. Memory that was taken before is not counted, even when it is released.
 */
struct budget {
    int64_t most, used; /* Bytes. */
    bool refused;       /* An allocation was refused. */
    double seconds;     /* Most time for everything; 0: no limit. */
    int64_t until;      /* The end of that time by the clock, in nanoseconds. */
    uint64_t id;        /* Differs from the id of any other budget. */
};

/* Begins a budget of `most` bytes; it lies at *budget until it ends. Returns the one before. */
struct budget *stria__budget_begin(struct budget *budget, int64_t most, double seconds);
/* Ends the thread's budget, and makes the one before current again. */
void stria__budget_end(struct budget *before);
/* Counts bytes that are about to be allocated; *id is needed to return them. False: too many. */
bool stria__budget_take(uint64_t *id, size_t size);
void stria__budget_give(uint64_t id, size_t size);
/*
 * Checks before a step over so many elements whether there is time for it, since a running call is
 * not interrupted. UNSUPPORTED if the time is used up, or if no machine could read them in all of
 * it. A call that passes over its elements again and again, or does more with each, counts them as
 * often.
 */
stria_status stria__budget_work(double elements);
