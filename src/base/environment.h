/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Returns a variable of the environment; NULL in a process with raised rights (glibc). */
const char *stria__environment(const char *name);
