/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory from the allocator hook, and how much of it, and of time, a thread may take. */
#ifndef STRIA_SRC_ALLOC_H
#define STRIA_SRC_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

#include "stria/alloc.h"
#include "stria/status.h"

/* Returns the current allocator. The caller keeps the value and frees through it. */
stria_allocator stria__allocator(void);

/* Memory of the allocator hook, of the thread's budget; at is NULL where there was none. */
struct memory {
    void *at;
    size_t size;     /* bytes, as they were asked for */
    uint64_t budget; /* that it counts for, or 0 */
    stria_allocator from;
};
struct memory stria__memory(size_t size);
void stria__memory_free(const struct memory *memory);

/* Declares memory of so many bytes, which is given back where its block ends. */
#define OWNED_MEMORY(name, bytes)                                                                  \
    __attribute__((cleanup(stria__memory_free))) const struct memory name = stria__memory(bytes)

/*
 * The most memory that a thread may hold in arrays and evaluations, while it computes text.
 * Memory that was taken before is not counted, and not given back.
 */
struct budget {
    int64_t most, used; /* bytes */
    bool refused;       /* more was wanted */
    double seconds;     /* that all of it may take; 0: any */
    int64_t until;      /* the same as a time of the clock, in nanoseconds */
    uint64_t id;        /* no other budget's */
};

/* Begins one of so much; it lies at *budget until it ends. Returns the one before. */
struct budget *stria__budget_begin(struct budget *budget, int64_t most, double seconds);
/* Ends the thread's budget, and goes on with the one before. */
void stria__budget_end(struct budget *before);
/* Counts bytes that are about to be allocated; *id is for giving them back. False: too many. */
bool stria__budget_take(uint64_t *id, size_t size);
void stria__budget_give(uint64_t id, size_t size);
/*
 * Says before a step over so many elements whether there is time for it, since what runs is not
 * interrupted: UNSUPPORTED where the time is used up, or no machine reads as many in all of it.
 * A call that passes over its elements again and again, or does more with each, counts them as
 * often.
 */
stria_status stria__budget_work(double elements);

#endif
