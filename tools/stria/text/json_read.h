/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that hold one JSON value. */
#ifndef STRIA_TOOL_JSON_READ_H
#define STRIA_TOOL_JSON_READ_H

#include <jansson.h>

#include "lang/failure.h"

/* *out is owned by the caller; path "-" is stdin. IO, or FORMAT with the line. */
stria_status json_read(json_t **out, const char *path, struct failure *failure);

#endif
