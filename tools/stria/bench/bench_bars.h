/* SPDX-License-Identifier: BSD-3-Clause */
/* The bars of the page, all on one scale, whose axis stands above each group of them. */
#ifndef STRIA_TOOL_BENCH_BARS_H
#define STRIA_TOOL_BENCH_BARS_H

#include <stdio.h>

#include "bench_report.h"

/* The ratio at the right end of every bar of the page. */
double bars_scale(const struct bench_report *r);
/* The chart of groups: a bar for each, which links to its cases. */
void bars_groups(FILE *file, const struct bench_report *r, double scale);
/* The cases of one group: the case, its plan, other libraries. */
void bars_cases(FILE *file, const struct bench_report *r, const struct report_group *g,
                double scale);

#endif
