/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* Declares secure_getenv. */
#include "base/environment.h"

#include <stdlib.h>

const char *stria__environment(const char *name)
{
#ifdef __GLIBC__
    return secure_getenv(name);
#else
    return getenv(name);
#endif
}
