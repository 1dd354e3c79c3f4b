/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls a loop over the two innermost dims for every index of the outer dims. */
#include "plan.h"

#include <string.h>

#include "threads.h"

struct job {
    stria_loop *loop;
    const void *arg;
};

bool stria__plan_next(const stria_plan *plan, char **ptr, int64_t *index)
{
    for (int d = 2; d < plan->ndim; d++) {
        const stria_dim *dim = &plan->dims[d];
        const bool carry = ++index[d] == dim->n;
        const int64_t by = carry ? 1 - dim->n : 1;
        for (int k = 0; k < plan->nops; k++)
            ptr[k] = stria__at(ptr[k], by, dim->s[k]);
        if (!carry) return true;
        index[d] = 0;
    }
    return false;
}

static void walk(const stria_plan *plan, const void *arg)
{
    const struct job *job = arg;
    if (plan->ndim == 1) {
        const stria_dim d[2] = {plan->dims[0], {.n = 1}};
        job->loop(plan->ptr, d, job->arg);
        return;
    }
    char *ptr[STRIA_MAX_OPERANDS];
    int64_t index[STRIA_MAX_NDIM];
    memcpy(ptr, plan->ptr, (size_t)plan->nops * sizeof ptr[0]);
    for (int d = 2; d < plan->ndim; d++)
        index[d] = 0;
    do {
        job->loop(ptr, plan->dims, job->arg);
    } while (stria__plan_next(plan, ptr, index));
}

void stria_walk(const stria_plan *plan, stria_loop *loop, const void *arg, const stria_exec *exec)
{
    const struct job job = {loop, arg};
    if (!plan || !loop || plan->ndim < 1 || stria__plan_numel(plan) == 0) return;
    stria__plan_parallel(plan, exec, stria__threads_for(exec, stria__plan_traffic(plan), 0), walk,
                         &job);
}
