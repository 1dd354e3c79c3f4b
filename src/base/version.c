/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "stria/version.h"

#define TEXT(x)         #x
#define DOTTED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *stria_version(void)
{
    return DOTTED(STRIA_VERSION_MAJOR, STRIA_VERSION_MINOR, STRIA_VERSION_PATCH);
}

int stria_version_number(void)
{
    return STRIA_VERSION;
}

stria_status stria_version_check(int header)
{
    if (header >> 8 == STRIA_VERSION >> 8 && header <= STRIA_VERSION) return STRIA_OK;
    return stria__fail(
        STRIA_ERR_UNSUPPORTED,
        "version: this is the library of stria %s, and what calls it was compiled "
        "with the headers of %d.%d.%d; compile it with those of the library, or load "
        "the library of that version",
        stria_version(), header >> 16, header >> 8 & 255, header & 255);
}
