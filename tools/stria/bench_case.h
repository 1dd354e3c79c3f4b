/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One case of the bench: what an EXPR makes of an array, copied into memory of its own. A chain
 * that ends in contiguous or clone asks for just that copy, in the order it names.
 */
#ifndef STRIA_TOOL_BENCH_CASE_H
#define STRIA_TOOL_BENCH_CASE_H

#include "array_spec.h"
#include "timing.h"

enum { BENCH_CONTENDERS = 5 };

struct bench_case {
    stria_exec exec;
    stria_array source, target;           /* the case */
    stria_array flat_source, flat_target; /* as many bytes, dense; the target's memory is shared */
    stria_copy_plan plan, flat_plan;
    stria_exec flat_exec; /* without streaming stores */
    int64_t bytes;        /* of the target */
    double moved;         /* bytes read plus written; what has stride 0 is read once */
};

/* Makes the memory, fills it, and copies once. *out is to be given to bench_case_end. */
stria_status bench_case_make(struct bench_case *out, const struct array_spec *x, const char *expr,
                             int threads, struct failure *failure);
/* True when every element of the target is the one that plain index arithmetic finds. */
bool bench_case_check(const struct bench_case *c);
void bench_case_end(struct bench_case *c);

/* memcpy, two flat copies, then the case as a call and as a plan that is kept. */
void bench_case_contenders(struct bench_case *c, struct contender out[BENCH_CONTENDERS]);

#endif
