/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of libstria_linalg, for calls by name. */
#pragma once

#include "lang/linalg_table.h"

/*
 * Sets *out to the functions of libstria_linalg: those of the archive where a program is linked
 * with it, else those of the shared library, which is loaded at the first call. UNSUPPORTED where
 * there is none.
 */
stria_status stria__linalg(const struct stria_linalg_table **out);
