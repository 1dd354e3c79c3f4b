/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A document of figures as text: what `stria bench --json` writes, or bench/compare.py with further
 * rows for other libraries. FORMAT, with the case and the member named. bench/report.py makes
 * pages.
 */
#ifndef STRIA_TOOL_BENCH_REPORT_H
#define STRIA_TOOL_BENCH_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include "lang/failure.h"

/* The heading of the table that bench_text_case fills. */
void bench_text_head(void);
/* A case as one line or, alone, all that was measured for it. */
stria_status bench_text_case(const json_t *object, bool alone, struct failure *failure);
/* What comes after the cases: calls, groups, other libraries, the machine; before it the cases. */
stria_status bench_text_document(const json_t *document, bool cases, struct failure *failure);
/* *out: [{"suite","group","cases","untrusted","mean","lowest","lowest_case"}] */
stria_status bench_groups(json_t **out, const json_t *document, struct failure *failure);

#endif
