/* SPDX-License-Identifier: BSD-3-Clause */
#include "engine/bytes.h"

#include <string.h>

#include "cpu.h"

/* Tells whether `rep movsb` is slow at these addresses: see `copy_behind`. */
static inline bool is_just_behind(const char *out, const char *in)
{
    const uintptr_t behind = ((uintptr_t)out - (uintptr_t)in) % PAGE;
    return behind > 0 && behind < (uintptr_t)stria__machine()->copy_behind;
}

static void copy_string(char *out, const char *in, int64_t n)
{
    if (is_just_behind(out, in))
        stria__kernels()->copy(out, in, n);
    else
        stria__cpu_move_string(out, in, (size_t)n);
}

void stria__copy_many_bytes(char *out, const char *in, int64_t n)
{
    switch (stria__machine()->copier) {
    case COPY_BY_STRING: copy_string(out, in, n); break;
    case COPY_BY_LOOP: stria__kernels()->copy_far(out, in, n); break;
    default: memcpy(out, in, (size_t)n); break;
    }
}
