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
#ifndef STRIA_TESTS_SUPPORT_OPERANDS_H
#define STRIA_TESTS_SUPPORT_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "simd/kernels.h"
#include "support/guard.h"

enum { ROOM = 1 << 20, LONGEST = 130 };

extern struct sweep {
    bool full;
    int64_t apart; /* bytes between operands and the guarded pages */
    bool zeros;    /* what is read is nothing but zeros */
} sweep;

extern struct guard out_guard, in_guard;

/* Around a group of tests, which is run again while sweep_again. */
int operands_set_up(void **state);
int operands_tear_down(void **state);
bool sweep_again(void);

/* After n: all lengths, or those around powers of two. */
int64_t next_length(int64_t n, bool all);

/* From *level on, the next that this machine has, and failures are told to be of it; or NULL. */
const struct stria_kernels *next_kernels(int *level);

/*
 * The next item size to test kernels with that there are one of per size class: the one that a
 * class is for, then those of `any`, which ends with 0, on every level of this machine. lower: the
 * kernels of the level below, whose functions were tested already, or NULL. Begins with zeros.
 */
struct sized_kernels {
    const struct stria_kernels *kernels, *lower;
    enum size_class size;
    int64_t item;
    int level, next;
};
bool next_sized(struct sized_kernels *at, const int64_t *any);

/* A region of `size` bytes of which the elements use some; base - start bytes lie before base. */
struct region {
    char *start, *base;
    size_t size;
};

/* From base + low to base + high, behind the page before it or in front of the one after it. */
struct region region(const struct guard *guard, int64_t low, int64_t high, bool at_end);
/* On a line, flush against the page before it. */
struct region aligned_region(const struct guard *guard, int64_t size);

void put_contents(struct region out, struct region in);
/* Where the element at out.base + offset is expected, once there are contents. */
char *expected_at(struct region out, int64_t offset);
/* Fails where out is not as expected, with three numbers that tell the case. */
void compare(struct region out, const char *kernel, int64_t a, int64_t b, int64_t c);

typedef void strided_kernel(const struct strided *t);
void check_strided(strided_kernel *kernel, struct strided t, bool at_end);

#endif
