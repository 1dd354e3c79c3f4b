/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory from the allocator hook. */
#ifndef STRIA_SRC_ALLOC_H
#define STRIA_SRC_ALLOC_H

#include "stria/alloc.h"

/* Returns the current allocator. The caller keeps the value and frees through it. */
stria_allocator stria__allocator(void);

#endif
