/* SPDX-License-Identifier: BSD-3-Clause */
/* The sequence of kernels that leads from one dtype to another. */
#ifndef STRIA_SRC_ENGINE_ROUTE_H
#define STRIA_SRC_ENGINE_ROUTE_H

#include "convert.h"

/* Adds the steps from native items of kind `from` to native items of kind `to`. */
void stria__route(struct conversion *out, stria_kind to, stria_kind from, bool wrap);

void stria__route_swap(struct conversion *out, stria_dtype dtype);
/* flags are STRIA_NEG and STRIA_CONJ, as far as they matter for the kind. */
void stria__route_signs(struct conversion *out, stria_kind kind, uint32_t flags);

#endif
