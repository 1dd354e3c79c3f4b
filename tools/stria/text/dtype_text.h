/* SPDX-License-Identifier: BSD-3-Clause */
/* Dtypes from text of a command line, and as text. */
#ifndef STRIA_TOOL_DTYPE_TEXT_H
#define STRIA_TOOL_DTYPE_TEXT_H

#include "lang/failure.h"
#include "lang/pool.h"

/* f32, torch.float32, <f4, and everything that an EXPR can write. FORMAT for other text. */
stria_status dtype_text_read(stria_dtype *out, const char *text, struct pool *pool,
                             struct failure *failure);

/* The name of a dtype; a record as the list or dict that numpy.dtype reads. Lives in the pool. */
const char *dtype_text(stria_dtype dtype, struct pool *pool);

#endif
