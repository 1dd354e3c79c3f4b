/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of functions.def: random numbers. They follow from seed= and stream=, which are 0 where
 * they are left out: an EXPR always has the same result.
 */
#include "lang/rows/rows.h"
#include "stria/value.h"

/*
 * Fills an array of the shape that is that argument, behind which seed, stream and dtype follow. In
 * front of it there may be the two numbers of the distribution, which are 0 and 1 otherwise; NULL
 * draws integers between them.
 */
stria_status stria__row_draw(struct invocation *c, fill_floats *by, int shape, stria_kind fallback)
{
    const struct arg *const given = &c->args[shape], *const dtype = &given[3];
    const int64_t stream = given[2].integer;
    const stria_random r = {.seed = (uint64_t)given[1].integer, .stream = (uint32_t)stream};
    double numbers[] = {0, 1};
    for (int i = 0; by && i < shape; i++)
        STRIA_TRY(stria_get_f64(&numbers[i], c->args[i].view, 0, NULL));
    if (stream < 0 || stream > UINT32_MAX)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "stream is %lld; streams are 0 .. 2^32 - 1", (long long)stream);
    STRIA_TRY(stria__call_make(c, stria__dtype_or(dtype, stria_dtype_of(fallback)), given));
    return by ? by(&c->out.view, &r, numbers[0], numbers[1], NULL)
              : stria_random_integers(&c->out.view, &r, c->args[0].integer, c->args[1].integer,
                                      NULL);
}
