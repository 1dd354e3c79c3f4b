/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of many elements to one. */
#ifndef STRIA_REDUCE_H
#define STRIA_REDUCE_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Computes the sum of the main diagonal of a 2-d view as a new array of 0 dims, owned by the
 * caller. Integers and bool are summed in i64 and wrap; floats are summed in order in f64, complex
 * numbers in c128, and rounded once to a's dtype in native byte order. torch.trace. SHAPE when a
 * does not have 2 dims, DTYPE for strings, void and records, MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_trace(stria_array *out, const stria_view *a);

#ifdef __cplusplus
}
#endif

#endif
