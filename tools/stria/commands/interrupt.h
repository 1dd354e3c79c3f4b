/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals that end the program: nothing half-written stays behind, the line of progress is cleared,
 * and who waits for the process is told the signal.
 */
#ifndef STRIA_TOOL_INTERRUPT_H
#define STRIA_TOOL_INTERRUPT_H

#include <stdbool.h>

#include "stria/npy.h"

/* Once, at the start. A signal that is ignored, as nohup does it, stays so. */
void interrupt_prepare(void);
/* The file that is being written: its temporary file goes with the program. NULL: none any more. */
void interrupt_guard(const stria_npy_writer *writer);
/*
 * Signals that come between these two end the program after the second: while a temporary file is
 * made, renamed or removed, which thread ever gets them. SIGBUS cannot wait. Once the result is in
 * its place they are let go only where work is left: the command is done, and its status says so.
 */
void interrupt_hold(void);
void interrupt_let_go(void);
/* Tells whether one has come. */
bool interrupt_waits(void);

#endif
