/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs programs of one instruction without blocks: a kernel over operands in memory at any strides,
 * or a cast. */
#include "engine/ways.h"

#include "plan/arena.h"
#include "base/integers.h"
#include "machine/dispatch.h"
#include "machine/machine.h"
#include "plan/plan.h"
#include "simd/kernels.h"
#include "stage.h"

/* ---- operands as they lie -------------------------------------------------------------------- */

/*
 * Tells whether the only instruction can take the operands as they lie. A kernel takes few elements
 * at any strides; casts need dense rows, and never work in place.
 */
static int64_t takes_as_it_lies(enum stage *stage, const struct call *call, const stria_plan *plan)
{
    (void)stage;
    const struct program *const p = call->program;
    const bool cast = stria__is_cast(p);
    if (p->count != 1 || call->stream || p->shifts > 0 || (cast && call->in_place)) return 0;
    if (!cast && stria__plan_numel(plan) <= DIRECT_ITEMS) return plan->dims[0].n;
    for (int k = 0; k < p->nops; k++) {
        const int64_t s = plan->dims[0].s[k];
        if (s != p->item[k] && (s != 0 || k == 0 || cast)) return 0;
    }
    return plan->ndim == 1 || plan->dims[0].n >= JOINED_ITEMS ? plan->dims[0].n : 0;
}

static bool run_direct(const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    const struct instruction *const code = &p->code[0];
    char *ptr[STRIA_MAX_OPERANDS];
    struct odometer at;
    stria_dim d[2] = {{.n = 1}, {.n = 1}};
    for (int i = 0; i < 2 && i < plan->ndim; i++) {
        d[i].n = plan->dims[i].n;
        for (int k = 0; k < code->count; k++)
            d[i].s[k] = code->value[k] < p->nops ? plan->dims[i].s[code->value[k]] : 0;
    }
    stria__odometer_start(&at, plan, plan->ndim < 2 ? plan->ndim : 2);
    do {
        for (int k = 0; k < code->count; k++) {
            const int v = code->value[k];
            ptr[k] = v < p->nops ? at.ptr[v] : stria__constant(p, v);
        }
        stria__run_instruction(p, code, ptr, d);
    } while (stria__odometer_next(&at, plan));
    return true;
}

const struct way stria__way_direct = {"rows", takes_as_it_lies, run_direct};

/* ---- small casts ----------------------------------------------------------------------------- */

/* Makes the move of the input into scratch, in the order of the output; returns its bytes. */
static int64_t make_gather(struct nest *out, const struct call *call, const stria_plan *plan)
{
    int64_t bytes = call->program->item[1];
    stria__nest_begin(out, NULL, plan->ptr[1], bytes);
    for (int d = 0; d < plan->ndim; d++) {
        stria__nest_push(out, plan->dims[d].n, bytes, plan->dims[d].s[1]);
        bytes *= plan->dims[d].n;
    }
    return bytes;
}

/* Tells whether two moves through a buffer, as blocks make them, take far less time than one. */
__attribute__((noinline)) static bool is_better_staged(const struct call *call,
                                                       const stria_plan *plan)
{
    struct nest gather;
    (void)make_gather(&gather, call, plan);
    return stria__stage_in_cycles(&gather) <
           stria__machine()->cycles.staged.worth * stria__choose_part(&gather).best_cost;
}

/*
 * Tells whether a cast has a dense output and its whole input fits in scratch. It is gathered there
 * as by a copy, in the order of the output, and cast in one row; blocks and strips would cost more.
 */
static int64_t takes_small_cast(enum stage *stage, const struct call *call, const stria_plan *plan)
{
    enum { SHORT = 8 << 10 /* Most bytes of such a cast. */ };
    const int64_t most = stria__machine()->block;
    const struct program *const p = call->program;
    int64_t run = p->item[0], bytes = p->item[1];
    if (!stria__is_cast(p) || call->stream || call->in_place) return 0;
    for (int d = 0; d < plan->ndim; d++) {
        const stria_dim *const dim = &plan->dims[d];
        if (dim->s[0] != run || dim->s[1] == 0) return 0;
        if (mul_overflows(bytes, dim->n, &bytes) || bytes > most) return 0;
        run *= dim->n;
    }
    if (stage) stage[1] = STAGE_STRIP;
    return bytes > SHORT && is_better_staged(call, plan) ? 0 : stage ? run / p->item[0] : 1;
}

/* Runs a small cast. It is never inlined, so that its nest is not on the stack of other calls. */
__attribute__((noinline)) static bool run_small_cast(const struct call *call,
                                                     const stria_plan *plan)
{
    struct nest gather;
    const struct conversion *const how = &call->program->cast[0];
    char *const scratch = stria__arena_take(make_gather(&gather, call, plan));
    if (!scratch) return false;
    gather.out = scratch;
    stria__strategy(&gather)->run(&gather, false);
    how->row(how, plan->ptr[0], scratch, stria__plan_numel(plan));
    stria__arena_give(scratch);
    return true;
}

const struct way stria__way_small_cast = {"one row", takes_small_cast, run_small_cast};

/* ---- streamed casts -------------------------------------------------------------------------- */

/* Tells whether a streamed cast is one kernel over long dense rows. */
static int64_t takes_streamed_cast(enum stage *stage, const struct call *call,
                                   const stria_plan *plan)
{
    (void)stage;
    const struct program *const p = call->program;
    const struct conversion *const how = &p->cast[0];
    const stria_dim *const d = &plan->dims[0];
    if (!call->stream || call->in_place || !stria__is_cast(p)) return 0;
    if (how->count != 1 || d->s[0] != how->out_item || d->s[1] != how->in_item) return 0;
    if (d->n < CAST_ROW / how->out_item || LINE % how->out_item != 0) return 0;
    return stria__rows_begin_on(plan, how->out_item) ? d->n : 0;
}

static struct streamed_piece piece_of(const struct conversion *how)
{
    const int64_t line = LINE / how->out_item,
                  items = CAST_PIECE / (how->in_item + how->out_item) / line * line,
                  n = items > line ? items : line;
    return (struct streamed_piece){.row = how->steps[0].row,
                                   .n = n * how->steps[0].per,
                                   .in_bytes = n * how->in_item,
                                   .out_bytes = n * how->out_item,
                                   .places = stria__machine()->cast_places};
}

/* Casts a row of n items, in whole pieces from the first line of the output on. */
static void stream_row(const struct conversion *how, struct streamed_piece *piece, char *out,
                       const char *in, int64_t n)
{
    const int64_t head = (int64_t)(-(uintptr_t)out % LINE) / how->out_item,
                  pieces = (n - head) * how->out_item / piece->out_bytes,
                  done = head + pieces * (piece->out_bytes / how->out_item);
    if (head > 0) how->row(how, out, in, head);
    stria__kernels()->stream_converted(out + head * how->out_item, in + head * how->in_item, piece,
                                       pieces);
    if (done < n) how->row(how, out + done * how->out_item, in + done * how->in_item, n - done);
}

static bool run_streamed_cast(const struct call *call, const stria_plan *plan)
{
    const struct conversion *const how = &call->program->cast[0];
    const stria_dim *const d = plan->dims;
    struct streamed_piece piece = piece_of(how);
    struct odometer at;
    stria__odometer_start(&at, plan, 1);
    do {
        const int64_t step = plan->ndim > 1 ? d[1].s[1] : 0;
        piece.on = stria__read_on(at.ptr[1], d[0].n * how->in_item, step);
        stream_row(how, &piece, at.ptr[0], at.ptr[1], d[0].n);
    } while (stria__odometer_next(&at, plan));
    return true;
}

const struct way stria__way_streamed_cast = {"long rows", takes_streamed_cast, run_streamed_cast};
