/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense copies through the caches, by the fastest way on this CPU. */
#pragma once

#include "machine/dispatch.h"
#include "machine/machine.h"

/* Copies more bytes than the first-level cache holds twice. */
void stria__copy_large(char *out, const char *in, int64_t n);

/* Copies n bytes from in to out, which do not overlap. */
static inline void stria__copy_bytes(char *out, const char *in, int64_t n)
{
    if (n <= stria__machine()->copy_near)
        stria__kernels()->copy(out, in, n);
    else
        stria__copy_large(out, in, n);
}
