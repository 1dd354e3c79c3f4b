/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STRIA_VERSION_H
#define STRIA_VERSION_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STRIA_VERSION_MAJOR 0
#define STRIA_VERSION_MINOR 1
#define STRIA_VERSION_PATCH 0

/* The same as one number, which grows with each version: 0x000100 is 0.1.0. */
#define STRIA_VERSION (STRIA_VERSION_MAJOR << 16 | STRIA_VERSION_MINOR << 8 | STRIA_VERSION_PATCH)

/*
 * The number of the binary interface, which is part of the library's name while the major version
 * is 0 (libstria.so.0.1). It rises with each change that breaks programs that are compiled already;
 * tests/abi holds what it stands for.
 */
#define STRIA_ABI 1

/* Returns the version of the library that runs, "0.1.0", as static text, and as a number. */
STRIA_API const char *stria_version(void);
STRIA_API int stria_version_number(void);

/*
 * Tells whether this library runs what was compiled with the headers of a version, which passes
 * STRIA_VERSION: for who loads the library by name. A library serves the headers of its own minor
 * version that are not newer than it. UNSUPPORTED, with both versions, where it does not.
 */
STRIA_API STRIA_MUST_USE stria_status stria_version_check(int header);

#ifdef __cplusplus
}
#endif

#endif
