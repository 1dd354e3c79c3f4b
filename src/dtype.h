/* SPDX-License-Identifier: BSD-3-Clause */
/* What the other layers need of the table of dtypes beyond the public header. */
#ifndef STRIA_SRC_DTYPE_H
#define STRIA_SRC_DTYPE_H

#include "stria/dtype.h"

/* NumPy's type character and size without byte order ("f4"); NULL where NumPy has no such dtype. */
const char *stria__dtype_array_name(stria_kind kind);

/* Whether kind, item size, byte order and record belong together: a caller may have put them so. */
bool stria__dtype_is_valid(stria_dtype dtype);

#endif
