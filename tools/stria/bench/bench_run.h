/* SPDX-License-Identifier: BSD-3-Clause */
/* A request of the bench, carried out: cases measured one after another, and shown. */
#ifndef STRIA_TOOL_BENCH_RUN_H
#define STRIA_TOOL_BENCH_RUN_H

#include "bench_case.h"
#include "options.h"

struct bench_request {
    struct suite_list cases;
    struct bench_settings settings;
    const char *filter, *isa;
    struct texts reports; /* files to show instead of measuring */
    bool suites;          /* the cases come from suites or files */
    bool shape;           /* there is one case, from the command line */
    bool calls;           /* calls that move nothing belong to them */
    bool list, json;
};

/* Both return the exit status. */
int bench_run(struct bench_request *q);
/* What the reports hold together, as text or JSON. */
int bench_show(const struct bench_request *q);

#endif
