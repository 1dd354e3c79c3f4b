/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries out a request of the bench: cases are measured one after another, and shown. */
#pragma once

#include <jansson.h>

#include "bench_case.h"
#include "option_tables.h"
#include "terminal.h"

struct bench_request {
    struct suite_list cases;
    struct bench_settings settings;
    const char *filter, *isa;
    struct texts reports; /* Files to show instead of measuring. */
    bool suites;          /* The cases come from suites or files. */
    bool shape;           /* There is one case, from the command line. */
    bool calls;           /* Calls that move nothing are measured, too. */
    bool list, json;
};

/* Both return the exit status. */
int bench_run(struct bench_request *q);
/* Shows the parts that both reports hold, as text and as JSON. */
int bench_show(const struct bench_request *q);

/* ---- a document: {"machine","versions","settings","cases","calls","groups"} ------------------ */

/* Makes a document with machine, versions and settings; "cases" is empty. */
json_t *bench_document(const struct bench_settings *settings);
/* Adds the BLAS in use, which is loaded if it was not. */
void bench_put_blas(json_t *document);

/*
 * Describes the copy of a case without measuring it: names, the layouts of both operands, and how
 * it would be copied.
 */
json_t *bench_describe(const struct suite_case *c, const struct bench_layout *layout,
                       const struct machine *machine);

/* Measures a case: returns its description and "results", or NULL after a failure, a refusal or a
 * lack of memory. */
json_t *bench_measure(const struct suite_case *c, const struct bench_layout *layout,
                      const struct bench_settings *settings,
                      void (*tell)(double done, void *context), void *context,
                      struct failure *failure);

bool bench_has_call(const char *filter); /* Tells whether there are such calls as below. */
/* Measures the calls that move nothing and whose name contains filter: [{"name","seconds"}]. */
json_t *bench_measure_calls(const struct bench_settings *settings, const char *filter);

json_t *json_quartiles(struct quartiles q);

/*
 * ---- as text: what was written, or bench/compare.py with further rows for other libraries.
 * FORMAT, with the case and the member named. bench/report.py makes pages.
 */

/* Prints the heading of the table that bench_text_case fills. */
void bench_text_head(void);
/* Prints a case as one line or, alone, everything that was measured for it. */
stria_status bench_text_case(const json_t *object, bool alone, struct failure *failure);
/* Prints the parts after the cases: calls, groups, other libraries, the machine; before them the
 * cases. */
stria_status bench_text_document(const json_t *document, bool cases, struct failure *failure);
/* Makes *out: [{"suite","group","cases","untrusted","mean","lowest","lowest_case"}]. */
stria_status bench_groups(json_t **out, const json_t *document, struct failure *failure);
