/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of mathematics of two arguments, on every level: the same bits everywhere, every pair
 * of special values, and random pairs, the hard ones more often, within the bounds of the public
 * header. Without MPFR only the levels are compared with each other.
 */
#include <math.h>
#include <string.h>

#include "machine/dispatch.h"
#include "machine/op_loop.h"
#include "support/exact.h"
#include "stria/elementwise.h"
#include "support/random.h"
#include "support/test.h"

#ifdef STRIA_HAVE_MPFR
#include "support/exact_pairs.h"
#endif

enum { N = 1 << 12 };

#define NO_OP ((stria_op)STRIA_OPS)

static const stria_op of_two[] = {
#define OF_TWO(constant, name, inputs, ...) (inputs) == 2 ? constant : NO_OP,
    STRIA_MATH_LIST(OF_TWO)
#undef OF_TWO
};

static const char *name_of(stria_kind kind)
{
    return kind == STRIA_F16    ? "f16"
           : kind == STRIA_BF16 ? "bf16"
           : kind == STRIA_F32  ? "f32"
                                : "f64";
}

static const stria_kind kinds[] = {STRIA_F16, STRIA_BF16, STRIA_F32, STRIA_F64};

/* Operands and results, each number as an f64 and as stored in the kind. */
struct pairs {
    stria_kind kind;
    double a[N], b[N], out[N];
    char in_a[8 * N], in_b[8 * N], results[8 * N];
};

static void set_pair(struct pairs *p, int i, double a, double b)
{
    const int64_t item = stria_dtype_of(p->kind).itemsize;
    exact_convert(p->in_a + i * item, p->kind, &a, STRIA_F64, false);
    exact_convert(p->in_b + i * item, p->kind, &b, STRIA_F64, false);
    exact_convert(&p->a[i], STRIA_F64, p->in_a + i * item, p->kind, false);
    exact_convert(&p->b[i], STRIA_F64, p->in_b + i * item, p->kind, false);
}

static void run(struct pairs *p, int level, stria_op op, int n)
{
    char *const ptr[] = {p->results, p->in_a, p->in_b};
    const int64_t item = stria_dtype_of(p->kind).itemsize;
    const stria_dim d[2] = {{n, {item, item, item}}, {1, {0}}};
    op_loop(stria__kernels_at(level), op, p->kind)(ptr, d);
    for (int i = 0; i < n; i++)
        exact_convert(&p->out[i], STRIA_F64, p->results + i * item, p->kind, false);
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* Draws a number from -1 to 1. */
static double part(uint64_t *seed)
{
    return (double)(int64_t)random_bits(seed) * 0x1p-63;
}

/*
 * Draws pairs of any magnitude; of similar ones; a near 1 and a b for which the power is finite;
 * and a pair below 0 where e^a + e^b is near 1.
 */
static void set_random(struct pairs *p, int i, uint64_t *seed)
{
    const uint64_t bits = random_bits(seed), other = random_bits(seed);
    const double u = part(seed), v = part(seed);
    const double scale = ldexp(1, (int)(bits % 60) - 30),
                 beside = 1 + u * ldexp(1, -(int)(bits % 50));
    double a, b;
    memcpy(&a, &bits, sizeof a);
    memcpy(&b, &other, sizeof b);
    switch (i % 8) {
    case 0: set_pair(p, i, a, b); break;
    case 1: set_pair(p, i, u, v * scale); break;
    case 2: set_pair(p, i, exp(u * 80), v * 2); break;
    case 3: set_pair(p, i, beside, v * 700 / fmax(fabs(log(beside)), 1e-300)); break;
    case 4: set_pair(p, i, -fabs(u), log1p(-exp(-fabs(u)))); break;
    case 5: set_pair(p, i, u * 30, u * 30 + v * 80); break;
    case 6: set_pair(p, i, u * 100, (double)(int)(v * 20)); break;
    default: set_pair(p, i, u * 1e300 * scale, v * 1e300); break;
    }
}

/* ---- the same bits everywhere ---------------------------------------------------------------- */

static void check_levels(struct pairs *p, stria_op op)
{
    static double first[N];
    run(p, 0, op, N);
    memcpy(first, p->out, sizeof first);
    for (int level = 1; level < stria__kernels_count(); level++) {
        if (!stria__kernels_at(level)) continue;
        run(p, level, op, N);
        for (int i = 0; i < N; i++)
            if (!same(p->out[i], first[i]))
                fail_msg("%s(%a, %a) of %s: %a on %s, %a on scalar", stria_op_name(op), p->a[i],
                         p->b[i], name_of(p->kind), p->out[i], stria__kernels_at(level)->isa,
                         first[i]);
    }
}

static struct pairs pairs;

static void each_kind(void (*check)(struct pairs *, stria_op), stria_op op, uint64_t seed)
{
    for (int k = 0; k < 4; k++) {
        pairs.kind = kinds[k];
        for (int i = 0; i < N; i++)
            set_random(&pairs, i, &seed);
        check(&pairs, op);
    }
}

TEST(test_levels)
{
    for (size_t k = 0; k < sizeof of_two / sizeof *of_two; k++)
        for (uint64_t seed = 1; seed < 4 && of_two[k] != NO_OP; seed++)
            each_kind(check_levels, of_two[k], seed);
}

/* ---- exponents that have forms of their own -------------------------------------------------- */

static const double short_powers[] = {1, 2, 3, -1, 0.5};
enum { SHORT_POWERS = sizeof short_powers / sizeof *short_powers };

/* Numbers of any size, and every special one. */
static void set_base(struct pairs *p, int i, double b, uint64_t *seed)
{
    static const double special[] = {
        0,         0x1p-1074, 0x1p-1022, 0x1.8p-1030, 0x1p-149, 0x1p-126, 0x1p-24,  0x1p-14,
        1,         3,         0x1p24,    0x1p341,     0x1p342,  0x1p-342, 0x1p512,  65504,
        0x1p-1021, 0x1p1023,  INFINITY,  NAN,         0x1p-350, 0x1p42,   0x1p-130, 0x1p600};
    enum { COUNT = sizeof special / sizeof *special };
    set_random(p, i, seed);
    const double a = i < 2 * COUNT ? special[i / 2] : p->a[i];
    set_pair(p, i, i < 2 * COUNT && i % 2 ? -a : a, b);
}

/* Any NaN is as good as another. */
static void same_nan(char *items, stria_kind kind, int n)
{
    const int64_t item = stria_dtype_of(kind).itemsize;
    for (int i = 0; i < n; i++) {
        double value = 0;
        exact_convert(&value, STRIA_F64, items + i * item, kind, false);
        if (value != value) memset(items + i * item, 0xFF, (size_t)item);
    }
}

/* Sets out to the powers by the exponents in place, of which `step` 0 takes the first for all. */
static void run_powers(struct pairs *p, int level, int64_t step)
{
    char *const ptr[] = {p->results, p->in_a, p->in_b};
    const int64_t item = stria_dtype_of(p->kind).itemsize;
    const stria_dim d[2] = {{N, {item, item, step * item}}, {1, {0}}};
    op_loop(stria__kernels_at(level), STRIA_POW, p->kind)(ptr, d);
    same_nan(p->results, p->kind, N);
}

/* One exponent for all, as many equal ones, and the same among others give the same bits. */
static void check_short_power(struct pairs *p, double b)
{
    static char first[8 * N];
    const int64_t item = stria_dtype_of(p->kind).itemsize;
    uint64_t seed = 31;
    for (int i = 0; i < N; i++)
        set_base(p, i, b, &seed);
    for (int level = 0; level < stria__kernels_count(); level++) {
        if (!stria__kernels_at(level)) continue;
        run_powers(p, level, 0);
        if (level == 0) memcpy(first, p->results, sizeof first);
        assert_memory_equal(p->results, first, (size_t)(N * item));
        run_powers(p, level, 1);
        assert_memory_equal(p->results, first, (size_t)(N * item));
    }
    for (int i = 0; i < N; i++)
        if (i % 3) set_pair(p, i, p->a[i], i % 3 == 1 ? short_powers[i / 3 % SHORT_POWERS] : 0.25);
    for (int level = 0; level < stria__kernels_count(); level++) {
        if (!stria__kernels_at(level)) continue;
        run_powers(p, level, 1);
        for (int i = 0; i < N; i++)
            if (i % 3 == 0)
                assert_memory_equal(p->results + i * item, first + i * item, (size_t)item);
    }
}

TEST(test_short_powers)
{
    for (int k = 0; k < 4; k++)
        for (int e = 0; e < SHORT_POWERS; e++) {
            pairs.kind = kinds[k];
            check_short_power(&pairs, short_powers[e]);
        }
}

/* A scalar exponent, of whichever dtype, gives the bits of an array of it. */
TEST(test_scalar_exponents)
{
    static char out[2][8 * N];
    static const int64_t size = N;
    uint64_t seed = 37;
    for (int k = 0; k < 4; k++)
        for (int e = 0; e < SHORT_POWERS; e++) {
            const double y = short_powers[e];
            const int64_t whole = (int64_t)y;
            const stria_dtype dtype = stria_dtype_of(kinds[k]);
            stria_view a, b, one, weak, o[2];
            pairs.kind = kinds[k];
            for (int i = 0; i < N; i++)
                set_base(&pairs, i, y, &seed);
            ok(stria_view_foreign(&a, pairs.in_a, dtype, 1, &size, NULL, 0));
            ok(stria_view_foreign(&b, pairs.in_b, dtype, 1, &size, NULL, 0));
            ok(stria_view_foreign(&one, pairs.in_b, dtype, 0, NULL, NULL, 0));
            ok(y == 0.5 ? stria_weak(&weak, STRIA_F64, &y) : stria_weak(&weak, STRIA_I64, &whole));
            for (int r = 0; r < 2; r++)
                ok(stria_view_foreign(&o[r], out[r], dtype, 1, &size, NULL, 0));
            ok(stria_pow(&o[0], &a, &b, NULL));
            ok(stria_pow(&o[1], &a, &one, NULL));
            same_nan(out[0], kinds[k], N);
            same_nan(out[1], kinds[k], N);
            assert_memory_equal(out[1], out[0], sizeof out[0]);
            ok(stria_pow(&o[1], &a, &weak, NULL));
            same_nan(out[1], kinds[k], N);
            assert_memory_equal(out[1], out[0], sizeof out[0]);
        }
}

/* ---- the public functions -------------------------------------------------------------------- */

static const struct named {
    stria_op op;
    stria_status (*call)(const stria_view *out, const stria_view *a, const stria_view *b,
                         const stria_exec *exec);
} named[] = {
    {STRIA_POW, stria_pow},
    {STRIA_ATAN2, stria_atan2},
    {STRIA_HYPOT, stria_hypot},
    {STRIA_LOGADDEXP, stria_logaddexp},
    {STRIA_LOGADDEXP2, stria_logaddexp2},
};

/* Each public function runs the kernel of its op, with the operands in this order. */
TEST(test_public_functions)
{
    static const int64_t size = N;
    static double out[N];
    uint64_t seed = 29;
    stria_view a, b, o;
    pairs.kind = STRIA_F64;
    for (int i = 0; i < N; i++)
        set_random(&pairs, i, &seed);
    const stria_dtype f64 = stria_dtype_of(STRIA_F64);
    ok(stria_view_foreign(&a, pairs.a, f64, 1, &size, NULL, 0));
    ok(stria_view_foreign(&b, pairs.b, f64, 1, &size, NULL, 0));
    ok(stria_view_foreign(&o, out, f64, 1, &size, NULL, 0));
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        run(&pairs, 0, named[k].op, N);
        ok(named[k].call(&o, &a, &b, NULL));
        for (int i = 0; i < N; i++)
            if (!same(out[i], pairs.out[i]))
                fail_msg("stria_%s(%a, %a) is %a, not %a", stria_op_name(named[k].op), pairs.a[i],
                         pairs.b[i], out[i], pairs.out[i]);
    }
}

/* ---- against MPFR ---------------------------------------------------------------------------- */

#ifdef STRIA_HAVE_MPFR

static const struct exact_pair *row_of(stria_op op)
{
    for (int i = 0; i < EXACT_PAIRS; i++)
        if (exact_pairs[i].op == op) return &exact_pairs[i];
    fail_msg("%s has no row in support/exact_pairs.h", stria_op_name(op));
    return NULL;
}

static double check(const struct pairs *p, const struct exact_pair *f, int i)
{
    double unit;
    const double error = exact_pair_error(f, p->a[i], p->b[i], p->out[i], p->kind, &unit);
    if (!exact_pair_within(f, error, unit, p->out[i], p->kind))
        fail_msg("%s(%a, %a) of %s is %a, off by %.4f", stria_op_name(f->op), p->a[i], p->b[i],
                 name_of(p->kind), p->out[i], error);
    return fabs(p->out[i]) < 0x1p-1022 ? 0 : error;
}

TEST(test_special_values)
{
    static const double values[] = {0,
                                    0x1p-1074,
                                    0x1p-1022,
                                    0x1p-149,
                                    0x1p-126,
                                    0.5,
                                    1.0,
                                    1.5,
                                    2,
                                    3,
                                    10,
                                    64,
                                    0x1p24,
                                    0x1p53,
                                    0x1p100,
                                    0x1.FFFFFEp127,
                                    0x1p600,
                                    0x1.FFFFFFFFFFFFFp1023,
                                    0x1.FFFFFEp-1,
                                    0x1.000002p0,
                                    0x1.FFFFFFFFFFFFFp-1,
                                    0x1.0000000000001p0,
                                    8388607.5,
                                    16777215,
                                    0x1.FFFFFFFFFFFFFp52,
                                    0x1.FFFFFFFFFFFFFp51,
                                    INFINITY,
                                    NAN};
    enum { COUNT = 2 * sizeof values / sizeof *values };
    for (size_t k = 0; k < sizeof of_two / sizeof *of_two; k++)
        for (int kind = 0; kind < 4 && of_two[k] != NO_OP; kind++) {
            pairs.kind = kinds[kind];
            for (int i = 0; i < COUNT * COUNT; i++) {
                const double a = values[i / COUNT / 2], b = values[i % COUNT / 2];
                set_pair(&pairs, i, i / COUNT % 2 ? -a : a, i % 2 ? -b : b);
            }
            run(&pairs, 0, of_two[k], COUNT * COUNT);
            for (int i = 0; i < COUNT * COUNT; i++)
                (void)check(&pairs, row_of(of_two[k]), i);
        }
}

/* Products, quotients and roots are correctly rounded, cubes all but. */
TEST(test_short_powers_are_exact)
{
    for (int k = 0; k < 4; k++)
        for (int e = 0; e < SHORT_POWERS; e++) {
            const double y = short_powers[e];
            uint64_t seed = 41;
            pairs.kind = kinds[k];
            for (int i = 0; i < N; i++)
                set_base(&pairs, i, y, &seed);
            run(&pairs, 0, STRIA_POW, N);
            for (int i = 0; i < N; i++) {
                const double error = check(&pairs, row_of(STRIA_POW), i);
                if (error > (y == 3 ? 0.5001 : 0.5))
                    fail_msg("%a^%g of %s is %a, off by %.6f", pairs.a[i], y, name_of(pairs.kind),
                             pairs.out[i], error);
            }
        }
}

static void check_bounds(struct pairs *p, stria_op op)
{
    double most = 0;
    int at = 0;
    run(p, 0, op, N);
    for (int i = 0; i < N; i++) {
        const double error = check(p, row_of(op), i);
        if (error > most) most = error, at = i;
    }
    print_message("%s of %s: off by %.4f units in the last place at most, at (%a, %a)\n",
                  stria_op_name(op), name_of(p->kind), most, p->a[at], p->b[at]);
}

TEST(test_bounds)
{
    for (size_t k = 0; k < sizeof of_two / sizeof *of_two; k++)
        if (of_two[k] != NO_OP) each_kind(check_bounds, of_two[k], 5);
}

#else

TEST(test_special_values)
{
    print_message("SKIPPED: libmpfr-dev was not found\n");
    skip();
}

#endif

TEST_MAIN(NULL, NULL)
