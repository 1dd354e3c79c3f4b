/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that are files in the source and built in: help, examples, and the suites of bench. */
#ifndef STRIA_TOOL_EMBEDDED_H
#define STRIA_TOOL_EMBEDDED_H

/* By the name of the file without folder and suffix; NULL: there is none. */
const char *embedded_text(const char *name);

#endif
