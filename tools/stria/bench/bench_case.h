/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One case of the bench: what an EXPR makes of an array, copied into dense memory of its own, there
 * perhaps as another dtype, or filled. A chain that ends in contiguous or clone asks for just that
 * copy, in the order it names. An EXPR with math in it is computed instead, fused, and one that
 * ends in a reduction or a scan of a view reduced. The operands exist as many times as the regime
 * says.
 */
#ifndef STRIA_TOOL_BENCH_CASE_H
#define STRIA_TOOL_BENCH_CASE_H

#include "array_spec.h"
#include "bench_inputs.h"
#include "bench_math.h"
#include "bench_memory.h"
#include "lang/folding.h"
#include "suite.h"
#include "timing.h"

struct bench_settings {
    int threads;
    enum regime regime;
    struct timing timing;
    int64_t limit;          /* bytes of the array; larger ones are made smaller; 0: none */
    bool planned;           /* time kept plans of large cases too, where they make no difference */
    struct machine machine; /* for the regimes */
    const char *command;    /* as given, for the document */
};

/* The geometry of a case, before there is memory. */
struct bench_layout {
    struct bench_inputs inputs;       /* x first, all as small as the limit wants them */
    struct bench_program *program;    /* of a case of math; NULL: a copy, a conversion, a fill */
    const struct folding *folding;    /* what source is reduced by, in the pool; NULL: by nothing */
    struct array_spec source, target; /* fills and math have no source: 0 bytes */
    bool fill, shrunk;
    int64_t written; /* bytes of the target's elements */
    int64_t moved;   /* bytes read plus written; what has stride 0 is read once; of all steps */
    int64_t flat;    /* bytes of the memcpy beside it: see bench_layout_make */
    int64_t touched; /* bytes that a call reads and writes, the case or the memcpy */
    int64_t pairs;
};

/*
 * Reads the texts of a case and finds what is copied where. The memcpy copies as many bytes as the
 * case writes, so that a broadcast may be faster; in math, conversions and fills, where reading and
 * writing differ in size, it moves as many bytes in total. dtypes live in the pool.
 */
stria_status bench_layout_make(struct bench_layout *out, const struct suite_case *c,
                               const struct bench_settings *settings, struct pool *pool,
                               struct failure *failure);

struct bench_case {
    struct bench_layout layout;
    stria_exec exec, flat_exec; /* flat_exec: without streaming stores */
    struct repeated source, target, flat_source, flat_target; /* flat_target lies in target */
    struct bench_math math;                                   /* of a case with a program */
    char *item;                                               /* of a fill */
    stria_copy_plan *plans; /* one for each pair; NULL: a fill, math, or a reduction */
    bool planned;           /* the plans are timed */
    stria_copy_plan flat_plan;
    int64_t pair; /* whose turn it is */
};

/* Makes the memory, fills it and plans. *out is to be given to bench_case_end. */
stria_status bench_case_make(struct bench_case *out, const struct bench_layout *layout,
                             const struct bench_settings *settings, struct failure *failure);
/* Writes to the targets, whose pages are there then. */
void bench_case_touch(struct bench_case *c);
void bench_case_end(struct bench_case *c);

/* memcpy, two flat copies, the case as a call and, where asked, as a plan that is kept. */
enum { BENCH_MEMCPY = 0, BENCH_FLATS = 3, BENCH_CASE = 3, BENCH_PLANNED = 4, BENCH_CONTENDERS = 5 };
int bench_case_contenders(struct bench_case *c, struct contender out[BENCH_CONTENDERS]);

#endif
