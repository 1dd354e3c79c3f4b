/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks the functions that the command-line tool calls besides public ones. The shared library
 * exports them under a version that names the library's own (cmake/stria.map.in), so that the
 * dynamic linker refuses a tool of another version. No public header declares them, and
 * tools/check_symbols.sh holds them to those that the tool needs.
 */
#pragma once

#include "stria/export.h"

#define TOOL_API STRIA_API
