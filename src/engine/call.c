/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides how a call runs, by its plan, dtypes and settings, and starts its threads. */
#include "engine/program.h"

#include <string.h>

#include "base/integers.h"
#include "machine/machine.h"
#include "plan/plan.h"
#include "simd/kernels.h"
#include "plan/threads.h"

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Counts the bytes of memory that operand k covers; repeated elements count once. */
static int64_t bytes_of(const struct call *call, int k)
{
    int64_t bytes = call->program->item[k];
    for (int d = 0; d < call->plan->ndim; d++)
        if (call->plan->dims[d].s[k] != 0 && mul_overflows(bytes, call->plan->dims[d].n, &bytes))
            return INT64_MAX;
    return bytes;
}

/* ---- programs -------------------------------------------------------------------------------- */

/* Counts the bytes that are written and twice those of the lines that are read. */
static double traffic_of(const struct call *call)
{
    double bytes = (double)bytes_of(call, 0);
    for (int v = 1; v < stria__arrays(call->program); v++) {
        struct reach in = ONE_ELEMENT;
        const int k = stria__operand_of(call->program, v);
        if (call->led >> v & 1) continue;
        for (int d = 0; d < call->plan->ndim; d++)
            stria__reach_along(&in, call->plan->dims[d].n, call->plan->dims[d].s[k]);
        bytes += 2 * stria__bytes_of_lines(&in, call->program->item[k]);
    }
    return bytes;
}

/*
 * Tells whether the output's dense runs are short and share lines with the bytes between them; each
 * such line takes as long as several others.
 */
static bool has_short_runs(const struct call *call)
{
    const stria_plan *const plan = call->plan;
    const int64_t item = call->program->item[0];
    int64_t run = item;
    bool whole = (uintptr_t)plan->ptr[0] % LINE == 0;
    int d = 0;
    for (; d < plan->ndim && plan->dims[d].s[0] == run; d++)
        run *= plan->dims[d].n;
    if (run == item || run >= LONG_RUN || d == plan->ndim) return false;
    for (; d < plan->ndim; d++)
        whole = whole && plan->dims[d].s[0] % LINE == 0;
    return !(whole && run % LINE == 0);
}

/*
 * Tells whether a cast is of short rows with gaps, one kernel each: they are read while the caches
 * write others, and every streamed piece of several of them would be waited for. From memory, rows
 * of 36 to 250 items to f32, f16, i16 and f64 take 0.5 to 0.95 of the time so, rows of 24 items 1.1
 * to 1.5 times, of 2 KB of f32 from i16 1.4 times (Zen 5, AVX2 and AVX-512).
 */
static bool casts_short_rows(const struct call *call)
{
    const struct program *const p = call->program;
    const stria_dim *const d = &call->plan->dims[0];
    return stria__is_cast(p) && call->plan->ndim > 1 && d->s[0] == p->item[0] &&
           d->s[1] == p->item[1] && d->n >= JOINED_ITEMS && d->n * p->item[0] < LONG_RUN;
}

/*
 * Tells whether a cast transposes small matrices and writes no more than it reads. Streamed blocks
 * of them take 1.2 to 3 times as long: from memory, i64 to i16, f64 to f32 and f32 to u8, matrices
 * of 9 columns, or of rows of 9 to 96 bytes and 9 to 40 columns (Zen 5). Wider ones gain by
 * streams.
 */
static bool casts_small_matrices(const struct call *call)
{
    const struct program *const p = call->program;
    const stria_dim *const d = call->plan->dims;
    if (!stria__is_cast(p) || d[0].s[0] != p->item[0] || p->item[0] > p->item[1]) return false;
    const int dim = stria__plan_dense_dim(call->plan, 1, p->item[1]);
    if (dim <= 0 || call->plan->ndim < 3) return false;
    return d[dim].n * p->item[1] < 2 * LINE ||
           (d[dim].n < 2 * LINE && d[0].n * p->item[0] <= LINE + LINE / 2);
}

/*
 * The output is not streamed if an input has already brought it into the caches, if little is
 * written beside what is read, in short runs between which other bytes lie, nor by a cast of short
 * rows or of small matrices.
 */
static bool streams_program(const struct call *call, const stria_exec *exec)
{
    if (call->in_place || call->program->outputs > 1) return false;
    if ((exec && (exec->hints & STRIA_WILL_READ_SOON)) || has_short_runs(call) ||
        casts_short_rows(call) || casts_small_matrices(call))
        return false;
    const double traffic = traffic_of(call), written = (double)bytes_of(call, 0);
    if ((traffic - written) / 2 > (double)STREAM_READS * written) return false;
    return traffic >= (double)stria__machine()->stream_from[WRITE_RESULTS];
}

/*
 * Tells whether rows follow the inputs: if all inputs are dense along one dim and the output along
 * another, the side that has fewer bytes is rearranged, and here that is the output, which is
 * scattered.
 */
static bool goes_by_input(const struct call *call)
{
    const struct program *const p = call->program;
    if (p->nops < 2 || p->outputs > 1 || call->in_place) return false;
    const int dim = stria__plan_dense_dim(call->plan, 1, p->item[1]);
    int64_t bytes = 0;
    for (int k = 1; k < p->nops; k++) {
        if (bytes_of(call, k) <= p->item[k]) continue;
        if (stria__plan_dense_dim(call->plan, k, p->item[k]) != dim ||
            call->plan->dims[0].s[k] == p->item[k])
            return false;
        bytes += p->item[k];
    }
    return dim > 0 && bytes > p->item[0];
}

/* Tells whether two operands have the same strides. */
static bool lie_alike(const struct call *call, int a, int b)
{
    if (call->program->item[a] != call->program->item[b]) return false;
    for (int d = 0; d < call->plan->ndim; d++)
        if (call->plan->dims[d].s[a] != call->plan->dims[d].s[b]) return false;
    return true;
}

/*
 * Tells whether array v comes from the caches, because it is read a little after another array of
 * its operand, or of an operand with the same layout.
 */
static bool is_led(const struct call *call, int v)
{
    const struct program *const p = call->program;
    const int operand = stria__operand_of(p, v);
    for (int u = 1; u < stria__arrays(p); u++) {
        const int other = stria__operand_of(p, u);
        const int64_t ahead =
            stria__shift_of(call, u) - stria__shift_of(call, v) +
            (int64_t)((uintptr_t)call->plan->ptr[other] - (uintptr_t)call->plan->ptr[operand]);
        if (u == v || ahead < 0 || ahead > stria__machine()->fits_l2) continue;
        if (other == operand ? ahead > 0 || u < v : ahead > 0 && lie_alike(call, other, operand))
            return true;
    }
    return false;
}

static void decide_program(struct call *call, const stria_exec *exec)
{
    const struct program *const p = call->program;
    int64_t bytes = 0;
    call->led = 0;
    for (int v = 1; v < stria__arrays(p); v++)
        call->led |= (uint64_t)is_led(call, v) << v;
    for (int v = 0; v < stria__arrays(p); v++)
        if (!(call->led >> v & 1) &&
            add_overflows(bytes, bytes_of(call, stria__operand_of(p, v)), &bytes))
            bytes = INT64_MAX;
    call->way = NULL;
    call->by_input = goes_by_input(call);
    call->far = bytes >= stria__machine()->far_rows;
    call->stream = streams_program(call, exec);
    call->fetch = !call->stream && bytes >= stria__machine()->stream_from[WRITE_RESULTS];
    call->threads =
        p->alone
            ? 1
            : stria__threads_for(exec, bytes, p->cycles * (double)stria__plan_numel(call->plan));
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* Moves a part, whose nest may be simpler than the whole. Whether to stream is decided for all
 * parts together. */
static void move_part(const stria_plan *part, const void *arg)
{
    const struct call *const call = arg;
    struct nest nest;
    stria__nest_make(&nest, part, call->item);
    stria__strategy_run(stria__strategy(&nest), &nest, call->stream);
}

static void run_move(const struct call *call, const stria_exec *exec)
{
    struct nest nest;
    if (call->threads > 1 || stria__is_watched(exec)) {
        stria__plan_parallel(call->plan, exec, call->threads, WATCHED_PIECE, move_part, call);
        return;
    }
    stria__nest_make(&nest, call->plan, call->item);
    stria__strategy_run(call->way, &nest, call->stream);
}

void stria__move(const stria_plan *plan, int64_t item, const stria_exec *exec)
{
    struct call call = {.item = item, .plan = plan};
    if (plan->dims[0].n == 0 || item == 0) return;
    stria__call_decide(&call, exec);
    stria__call_run(&call, exec);
}

/* ---- both kinds ------------------------------------------------------------------------------ */

void stria__call_decide(struct call *call, const stria_exec *exec)
{
    struct nest nest;
    if (call->program) {
        decide_program(call, exec);
        return;
    }
    stria__nest_make(&nest, call->plan, call->item);
    const int64_t bytes = stria__nest_bytes(&nest);
    call->way = stria__strategy(&nest);
    call->by_input = call->far = call->fetch = false;
    call->stream = stria__streams(call->way, &nest, exec);
    call->threads = stria__threads_for(exec, bytes > INT64_MAX / 2 ? INT64_MAX : 2 * bytes, 0);
}

void stria__call_run(const struct call *call, const stria_exec *exec)
{
    if (!call->program) {
        run_move(call, exec);
        return;
    }
    enum { SLOW = 16 /* cycles of an element times its bytes */ };
    IN_DEFAULT_FP_MODE;
    /* Functions of complex numbers take up to 80 ns for an element. */
    const bool slow = call->program->cycles * (double)call->program->item[0] >= SLOW;
    if (call->threads > 1 || stria__is_watched(exec))
        stria__plan_parallel(call->plan, exec, call->threads, slow ? SLOW_PIECE : WATCHED_PIECE,
                             stria__run_part, call);
    else
        stria__run_part(call->plan, call);
}
