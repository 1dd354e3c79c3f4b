/* SPDX-License-Identifier: BSD-3-Clause */
#include "span.h"

struct span stria__span_of(const stria_plan *plan, int k, int64_t item)
{
    struct span span = {(uintptr_t)plan->ptr[k], (uintptr_t)plan->ptr[k] + (uintptr_t)item};
    for (int d = 0; d < plan->ndim; d++) {
        const int64_t s = plan->dims[d].s[k];
        const uintptr_t reach = (uintptr_t)(plan->dims[d].n - 1) * (uintptr_t)s;
        if (s < 0)
            span.low += reach;
        else
            span.high += reach;
    }
    return span;
}
