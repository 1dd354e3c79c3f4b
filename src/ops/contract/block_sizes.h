/* SPDX-License-Identifier: BSD-3-Clause */
/* How large blocks of a product are, what they take of scratch memory, and how threads share them.
 */
#pragma once

#include "ops/contract/contraction.h"

/* Layout of a block of an operand: its items are `row`, `column` and `batch` bytes apart. */
struct place {
    char *data;
    int64_t row, column, batch;
};

/*
 * Products of so few rows are bound by reading B: a few of its rows are read side by side, which
 * hardware does not find, but a prefetch so many bytes ahead does (8 x 30000 x 2000 in f32 from
 * memory on a Zen 5: 12 GB/s without it, 25 with it).
 */
enum { FEW_ROWS = 16, B_AHEAD = 512 };

struct block_sizes {
    int64_t most[GROUPS];   /* Most indices of each group in a block. */
    int64_t room[OPERANDS]; /* Bytes of scratch memory for each operand in a part of the work. */
    int split;              /* The group whose outermost dim is divided into parts. */
    int64_t parts;
};
void stria__size_blocks(struct block_sizes *out, const struct matrices *m);

/* Tells whether blocks of an operand have complex numbers as real ones. */
bool stria__by_parts(const struct matrices *m);

/* Tells whether a block is copied by columns, which then are dense: where the operand's are. */
bool stria__is_turned(const struct matrices *m, int o);

/* Returns the place of a block of n indices of each group in scratch memory, and its bytes. */
struct place stria__scratch_place(const struct matrices *m, int o, char *room,
                                  const int64_t n[GROUPS], int64_t *bytes);
