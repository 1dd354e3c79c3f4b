/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bars, for the chart and for the page: the one piece of code that turns a figure into SVG. A bar
 * is a ratio to memcpy; marks stand at memcpy itself (1) and at the best flat copy.
 */
#ifndef STRIA_TOOL_BENCH_DRAW_H
#define STRIA_TOOL_BENCH_DRAW_H

#include <stdio.h>

struct bar {
    double value;
    double low, high;  /* drawn as a thin line: quartiles, or the lowest and the mean */
    double flat;       /* the mark of the best flat copy; 0: none */
    const char *class; /* of draw_style: bar, which NULL means, plan or peer */
};

struct box {
    double x, y, width, height;
};

/* Colours for light and dark surroundings: the text of a style sheet, for SVG and HTML alike. */
extern const char draw_style[];

/* Of the ratios that have a line across the bar, and a number on the axis. */
#define DRAW_STEP 0.5
/*
 * The end of a scale on which ratios of up to `most` fit, a multiple of DRAW_STEP; at most 3, for
 * what is several times as fast as memcpy would make all others short.
 */
double draw_scale(double most);
/* Shapes in the box, whose right end stands for `scale`; a longer bar has a gap near its end. */
void draw_bar(FILE *file, struct bar bar, struct box box, double scale);
/* Text with what XML reserves escaped, control characters left out. */
void draw_text(FILE *file, const char *text);

#endif
