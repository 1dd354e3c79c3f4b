/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exit status of a command that ends where it is: memory was refused, the time is over, a page
 * of a file is gone. Where 1 means something else (diff) it is another one.
 */
#ifndef STRIA_TOOL_FAILED_H
#define STRIA_TOOL_FAILED_H

void failed_is(int status); /* once, before the command runs; 1 where it was not called */
int failed_status(void);    /* in a signal handler, too */

#endif
