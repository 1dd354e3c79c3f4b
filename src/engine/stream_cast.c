/* SPDX-License-Identifier: BSD-3-Clause */
#include "stream_cast.h"

#include "checked.h"
#include "dispatch.h"
#include "machine/machine.h"
#include "odometer.h"
#include "plan.h"
#include "simd/kernels.h"

static bool is_suitable(const struct call *call, const stria_plan *plan)
{
    const struct program *const p = call->program;
    const struct conversion *const how = &p->cast[p->code[0].cast];
    const stria_dim *const d = &plan->dims[0];
    if (!call->stream || call->in_place || p->count != 1 || p->code[0].loop) return false;
    if (how->count != 1 || d->s[0] != how->out_item || d->s[1] != how->in_item) return false;
    if (d->n < stria__machine()->cast_row / how->out_item || LINE % how->out_item != 0)
        return false;
    return stria__rows_begin_on(plan, how->out_item);
}

static struct streamed_piece piece_of(const struct conversion *how)
{
    const int64_t line = LINE / how->out_item,
                  items =
                      stria__machine()->cast_piece / (how->in_item + how->out_item) / line * line,
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

bool stria__stream_cast(const struct call *call, const stria_plan *plan)
{
    if (!is_suitable(call, plan)) return false;
    const struct conversion *const how = &call->program->cast[call->program->code[0].cast];
    const stria_dim *const d = plan->dims;
    struct streamed_piece piece = piece_of(how);
    struct odometer at;
    stria__odometer_start(&at, plan, 1);
    do {
        const int64_t step = plan->ndim > 1 ? d[1].s[1] : 0;
        piece.on = stria__read_on(at.ptr[1], d[0].n * how->in_item, step);
        stream_row(how, &piece, at.ptr[0], at.ptr[1], d[0].n);
    } while (stria__odometer_next(&at, plan));
    stria__kernels()->fence();
    return true;
}
