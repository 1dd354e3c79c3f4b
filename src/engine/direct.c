/* SPDX-License-Identifier: BSD-3-Clause */
/* One instruction over the operands as they lie, which needs no blocks. */
#include "ways.h"

#include "dispatch.h"
#include "machine/machine.h"
#include "odometer.h"
#include "plan.h"

/* ---- one instruction over two dims ----------------------------------------------------------- */

static void cast_rows(const struct conversion *how, char *const *ptr, const stria_dim *d)
{
    const bool dense = d[0].s[0] == how->out_item && d[0].s[1] == how->in_item;
    if (dense || d[0].n == 1) {
        stria__convert_rows(how, ptr[0], d[1].s[0], ptr[1], d[1].s[1], d[0].n, d[1].n);
        return;
    }
    for (int64_t j = 0; j < d[1].n; j++)
        stria__convert_rows(how, ptr[0] + j * d[1].s[0], d[0].s[0], ptr[1] + j * d[1].s[1],
                            d[0].s[1], 1, d[0].n);
}

void stria__run_instruction(const struct program *p, const struct instruction *code,
                            char *const *ptr, const stria_dim *d)
{
    if (code->loop)
        code->loop(ptr, d);
    else
        cast_rows(&p->cast[code->cast], ptr, d);
}

/* ---- operands as they lie -------------------------------------------------------------------- */

/*
 * Tells whether the only instruction can take the operands as they lie. A kernel takes few elements
 * at any strides; casts need dense rows, and never work in place.
 */
bool stria__is_direct(const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    if (p->count != 1 || call->stream) return false;
    const bool cast = !p->code[0].loop;
    if (cast && call->in_place) return false;
    if (!cast && stria__plan_numel(plan) <= DIRECT_ITEMS) return true;
    for (int k = 0; k < p->nops; k++) {
        const int64_t s = plan->dims[0].s[k];
        if (s != p->item[k] && (s != 0 || k == 0 || cast)) return false;
    }
    return plan->ndim == 1 || plan->dims[0].n >= JOINED_ITEMS;
}

/* Tells whether the instruction reads the operands in their order, and no constant. */
static bool is_in_order(const struct program *p)
{
    if (p->code[0].count != p->nops) return false;
    for (int k = 0; k < p->code[0].count; k++)
        if (p->code[0].value[k] != k) return false;
    return true;
}

static void run_in_order(const struct call *call, const stria_plan *plan)
{
    const struct instruction *const code = &call->program->code[0];
    static const stria_dim one = {.n = 1};
    struct odometer at;
    if (plan->ndim == 1) {
        const stria_dim d[2] = {plan->dims[0], one};
        stria__run_instruction(call->program, code, plan->ptr, d);
        return;
    }
    stria__odometer_start(&at, plan, 2);
    do
        stria__run_instruction(call->program, code, at.ptr, plan->dims);
    while (stria__odometer_next(&at, plan));
}

void stria__run_direct(const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    const struct instruction *const code = &p->code[0];
    char *ptr[STRIA_MAX_OPERANDS];
    struct odometer at;
    stria_dim d[2] = {{.n = 1}, {.n = 1}};
    if (is_in_order(p)) {
        run_in_order(call, plan);
        return;
    }
    for (int i = 0; i < 2 && i < plan->ndim; i++) {
        d[i].n = plan->dims[i].n;
        for (int k = 0; k < code->count; k++)
            d[i].s[k] = code->value[k] < p->nops ? plan->dims[i].s[code->value[k]] : 0;
    }
    stria__odometer_start(&at, plan, plan->ndim < 2 ? plan->ndim : 2);
    do {
        for (int k = 0; k < code->count; k++) {
            const int v = code->value[k];
            ptr[k] = v < p->nops ? at.ptr[v] : p->constant[v - p->nops].item;
        }
        stria__run_instruction(p, code, ptr, d);
    } while (stria__odometer_next(&at, plan));
}
