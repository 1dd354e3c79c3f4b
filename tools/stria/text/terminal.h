/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A line on stderr about work that takes long: only if stderr is a terminal, only from one second
 * on, and gone when the work is done.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct progress;

/* Starts the line; label is borrowed until progress_stop. NULL when nothing will be shown. */
struct progress *progress_start(const char *label);
/* Sets how much is done, shown as a bar; without it only the seconds are shown. */
void progress_set(struct progress *progress, double done, double all);
/* Sets the activity shown after the bar; a copy of the text is kept. */
void progress_detail(struct progress *progress, const char *detail);
/* Clears the line, for output on the same terminal. */
void progress_clear(struct progress *progress);
void progress_stop(struct progress *progress);

enum colour { PLAIN, RED, GREEN, YELLOW };

/* Chooses colours; without a choice they are used if a terminal and NO_COLOR allow it. */
void colour_choose(bool always, bool never);
/* Returns the text that begins a colour in the file; "" if there are none. PLAIN ends it. */
const char *colour(FILE *file, enum colour which);
