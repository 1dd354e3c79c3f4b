/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of the registry: random numbers. They follow from seed= and stream=, which are 0 where they
 * are left out: an EXPR always has the same result.
 */
#include "lang/registry.h"
#include "stria/random.h"
#include "stria/value.h"

#define SEED "seed:int=0, stream:int=0"

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

typedef stria_status fill_floats(const stria_view *out, const stria_random *r, double a, double b,
                                 const stria_exec *exec);

/* The distribution of the row from 0 to 1, or of mean 0 and deviation 1. */
static stria_status unit(struct invocation *c, stria_kind fallback)
{
    stria_random r;
    STRIA_TRY(begin(c, &r, (struct places){.shape = 0, .seed = 1, .dtype = 3}, fallback));
    return ((fill_floats *)c->row->function)(&c->out.view, &r, 0, 1, NULL);
}

/* The floats that PyTorch makes where no dtype is named, and NumPy. */
static stria_status unit_floats(struct invocation *c)
{
    return unit(c, c->numpy ? STRIA_F64 : STRIA_F32);
}

static stria_status random_f64(struct invocation *c)
{
    return unit(c, STRIA_F64);
}

static stria_status randint(struct invocation *c)
{
    stria_random r;
    STRIA_TRY(begin(c, &r, (struct places){.shape = 2, .seed = 3, .dtype = 5}, STRIA_I64));
    return stria_random_integers(&c->out.view, &r, c->args[0].integer, c->args[1].integer, NULL);
}

static stria_status of_two_numbers(struct invocation *c)
{
    stria_random r;
    double a, b;
    STRIA_TRY(stria_get_f64(&a, c->args[0].view, 0, NULL));
    STRIA_TRY(stria_get_f64(&b, c->args[1].view, 0, NULL));
    STRIA_TRY(begin(c, &r, (struct places){.shape = 2, .seed = 3, .dtype = 5}, STRIA_F64));
    return ((fill_floats *)c->row->function)(&c->out.view, &r, a, b, NULL);
}

static const struct function ops[] = {
    ROW_OF(ANY, "rand(*size|shape:ints, " SEED ", " TORCH_MADE, unit_floats, stria_random_uniform,
           random_uniform, "Draws numbers from 0 to 1, 1 excluded."),
    ROW_OF(ANY, "randn(*size|shape:ints, " SEED ", " TORCH_MADE, unit_floats, stria_random_normal,
           random_normal, "Draws numbers of the normal distribution of mean 0 and deviation 1."),
    ROW_OF(ANY, "random(*size|shape:ints, " SEED ", dtype:dtype?=None)", random_f64,
           stria_random_uniform, random_uniform, "Draws numbers from 0 to 1, 1 excluded."),
    ROW_BY(ANY, "randint(low:int, high:int, size:ints, " SEED ", " TORCH_MADE, randint,
           random_integers, "Draws integers from low to high, high excluded."),
    ROW_OF(ANY, "uniform(low:data, high:data, size:ints, " SEED ", dtype:dtype?=None)",
           of_two_numbers, stria_random_uniform, random_uniform,
           "Draws numbers from low to high, high excluded."),
    ROW_OF(ANY, "normal(mean|loc:data, std|scale:data, size:ints, " SEED ", dtype:dtype?=None)",
           of_two_numbers, stria_random_normal, random_normal,
           "Draws numbers of a normal distribution."),
};

const struct function_group stria__rows_random = {ops, sizeof ops / sizeof *ops};
