/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts that are files of the source and are built in: help, examples, and the suites of bench. */
#pragma once

/* Finds a text by the name of its file without folder and suffix; NULL: there is none. */
const char *embedded_text(const char *name);
