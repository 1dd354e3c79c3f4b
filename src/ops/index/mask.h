/* SPDX-License-Identifier: BSD-3-Clause */
/* What other files ask of masks. */
#ifndef STRIA_OPS_INDEX_MASK_H
#define STRIA_OPS_INDEX_MASK_H

#include "stria/view.h"

/* How often a mask of dtype bool holds. UNSUPPORTED without memory. */
stria_status stria__count_true(int64_t *count, const stria_view *mask, const char *op);

#endif
