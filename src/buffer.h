/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STRIA_SRC_BUFFER_H
#define STRIA_SRC_BUFFER_H

#include "stria/buffer.h"
#include "stria/dtype.h"

/* Called at most once, by who makes the buffer: it holds the dtype's description while it lives. */
void stria__buffer_keep_dtype(stria_buffer *buffer, stria_dtype dtype);

#endif
