/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bars, for the chart and for the page: the one piece of code that turns a figure into SVG. A bar
 * is a ratio to memcpy; marks stand at memcpy itself (1) and at the best flat copy.
 */
#ifndef STRIA_TOOL_BENCH_DRAW_H
#define STRIA_TOOL_BENCH_DRAW_H

#include <stdbool.h>
#include <stdio.h>

struct bar {
    double value;
    double low, high; /* drawn as a thin line: quartiles, or the lowest and the mean */
    double flat;      /* the mark of the best flat copy; 0: none */
    bool peer;        /* another library's: in a paler colour */
};

struct box {
    double x, y, width, height;
};

/* Colours for light and dark surroundings: the text of a style sheet, for SVG and HTML alike. */
extern const char draw_style[];

/* Rectangles in the box, whose right end stands for `most`. */
void draw_bar(FILE *file, struct bar bar, struct box box, double most);
/* The end of a scale on which all of these fit: a multiple of 0.5. */
double draw_scale(double most);
/* Text with what XML reserves escaped, control characters left out. */
void draw_text(FILE *file, const char *text);

#endif
