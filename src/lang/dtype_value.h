/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dtypes as an EXPR writes them: bare names, NumPy's strings, and records as numpy.dtype takes
 * them: [('a', '<i4'), ('b', 'f8', (2,))], {'names': ..., 'formats': ...}, 'i4,(2,)f8'.
 */
#ifndef STRIA_LANG_DTYPE_VALUE_H
#define STRIA_LANG_DTYPE_VALUE_H

#include "tagged_value.h"

/*
 * The dtype that a value stands for; descriptions of records live as long as the pool. align: as
 * numpy.dtype(align=True). ARGUMENT when it is no dtype, FORMAT for text that is none.
 */
stria_status stria__dtype_value(stria_dtype *out, const struct value *value, bool align,
                                struct pool *pool, struct failure *failure);

#endif
