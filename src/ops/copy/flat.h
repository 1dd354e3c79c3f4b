/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small copies, conversions and fills of one dense run, found at a glance: checking, planning and
 * choosing would take longer than moving the bytes, or fetch more code into caches that the bytes
 * went through. So small that neither threads nor streaming come into question.
 */
#ifndef STRIA_SRC_OPS_COPY_FLAT_H
#define STRIA_SRC_OPS_COPY_FLAT_H

#include "stria/threads.h"
#include "stria/view.h"

/*
 * The copy is done, and was one that stria_copy would do without a word: both views in C order, of
 * one shape, not overlapping; of one dtype, or of numbers in native order and without signs between
 * which conversion is one kernel. False: nothing happened; the long way decides.
 */
bool stria__copy_flat(const stria_view *dst, const stria_view *src, const stria_exec *exec);

/* The same for a fill; item is not NULL. */
bool stria__fill_flat(const stria_view *dst, const void *item, const stria_exec *exec);

#endif
