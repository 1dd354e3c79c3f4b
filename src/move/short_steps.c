/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies along whose innermost dims one operand is dense and the other has a short constant step:
 * lines of both are loaded and stored whole, and items are shuffled in between. One kernel runs the
 * whole nest.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cost.h"
#include "machine/dispatch.h"
#include "strategy.h"

/*
 * Runs the whole nest by a kernel that continues by itself, so that it makes its preparations once.
 */
static void run_prepared(const struct nest *nest, bool stream,
                         void (*kernel)(const struct strided *t))
{
    struct nest_walk walk;
    struct strided t = stria__strided_args(nest, stream);
    stria__nest_continue(&t, &walk, nest);
    kernel(&t);
}

/* ---- from a short step ----------------------------------------------------------------------- */

/*
 * Estimates the cost of copies with a dense output and an input with a short step, in either
 * direction: [::2], [::3], [::-1], one channel of interleaved records. Each load brings several
 * items. If the items in between are the next row of the output, as with records of a few channels,
 * the kernel alternates between rows. Each lane of output takes a few loads and as many shuffles.
 * Rows that are too short for the kernel are copied item by item, as strided does with less
 * overhead. If the items in between are other rows, each row reads the same lines again.
 */
static double cost_gather(const struct facts *f)
{
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const int item = (int)f->nest->item, s = (int)f->nest->d[0].si, step = s < 0 ? -s : s;
    const int per = LANE / item, per_load = (LANE - item) / step + 1;
    const double lanes = f->items / per, loads = (per - 1) / per_load + 1;
    const double once = c->gather.lanes + c->gather.loads * loads,
                 each = f->across ? once + c->gather.lanes_again : once;
    return c->gather.prepared + lanes * each + f->rows * c->gather.row + f->calls * c->gather.call;
}

/* Copies rows; long ones whose items fill lines are streamed, in the order of the input. */
static void run_gather(const struct nest *nest, bool stream)
{
    struct nest sorted;
    const bool streams =
        stream && LANE % nest->item == 0 && nest->d[0].n * nest->item >= LONG_ITEMS;
    if (streams) stria__nest_by_input(&sorted, nest, 1);
    run_prepared(streams ? &sorted : nest, streams, stria__kernels()->gather);
}

static void explain_gather(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "items of %" PRId64 " bytes every %" PRId64 " bytes", nest->item,
                   nest->d[0].si);
}

const struct strategy stria__copy_gather = {"gather",       OUT_DENSE | IN_NEAR | FORWARD,
                                            cost_gather,    run_gather,
                                            explain_gather, .write = WRITE_ITEMS};
const struct strategy stria__copy_reverse = {"reverse",      OUT_DENSE | IN_NEAR | BACKWARD,
                                             cost_gather,    run_gather,
                                             explain_gather, .write = WRITE_BACKWARDS};

/* ---- to a short step ------------------------------------------------------------------------- */

/*
 * Estimates the cost of copies whose input is dense or has stride 0 and whose output is one of a
 * few channels. A masked store costs as much as a dozen stores of items that have a kernel of their
 * own, and as three of others, so it pays if a line holds more of them. Each line of the period has
 * to be prepared, and the ends of a row are copied item by item.
 */
static double cost_scatter(const struct facts *f)
{
    const struct nest *nest = f->nest;
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const int64_t so = nest->d[0].so;
    const double period = (double)(so / (so & -so)), lines = f->items * (double)so / LINE;
    return period * c->scatter.prepared + lines * c->scatter.lines + f->rows * c->scatter.row;
}

static void run_scatter(const struct nest *nest, bool stream)
{
    run_prepared(nest, stream, stria__kernels()->scatter);
}

static void explain_scatter(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "items of %" PRId64 " bytes go %" PRId64 " bytes apart", nest->item,
                   nest->d[0].so);
}

const struct strategy stria__copy_scatter = {"scatter",   OUT_SPREAD,      cost_scatter,
                                             run_scatter, explain_scatter, .write = WRITE_ITEMS};

/* ---- planes to records ----------------------------------------------------------------------- */

/*
 * Estimates the cost of interleaving two to eight runs of the input to one run of the output, item
 * by item. Each line of records takes a shuffle of every plane, and the tables take as many to
 * prepare. For a few planes from beyond the second level that hides behind the reads, which go on
 * in order. Items at the end of a run that do not fill a lane are copied one by one.
 */
static double cost_interleave(const struct facts *f)
{
    const struct nest *nest = f->nest;
    const struct stria__cycles *const c = &stria__machine()->cycles;
    const int64_t planes = nest->d[0].n;
    const bool far =
        planes <= c->interleave.far_planes && stria__nest_bytes(nest) >= stria__machine()->far;
    const int64_t run = nest->ndim > 1 ? nest->d[1].n : 1;
    const double single = f->items * (double)(run % (LANE / nest->item)) / (double)run;
    const double lines = (f->items - single) * (double)nest->item / LINE;
    const double each = far ? c->interleave.far_lines : c->interleave.near_lines;
    return (c->interleave.prepared + lines * each) * (double)planes +
           f->calls * c->interleave.call + single * stria__item_cycles(nest->item);
}

/* Interleaves planes; long runs of records that begin on a line now and then are streamed. */
static void run_interleave(const struct nest *nest, bool stream)
{
    const int64_t record = nest->d[0].n * nest->item,
                  offset = (int64_t)((uintptr_t)nest->out % LINE);
    const bool in_lines = offset % (record & -record) == 0 && nest->d[1].n * record >= LONG_RUN;
    run_prepared(nest, stream && in_lines, stria__kernels()->interleave);
}

static void explain_interleave(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "%" PRId64 " planes to records of %" PRId64 " bytes", nest->d[0].n,
                   nest->d[0].n * nest->item);
}

const struct strategy stria__copy_interleave = {"interleave",       PLANAR | OUT_DENSE | SIZED,
                                                cost_interleave,    run_interleave,
                                                explain_interleave, .write = WRITE_ITEMS};
