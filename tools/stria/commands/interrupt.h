/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles signals that end the program: nothing half-written stays behind, the line of progress is
 * cleared, and the process that waits is told the signal.
 */
#pragma once

#include <stdbool.h>

#include "stria/npy.h"

/* Called once, at the start. A signal that is ignored, as by nohup, stays ignored. */
void interrupt_prepare(void);
/* Sets the file that is being written, whose temporary file is removed with the program. NULL: none
 * any more. */
void interrupt_guard(const stria_npy_writer *writer);
/*
 * Signals that come between these two end the program after the second: while a temporary file is
 * made, renamed or removed, whichever thread gets them. SIGBUS cannot wait. Once the result is in
 * its place they are let go only if work is left: the command is done, and its status says so.
 */
void interrupt_hold(void);
void interrupt_let_go(void);
/* Tells whether a signal has come. */
bool interrupt_waits(void);
