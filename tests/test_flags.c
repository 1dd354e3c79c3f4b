/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating-point exceptions: on harmless input no operation raises one, in rows of any length, so
 * that a host may have them trap. Where the C library can, they do trap here. Harmless are numbers
 * of everyday size at which an operation has a finite result, 0 among them.
 *
 * clang takes it that nobody looks at exceptions, and computes both sides of a choice where that is
 * faster: fma, spacing, i0 and some others raise them there, and nothing is promised.
 */
#define _GNU_SOURCE /* feenableexcept */

#include <fenv.h>
#include <stdio.h>
#include <string.h>

#include "stria/stria.h"
#include "support/test.h"
#include "support/levels.h"

enum { MOST = 40, EXCEPTIONS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

/* The range of operands, for operations that do not take -4 to 4. */
struct domain {
    stria_op op;
    double low, high;
};

static const struct domain domains[] = {
    {STRIA_ERFCX, -1, 4},        {STRIA_ACOSH, 1, 8},       {STRIA_LOG, 0.125, 8},
    {STRIA_LOG2, 0.125, 8},      {STRIA_LOG10, 0.125, 8},   {STRIA_LOG1P, -0.875, 8},
    {STRIA_ASIN, -1, 1},         {STRIA_ACOS, -1, 1},       {STRIA_ATANH, -0.875, 1},
    {STRIA_SQRT, 0, 8},          {STRIA_RSQRT, 0.125, 8},   {STRIA_ERFINV, -0.875, 1},
    {STRIA_LOGIT, 0.125, 0.875}, {STRIA_NDTRI, 0.125, 1},   {STRIA_ENTR, 0, 4},
    {STRIA_POW, 0, 4},           {STRIA_FLOAT_POWER, 0, 4}, {STRIA_XLOGY, 0, 4},
    {STRIA_XLOG1PY, 0, 4},       {STRIA_LGAMMA, 0.25, 8},   {STRIA_TGAMMA, 0.25, 8},
    {STRIA_DIGAMMA, 0.25, 8},    {STRIA_DIVIDE, 0.25, 4},   {STRIA_RECIPROCAL, 1, 4},
    {STRIA_FLOOR_DIVIDE, 1, 4},  {STRIA_REMAINDER, 1, 4},   {STRIA_FMOD, 1, 4},
    {STRIA_ADDCDIV, 1, 4},       {STRIA_CELU, 0.25, 4},     {STRIA_SOFTPLUS, 0.25, 4},
    {STRIA_ELU, 0.25, 4},
};

static struct domain domain_of(stria_op op)
{
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if (domains[i].op == op) return domains[i];
    return (struct domain){op, -4, 4};
}

/* Returns item i of operand k: multiples of a sixteenth of the range, whose high end is left
 * out. */
static double number(struct domain d, int k, int i, stria_kind kind)
{
    const double x = d.low + (d.high - d.low) * ((i * 7 + k * 5) % 16) / 16;
    const bool whole = kind < STRIA_F8E4M3;
    const int rounded = (int)(x < 1 && d.low >= 0 ? 1 : x);
    return !whole ? x : kind >= STRIA_U8 && rounded < 0 ? -rounded : rounded;
}

static void fill(const stria_view *to, struct domain d, int k)
{
    const stria_kind kind = (stria_kind)to->dtype.kind;
    for (int64_t i = 0; i < to->shape[0]; i++) {
        double z[2] = {number(d, k, (int)i, kind), 0};
        stria_view at = *to, from;
        at.ndim = 0;
        at.data += i * to->strides[0];
        if (kind == STRIA_BOOL) z[0] = 1;
        if (kind >= STRIA_C64) z[1] = 0.25;
        ok(stria_view_foreign(&from, z, stria_dtype_of(STRIA_C128), 0, NULL, NULL, 0));
        ok(stria_copy(&at, &from, NULL));
    }
}

static bool is_finite_at(stria_op op, stria_kind kind)
{
    const bool whole = kind < STRIA_F8E4M3; /* 1 is an end of these ranges */
    return !whole || (op != STRIA_ATANH && op != STRIA_ERFINV && op != STRIA_LOGIT &&
                      op != STRIA_NDTRI && op != STRIA_ASIN && op != STRIA_ACOS);
}

/* Whether op of n items, `step` items apart, raises no exception. */
static void run(stria_op op, stria_kind kind, int64_t n, int64_t step)
{
    static _Alignas(64) char memory[4][MOST * 2 * 16], result[MOST * 16];
    const stria_dtype dtype = stria_dtype_of(kind);
    const int64_t stride = step * dtype.itemsize;
    stria_view in[4], out;
    const stria_view *const list[] = {&in[0], &in[1], &in[2]};
    stria_dtype to;
    for (int k = 0; k < 3; k++) {
        const bool exponents = (op == STRIA_LDEXP || op == STRIA_ROUND_DECIMALS) && k == 1;
        const bool condition = op == STRIA_WHERE && k == 0;
        const stria_kind own = exponents ? STRIA_I8 : condition ? STRIA_BOOL : kind;
        const int64_t size = stria_dtype_of(own).itemsize, bytes = own == kind ? stride : size;
        ok(stria_view_foreign(&in[k], memory[k], stria_dtype_of(own), 1, &n, &bytes, 0));
    }
    if (stria_result_dtype(&to, op, stria_op_inputs(op), list, STRIA_PROMOTE_TORCH) != STRIA_OK)
        return;
    for (int k = 0; k < 3; k++)
        fill(&in[k], domain_of(op), k);
    ok(stria_view_foreign(&out, result, to, 1, &n, NULL, 0));
    (void)feclearexcept(FE_ALL_EXCEPT);
    ok(stria_elementwise(&out, op, stria_op_inputs(op), list, NULL));
    const int raised = fetestexcept(EXCEPTIONS);
    if (raised)
        fail_msg("%s of kind %d, %d items: raised%s%s%s", stria_op_name(op), (int)kind, (int)n,
                 raised & FE_INVALID ? " invalid" : "",
                 raised & FE_DIVBYZERO ? " division by 0" : "",
                 raised & FE_OVERFLOW ? " overflow" : "");
}

static void every_op(void)
{
    for (int op = 0; op < STRIA_OPS; op++)
        for (int kind = 0; kind <= STRIA_C128; kind++)
            for (int n = 1; n <= MOST; n = n < 9 ? n + 1 : n + 10)
                if (is_finite_at((stria_op)op, (stria_kind)kind)) {
                    run((stria_op)op, (stria_kind)kind, n, 1);
                    run((stria_op)op, (stria_kind)kind, n, 2);
                }
}

#ifdef __clang__
static const bool promised = false;
#else
static const bool promised = true;
#endif

TEST(flags_stay_down)
{
    if (!promised) skip();
    for (int level = 0; next_level(&level);)
        every_op();
}

#ifdef __GLIBC__
TEST(traps_are_not_met)
{
    if (!promised || feenableexcept(EXCEPTIONS) < 0)
        skip(); /* the CPU, or its emulator, cannot trap */
    for (int level = 0; next_level(&level);)
        every_op();
    (void)fedisableexcept(EXCEPTIONS);
}
#endif

TEST_MAIN(NULL, NULL)
