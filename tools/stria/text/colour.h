/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours of a terminal: errors and differences red, what moves bytes yellow, the rest green. */
#ifndef STRIA_TOOL_COLOUR_H
#define STRIA_TOOL_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

enum colour { PLAIN, RED, GREEN, YELLOW };

/* "auto", "always" or "never"; false for another word. */
bool colour_choose(const char *when);
/* What begins the colour in the file; "" where there are none. PLAIN ends it. */
const char *colour(FILE *file, enum colour which);

#endif
