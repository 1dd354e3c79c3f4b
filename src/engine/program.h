/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program: a short list of row kernels over numbered values. Values 0 .. nops-1 are the operands
 * of the plan, of which 0 is the output; the others are rows of scratch that one instruction writes
 * and a later one reads. A copy has no instruction, a conversion has one cast, `u8 + f32` has a
 * cast and an addition.
 */
#ifndef STRIA_SRC_ENGINE_PROGRAM_H
#define STRIA_SRC_ENGINE_PROGRAM_H

#include "engine/convert.h"
#include "simd/map.h"
#include "stria/plan.h"

enum { VALUES = 2 * STRIA_MAX_OPERANDS, INSTRUCTIONS = STRIA_MAX_OPERANDS + 1 };

struct instruction {
    map_loop *loop;   /* the kernel; NULL for a cast */
    int8_t cast;      /* number of the cast */
    int8_t count;     /* number of values */
    bool accumulates; /* into the value that is written, which holds something already */
    int8_t value[STRIA_MAX_OPERANDS]; /* the value that is written, then those that are read */
};

struct program {
    int nops;    /* operands */
    int nvalues; /* operands and rows of scratch */
    int count;   /* instructions, in the order in which they run */
    int casts;
    int64_t item[VALUES]; /* bytes of an item of each value */
    int8_t like[VALUES];  /* a row of scratch has stride 0 where this operand has; -1: nowhere */
    double cycles;        /* approximate cost of an element, without moving it */
    struct instruction code[INSTRUCTIONS];
    struct conversion cast[STRIA_MAX_OPERANDS];
};

/* One operand of an elementwise operation. */
struct map_operand {
    const stria_view *view;
    stria_dtype dtype; /* native; what the kernel reads or writes */
};

/* Makes the program of a copy of items of so many bytes, which has no instruction. */
void stria__program_move(struct program *out, int64_t item);

/* Makes the program of one cast; how->row is set. */
void stria__program_cast(struct program *out, const struct conversion *how);

/*
 * Makes the program of loop over nops operands, of which the first is the output, with casts for
 * those that have another dtype than the kernel's or lazy bits. All of these conversions exist.
 */
void stria__program_map(struct program *out, map_loop *loop, double cycles, int nops,
                        const struct map_operand *operands, const stria_exec *exec);

#endif
