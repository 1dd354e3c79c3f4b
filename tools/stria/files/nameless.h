/* SPDX-License-Identifier: BSD-3-Clause */
/* Temporary files in TMPDIR or /var/tmp that have no name any more, and go with the command. */
#ifndef STRIA_TOOL_NAMELESS_H
#define STRIA_TOOL_NAMELESS_H

#include "stria/array.h"

/* Its descriptor, or -1. */
int nameless_open(void);
/* Maps the elements in C order that the file has, of the dtype and shape of a. */
stria_status nameless_map(stria_array *out, int fd, const stria_view *a);

#endif
