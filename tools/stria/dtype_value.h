/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dtypes as an EXPR writes them: bare names, NumPy's strings, and records as numpy.dtype takes
 * them: [('a', '<i4'), ('b', 'f8', (2,))], {'names': ..., 'formats': ...}, 'i4,(2,)f8'.
 */
#ifndef STRIA_TOOL_DTYPE_VALUE_H
#define STRIA_TOOL_DTYPE_VALUE_H

#include "value.h"

/*
 * The dtype that a value stands for; descriptions of records live as long as the arena. align: as
 * numpy.dtype(align=True). ARGUMENT when it is no dtype, FORMAT for text that is none.
 */
stria_status dtype_value(stria_dtype *out, const struct value *value, bool align,
                         struct arena *arena, struct failure *failure);

/*
 * The same from text on its own, as on a command line: f32, torch.float32, <f4, and everything
 * that an EXPR can write.
 */
stria_status dtype_text_read(stria_dtype *out, const char *text, struct arena *arena,
                             struct failure *failure);

/* Takes over a reference to a record's description until the arena goes. */
void arena_keep_dtype(struct arena *arena, stria_dtype dtype);

/* The name of a dtype; a record as the list or dict that dtype_value reads. Lives in the arena. */
const char *dtype_text(stria_dtype dtype, struct arena *arena);

#endif
