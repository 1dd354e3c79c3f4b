/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counted handles of arrays, for runtimes that keep arrays by address. A stria_array has room for
 * 64 dims; a handle is one allocation with the dims there are: 80 bytes and 16 for each dim.
 */
#ifndef STRIA_REF_H
#define STRIA_REF_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stria_ref stria_ref;

/*
 * Makes a handle of what a view shows, which keeps the memory alive; foreign memory is borrowed.
 * The caller owns the one reference to *out and gives it back with stria_ref_release. ARGUMENT,
 * MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_ref_make(stria_ref **out, const stria_view *a);

/* Views the array, for as long as the handle lives or the view is shared. ARGUMENT for NULL. */
STRIA_API STRIA_MUST_USE stria_status stria_ref_view(stria_view *out, const stria_ref *ref);

/* Take and give back a reference; the last one frees. NULL is allowed. Any thread may. */
STRIA_API stria_ref *stria_ref_retain(stria_ref *ref);
STRIA_API void stria_ref_release(stria_ref *ref);

#ifdef __cplusplus
}
#endif

#endif
