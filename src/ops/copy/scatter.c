/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * At a short distance in the output, dense or standing still in the input: one of a few channels is
 * written. A masked store costs as much as a dozen stores of items that have a kernel of their own,
 * and as three of others: it pays where a line holds more of them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cpu.h"
#include "dispatch.h"
#include "kernel_args.h"
#include "strategy.h"

/* Fewer items are not worth the preparation, for each line after which the places repeat. */
enum { ENOUGH = 1024, ENOUGH_ODD = 96 };
enum { SPREAD_PLAIN = 4 /* bytes; SPREAD for items without a kernel */ };
enum {
    FAR = 8 /* times the core's L2, of items: their lines come from memory, which takes longer */
};

static bool applies(const struct nest *nest)
{
    if (nest->ndim < 1) return false;
    const struct nest_dim *d = &nest->d[0];
    if (d->si != nest->item && d->si != 0) return false;
    const bool odd = stria__size_class(nest->item) == SIZE_ANY;
    const bool far = stria__nest_bytes(nest) >= FAR * stria__cpu_l2();
    return nest->item <= LANE && d->so > nest->item &&
           d->so <= (odd || far ? SPREAD : SPREAD_PLAIN) &&
           d->n / (d->so / (d->so & -d->so)) >= (odd ? ENOUGH_ODD : ENOUGH);
}

static void run(const struct nest *nest, bool stream)
{
    stria__run_prepared(nest, stream, stria__kernels()->scatter);
}

static void explain(char *text, size_t size, const struct nest *nest)
{
    (void)snprintf(text, size, "items of %" PRId64 " bytes go %" PRId64 " bytes apart", nest->item,
                   nest->d[0].so);
}

const struct strategy stria__copy_scatter = {"scatter", applies, run, explain, 4};
