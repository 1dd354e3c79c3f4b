/* SPDX-License-Identifier: BSD-3-Clause */
#include "engine/bytes.h"

#include <string.h>

#include "cpu.h"

void stria__copy_many_bytes(char *out, const char *in, int64_t n)
{
    switch (stria__machine()->copier) {
    case COPY_BY_STRING: stria__cpu_move_string(out, in, (size_t)n); break;
    case COPY_BY_LOOP: stria__kernels()->copy_far(out, in, n); break;
    default: memcpy(out, in, (size_t)n); break;
    }
}
