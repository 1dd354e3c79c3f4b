/* SPDX-License-Identifier: BSD-3-Clause */
/* A program whose last instruction keeps accumulators: casts, then the sum. */
#include "reduce.h"

#include "call.h"
#include "status.h"

stria_status stria__accumulate(map_loop *loop, double cycles, const stria_view *accumulators,
                               const struct map_operand *a, const stria_exec *exec)
{
    const struct map_operand operands[] = {{accumulators, accumulators->dtype}, *a};
    const stria_view *views[] = {accumulators, a->view};
    struct short_program program;
    struct call call;
    STRIA_TRY(stria_plan_make(&call.plan, 2, views, STRIA_PLAN_KEEP_ORDER));
    if (call.plan.dims[0].n == 0) return STRIA_OK;
    stria__program_map(&program, loop, cycles, 2, operands, exec);
    program.code[program.is.count - 1].accumulates = true;
    call.program = &program.is;
    call.in_place = false;
    stria__call_decide(&call, exec);
    stria__call_run(&call, exec);
    return STRIA_OK;
}
