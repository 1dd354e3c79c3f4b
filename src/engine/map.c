/* SPDX-License-Identifier: BSD-3-Clause */
/* From views to a call: casts where a dtype differs, the plan, and copies of what overlaps. */
#include "map.h"

#include "array.h"
#include "call.h"
#include "ops/copy/check.h"
#include "plan.h"
#include "status.h"
#include "stria/copy.h"
#include "stria/overlap.h"

/* ---- the program ----------------------------------------------------------------------------- */

/* Value `to` becomes value `from` of another dtype; false where nothing has to happen. */
static bool find_cast(struct program *p, const stria_view *to, const stria_view *from,
                      const stria_exec *exec)
{
    struct conversion *const how = &p->cast[p->casts];
    const stria_status status = stria__convert(how, to, from, exec);
    return status == STRIA_OK && how->row;
}

static stria_view plain(stria_dtype dtype)
{
    stria_view view;
    view.dtype = dtype;
    view.flags = 0;
    return view;
}

static int add_row(struct program *p, stria_dtype dtype, int like)
{
    const int v = p->nvalues++;
    p->item[v] = dtype.itemsize;
    p->like[v] = (int8_t)like;
    return v;
}

static void add_cast(struct program *p, int to, int from)
{
    p->code[p->count++] = (struct instruction){
        .cast = (int8_t)p->casts++, .count = 2, .value = {(int8_t)to, (int8_t)from}};
}

/* Casts of inputs, the loop, and the cast of what it makes. */
static void make_program(struct program *p, map_loop *loop, int nops,
                         const struct map_operand *operands, const stria_exec *exec)
{
    struct instruction code = {.loop = loop, .count = (int8_t)nops};
    p->nops = p->nvalues = nops;
    p->count = p->casts = 0;
    for (int k = 0; k < nops; k++) {
        p->item[k] = operands[k].view->dtype.itemsize;
        p->like[k] = -1;
        code.value[k] = (int8_t)k;
    }
    for (int k = 1; k < nops; k++) {
        const stria_view kernel = plain(operands[k].dtype);
        if (!find_cast(p, &kernel, operands[k].view, exec)) continue;
        code.value[k] = (int8_t)add_row(p, operands[k].dtype, k);
        add_cast(p, code.value[k], k);
    }
    const stria_view made = plain(operands[0].dtype);
    if (!find_cast(p, operands[0].view, &made, exec)) {
        p->code[p->count++] = code;
        return;
    }
    code.value[0] = (int8_t)add_row(p, operands[0].dtype, -1);
    p->code[p->count++] = code;
    add_cast(p, 0, code.value[0]);
}

/* ---- overlap --------------------------------------------------------------------------------- */

static bool has_same_elements(const stria_plan *plan, int k, const stria_view *out,
                              const stria_view *a)
{
    if (plan->ptr[k] != plan->ptr[0] || a->dtype.itemsize != out->dtype.itemsize) return false;
    for (int d = 0; d < plan->ndim; d++)
        if (plan->dims[d].s[k] != plan->dims[d].s[0]) return false;
    return true;
}

static bool overlaps(const stria_plan *plan, int k, const stria_view *out, const stria_view *a)
{
    if (stria__apart(stria__span_of(plan, 0, out->dtype.itemsize),
                     stria__span_of(plan, k, a->dtype.itemsize)))
        return false;
    return stria_shares_memory(out, a, OVERLAP_WORK) != STRIA_OVERLAP_NO;
}

/* Copies of inputs, and how many. */
struct copies {
    int count;
    stria_array made[STRIA_MAX_OPERANDS];
};

/* Elements that the input repeats are copied once. */
static stria_status set_aside(struct copies *copies, const stria_view **view)
{
    stria_view once = **view;
    stria_array *const made = &copies->made[copies->count];
    for (int d = 0; d < once.ndim; d++)
        if (once.strides[d] == 0 && once.shape[d] > 1) once.shape[d] = 1;
    STRIA_TRY(stria_clone_ordered(made, &once, STRIA_ORDER_K));
    copies->count++;
    *view = &made->view;
    return STRIA_OK;
}

static stria_status make_apart(struct call *call, struct copies *copies, int nops,
                               const stria_view **views)
{
    const int before = copies->count;
    call->in_place = false;
    for (int k = 1; k < nops; k++) {
        if (has_same_elements(&call->plan, k, views[0], views[k]))
            call->in_place = true;
        else if (overlaps(&call->plan, k, views[0], views[k]))
            STRIA_TRY(set_aside(copies, &views[k]));
    }
    return copies->count > before ? stria_plan_make(&call->plan, nops, views, 0) : STRIA_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static stria_status run(struct call *call, struct copies *copies, map_loop *loop, int nops,
                        const struct map_operand *operands, const stria_exec *exec)
{
    const stria_view *views[STRIA_MAX_OPERANDS];
    struct map_operand apart[STRIA_MAX_OPERANDS];
    for (int k = 0; k < nops; k++)
        views[k] = operands[k].view;
    STRIA_TRY(stria_plan_make(&call->plan, nops, views, 0));
    if (call->plan.dims[0].n == 0) return STRIA_OK;
    STRIA_TRY(make_apart(call, copies, nops, views));
    for (int k = 0; k < nops; k++)
        apart[k] = (struct map_operand){views[k], operands[k].dtype};
    make_program(&call->program, loop, nops, apart, exec);
    stria__call_decide(call, exec);
    stria__call_run(call, exec);
    return STRIA_OK;
}

stria_status stria__map(map_loop *loop, double cycles, int nops, const struct map_operand *operands,
                        const stria_exec *exec)
{
    struct call call;
    struct copies copies;
    copies.count = 0;
    call.program.cycles = cycles;
    const stria_status status = run(&call, &copies, loop, nops, operands, exec);
    while (copies.count > 0)
        stria_array_release(&copies.made[--copies.count]);
    return status;
}
