/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/order/numbers.h"

#include <string.h>

#include "checked.h"
#include "engine/conversion.h"
#include "machine/machine.h"
#include "ops/stream.h"
#include "status.h"
#include "view/view.h"

enum { PIECE = 512 /* numbers */, STAGED = 8 << 10 /* bytes */ };

struct converting {
    struct conversion how;
    int64_t item;
    take_numbers *take;
    void *context;
};

static stria_status convert(const void *bytes, int64_t size, void *context)
{
    const struct converting *const c = context;
    const char *in = bytes;
    int64_t numbers[PIECE];
    for (int64_t left = size / c->item; left > 0;) {
        const int64_t n = least(left, PIECE);
        if (c->how.row)
            c->how.row(&c->how, (char *)numbers, in, n);
        else
            memcpy(numbers, in, (size_t)n * sizeof *numbers);
        STRIA_TRY(c->take(numbers, n, c->context));
        in += n * c->item;
        left -= n;
    }
    return STRIA_OK;
}

stria_status stria__numbers(const stria_view *a, stria_kind kind, take_numbers *take, void *context)
{
    _Alignas(64) char memory[STAGED];
    struct converting c = {.item = a->dtype.itemsize, .take = take, .context = context};
    stria_view to, from;
    to.dtype = stria_dtype_of(kind);
    to.flags = 0;
    from.dtype = a->dtype;
    from.flags = 0;
    STRIA_TRY(stria__convert(&c.how, &to, &from, NULL));
    const struct stage stage = {
        .memory = memory, .size = STAGED, .near = STAGED, .direct = NUMBERS_DIRECT};
    return stria__stream(a, stage, convert, &c);
}
