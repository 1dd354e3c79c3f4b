/* SPDX-License-Identifier: BSD-3-Clause */
/* A request of the bench, carried out: cases measured one after another, and shown. */
#ifndef STRIA_TOOL_BENCH_RUN_H
#define STRIA_TOOL_BENCH_RUN_H

#include <jansson.h>

#include "bench_case.h"
#include "option_tables.h"
#include "terminal.h"

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
/* The parts that both reports hold, the text and the JSON. */
int bench_show(const struct bench_request *q);

/* ---- a document: {"machine","versions","settings","cases","calls","groups"} ------------------ */

/* Machine, versions and settings; "cases" is there and empty. */
json_t *bench_document(const struct bench_settings *settings);
/* Adds which BLAS is in use, which is loaded then. */
void bench_put_blas(json_t *document);

/*
 * The copy of a case, without measuring it: names, the layouts of both operands, and how it
 * would be copied.
 */
json_t *bench_describe(const struct suite_case *c, const struct bench_layout *layout,
                       const struct machine *machine);

/* Measures a case: its description and "results". NULL on failure, a refusal or no memory. */
json_t *bench_measure(const struct suite_case *c, const struct bench_layout *layout,
                      const struct bench_settings *settings,
                      void (*tell)(double done, void *context), void *context,
                      struct failure *failure);

bool bench_has_call(const char *filter); /* whether there are such calls, below */
/* Calls that move nothing, by name: [{"name","seconds"}]; those whose name contains filter. */
json_t *bench_measure_calls(const struct bench_settings *settings, const char *filter);

json_t *json_quartiles(struct quartiles q);

/*
 * ---- as text: what was written, or bench/compare.py with further rows for other libraries.
 * FORMAT, with the case and the member named. bench/report.py makes pages.
 */

/* The heading of the table that bench_text_case fills. */
void bench_text_head(void);
/* A case as one line or, alone, all that was measured for it. */
stria_status bench_text_case(const json_t *object, bool alone, struct failure *failure);
/* The parts after the cases: calls, groups, other libraries, the machine; before it the cases. */
stria_status bench_text_document(const json_t *document, bool cases, struct failure *failure);
/* *out: [{"suite","group","cases","untrusted","mean","lowest","lowest_case"}] */
stria_status bench_groups(json_t **out, const json_t *document, struct failure *failure);

#endif
