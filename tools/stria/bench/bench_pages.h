/* SPDX-License-Identifier: BSD-3-Clause */
/* Files made of figures. */
#ifndef STRIA_TOOL_BENCH_PAGES_H
#define STRIA_TOOL_BENCH_PAGES_H

#include <stdio.h>

#include "bench_report.h"

/* A chart of the groups: geometric means against memcpy, a thin line from each one's lowest. */
void bench_svg(FILE *file, const struct bench_report *r);
/*
 * All figures as one page: no script, nothing fetched, readable on a phone, in light and in dark,
 * and by ear: every figure that a bar shows stands beside it as text.
 */
void bench_html(FILE *file, const struct bench_report *r);

#endif
