/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STRIA_VERSION_H
#define STRIA_VERSION_H

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STRIA_VERSION_MAJOR 0
#define STRIA_VERSION_MINOR 1
#define STRIA_VERSION_PATCH 0

/* Returns the version of the library that runs, "0.1.0", as static text. */
STRIA_API const char *stria_version(void);

#ifdef __cplusplus
}
#endif

#endif
