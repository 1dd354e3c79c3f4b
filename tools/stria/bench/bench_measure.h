/* SPDX-License-Identifier: BSD-3-Clause */
/* From a suite to a document: {"machine","versions","settings","cases","calls","groups"}. */
#ifndef STRIA_TOOL_BENCH_MEASURE_H
#define STRIA_TOOL_BENCH_MEASURE_H

#include <jansson.h>

#include "bench_case.h"
#include "terminal.h"

/* Machine, versions and settings; "cases" is there and empty. */
json_t *bench_document(const struct bench_settings *settings);
/* Adds which BLAS is in use, which is loaded then. */
void bench_put_blas(json_t *document);

/*
 * What a case copies where, without measuring it: names, the layouts of both operands, and how it
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

#endif
