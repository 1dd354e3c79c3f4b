/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks and strips cost more than small casts themselves. The whole input is gathered into scratch
 * as a copy would be, in the order of the output, and cast in one row.
 */
#include "small_cast.h"

#include "arena.h"
#include "dispatch.h"
#include "machine/machine.h"
#include "plan.h"
#include "stage.h"

enum { SMALL = 4096 /* bytes of scratch, on the stack */ };

/*
 * Makes the move of the input into scratch, in the order of the output. Returns its bytes; 0 where
 * they are more than `most`, or the call goes another way.
 */
static int64_t find_gather(struct nest *out, const struct call *call, const stria_plan *plan,
                           int64_t most)
{
    const struct program *const p = call->program;
    int64_t run = p->item[0], bytes = p->item[1];
    if (p->count != 1 || p->code[0].loop || call->stream || call->in_place) return 0;
    out->in = plan->ptr[1];
    out->item = p->item[1];
    out->ndim = 0;
    for (int d = 0; d < plan->ndim; d++) {
        const stria_dim *const dim = &plan->dims[d];
        if (dim->s[0] != run || dim->s[1] == 0 || dim->n > most / bytes) return 0;
        stria__nest_push(out, dim->n, bytes, dim->s[1]);
        run *= dim->n;
        bytes *= dim->n;
    }
    return bytes;
}

static void cast_gathered(struct nest *gather, const struct call *call, const stria_plan *plan,
                          char *scratch)
{
    const struct conversion *const how = &call->program->cast[0];
    gather->out = scratch;
    stria__strategy(gather)->run(gather, false);
    how->row(how, plan->ptr[0], scratch, stria__plan_numel(plan));
}

/* Never inlined, so that larger casts do not have its buffer on the stack. */
__attribute__((noinline)) static void cast_on_stack(struct nest *gather, const struct call *call,
                                                    const stria_plan *plan)
{
    _Alignas(64) char scratch[SMALL];
    cast_gathered(gather, call, plan, scratch);
}

/*
 * Tells whether two moves by way of a buffer take far less time than one: blocks take two.
 */
static bool wants_two_moves(const struct nest *gather)
{
    const double worth = stria__machine()->cycles.staged.worth;
    return stria__gather_cycles(gather) < worth * stria__choose_part(gather).best_cost;
}

/* Returns the bytes of scratch that a small cast takes; 0 for other calls. */
static int64_t find_small(struct nest *gather, const struct call *call, const stria_plan *plan)
{
    const int64_t bytes = find_gather(gather, call, plan, stria__machine()->block);
    return bytes > 2 * SMALL && wants_two_moves(gather) ? 0 : bytes;
}

bool stria__is_small_cast(const struct call *call, const stria_plan *plan)
{
    struct nest gather;
    return find_small(&gather, call, plan) > 0;
}

__attribute__((noinline)) bool stria__run_small_cast(const struct call *call,
                                                     const stria_plan *plan)
{
    struct nest gather;
    const int64_t bytes = find_small(&gather, call, plan);
    if (bytes > 0 && bytes <= SMALL) {
        cast_on_stack(&gather, call, plan);
        return true;
    }
    char *const scratch = bytes > 0 ? stria__arena_take(bytes) : NULL;
    if (!scratch) return false;
    cast_gathered(&gather, call, plan, scratch);
    stria__arena_give(scratch);
    return true;
}
