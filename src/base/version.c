/* SPDX-License-Identifier: BSD-3-Clause */
#include "stria/version.h"

#define TEXT(x)         #x
#define DOTTED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *stria_version(void)
{
    return DOTTED(STRIA_VERSION_MAJOR, STRIA_VERSION_MINOR, STRIA_VERSION_PATCH);
}
