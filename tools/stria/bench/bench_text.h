/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures for a terminal. */
#ifndef STRIA_TOOL_BENCH_TEXT_H
#define STRIA_TOOL_BENCH_TEXT_H

#include "bench_report.h"

/* The heading of the table that bench_text_case fills. */
void bench_text_head(void);
/* One line: speed, quartiles, ratios, where it lies. */
void bench_text_case(const struct report_case *c);
/* All that was measured for a case, one line each. */
void bench_text_rows(const struct report_case *c);
/* What comes after the cases: calls, groups, other libraries, the machine. */
void bench_text_summary(const struct bench_report *report);

#endif
