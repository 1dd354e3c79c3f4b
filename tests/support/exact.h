/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The definition of conversions in integers: an item is taken apart into a sign, a whole number and
 * a power of two, and put together in another format by the rules of docs/conversion.md. Slow, and
 * it shares no line and no idea with the kernels, which work on the bits of floats and with the
 * FPU.
 */
#pragma once

#include <stdbool.h>

#include "stria/dtype.h"

/* Converts one item of a numeric kind to another; native byte order, any address. wrap:
 * STRIA_CAST_WRAP. */
void exact_convert(void *out, stria_kind to, const void *in, stria_kind from, bool wrap);

/* Negates an item in its own type, or conjugates a complex one. */
void exact_negate(void *item, stria_kind kind);
void exact_conjugate(void *item, stria_kind kind);
