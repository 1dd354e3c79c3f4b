/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of functions.def: random numbers. They follow from seed= and stream=, which are 0 where they
 * are left out: an EXPR always has the same result.
 */
#include "lang/rows/rows.h"
#include "stria/random.h"
#include "stria/value.h"

/* Where the arguments that all rows share begin. */
struct places {
    int shape, seed, dtype;
};

/* Makes the array, and the place in the sequence that arguments name. */
static stria_status begin(struct invocation *c, stria_random *r, struct places at,
                          stria_kind fallback)
{
    const struct arg *dtype = &c->args[at.dtype];
    const int64_t stream = c->args[at.seed + 1].integer;
    if (stream < 0 || stream > UINT32_MAX)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "stream is %lld; streams are 0 .. 2^32 - 1", (long long)stream);
    *r = (stria_random){.seed = (uint64_t)c->args[at.seed].integer, .stream = (uint32_t)stream};
    return stria__call_make(c, dtype->given ? dtype->dtype : stria_dtype_of(fallback),
                            &c->args[at.shape]);
}

/* The distribution of the row from 0 to 1, or of mean 0 and deviation 1. */
stria_status stria__row_unit(struct invocation *c, fill_floats *by, stria_kind fallback)
{
    stria_random r;
    STRIA_TRY(begin(c, &r, (struct places){.shape = 0, .seed = 1, .dtype = 3}, fallback));
    return by(&c->out.view, &r, 0, 1, NULL);
}

stria_status stria__row_randint(struct invocation *c)
{
    stria_random r;
    STRIA_TRY(begin(c, &r, (struct places){.shape = 2, .seed = 3, .dtype = 5}, STRIA_I64));
    return stria_random_integers(&c->out.view, &r, c->args[0].integer, c->args[1].integer, NULL);
}

stria_status stria__row_of_two_numbers(struct invocation *c, fill_floats *by)
{
    stria_random r;
    double a, b;
    STRIA_TRY(stria_get_f64(&a, c->args[0].view, 0, NULL));
    STRIA_TRY(stria_get_f64(&b, c->args[1].view, 0, NULL));
    STRIA_TRY(begin(c, &r, (struct places){.shape = 2, .seed = 3, .dtype = 5}, STRIA_F64));
    return by(&c->out.view, &r, a, b, NULL);
}
