/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands of kernels, which are tested against index arithmetic, as checkasm does it: the level is
 * raised step by step and a function that was tested already is skipped. Operands lie flush against
 * inaccessible pages, before or behind; bytes of the destination that belong to no element must
 * keep their value.
 *
 * With STRIA_SWEEP=full in the environment: every length from 0 to 130, more distances, and, some
 * bytes away from the guarded pages, other alignments.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "simd/kernels.h"
#include "support/guard.h"

enum { ROOM = 1 << 20, LONGEST = 130 };

extern struct sweep {
    bool full;
    int64_t apart; /* bytes between operands and the guarded pages */
    bool zeros;    /* all elements that are read are 0 */
} sweep;

extern struct guard out_guard, in_guard;

/* Setup and teardown of a group of tests, which is run again while sweep_again returns true. */
int operands_set_up(void **state);
int operands_tear_down(void **state);
bool sweep_again(void);

/* Returns the next length after n: of all lengths, or of those around powers of two. */
int64_t next_length(int64_t n, bool all);

/* Returns the kernels of the next level after *level that this machine has, and names them in
 * failures; or NULL. */
const struct stria_kernels *next_kernels(int *level);

/*
 * Advances to the next item size for kernels that exist once per size class: the size that a class
 * is for, then those of `any`, which ends with 0, on every level of this machine. lower: the
 * kernels of the level below, whose functions were tested already, or NULL. Begins with zeros.
 */
struct sized_kernels {
    const struct stria_kernels *kernels, *lower;
    enum size_class size;
    int64_t item;
    int level, next;
};
bool next_sized(struct sized_kernels *at, const int64_t *any);

/* A region of `size` bytes, some of which are elements; base - start of them lie before base. */
struct region {
    char *start, *base;
    size_t size;
};

/* Returns the region from base + low to base + high, which begins behind an inaccessible page or
 * ends before one. */
struct region region(const struct guard *guard, int64_t low, int64_t high, bool at_end);
/* Returns a region that begins at a cache line, right behind an inaccessible page. */
struct region aligned_region(const struct guard *guard, int64_t size);

void put_contents(struct region out, struct region in);
/* Returns where the element at out.base + offset is expected, after put_contents. */
char *expected_at(struct region out, int64_t offset);
/* Fails the test where out is not as expected, with three numbers that identify the case. */
void compare(struct region out, const char *kernel, int64_t a, int64_t b, int64_t c);

typedef void strided_kernel(const struct strided *t);
void check_strided(strided_kernel *kernel, struct strided t, bool at_end);
