/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory between inaccessible pages: a kernel that reads or writes one byte outside its operands is
 * stopped at that instruction. Sanitizers do not see what vector code does.
 */
#pragma once

#include <stddef.h>

struct guard {
    char *map;
    size_t mapped, room;
};

/* Makes room for any operand of up to `room` bytes; aborts the test program when there is no
 * memory. */
struct guard guard_new(size_t room);
void guard_free(struct guard *guard);

/* Makes room for n operands. */
void guards_new(struct guard *out, int n, size_t room);
void guards_free(struct guard *guards, int n);

/* Returns size <= room bytes that begin right behind an inaccessible page, or end right before
 * one. */
char *guard_low(const struct guard *guard);
char *guard_high(const struct guard *guard, size_t size);
