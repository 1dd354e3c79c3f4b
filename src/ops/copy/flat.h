/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast path of small copies, conversions and fills of one dense run: checking, planning and
 * choosing would take longer than moving the bytes, or evict more from the caches. They are so
 * small that neither threads nor streaming pay.
 */
#ifndef STRIA_SRC_OPS_COPY_FLAT_H
#define STRIA_SRC_OPS_COPY_FLAT_H

#include "stria/threads.h"
#include "stria/view.h"

/*
 * The views and exec are checked. Copies and returns true where stria_copy would succeed and both
 * views are in C order, of one shape, and do not overlap; and either of one dtype, or of native
 * numbers without lazy bits that one kernel converts. Otherwise returns false and has done nothing.
 */
bool stria__copy_flat(const stria_view *dst, const stria_view *src, const stria_exec *exec);

/* Does the same for a fill; item is not NULL. */
bool stria__fill_flat(const stria_view *dst, const void *item, const stria_exec *exec);

#endif
