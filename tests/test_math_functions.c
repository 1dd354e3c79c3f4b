/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of mathematics of one argument, on every level: correctly rounded for f16, bf16 (every
 * input) and f32 (the hardest inputs and a sample; tests/nightly/every_math.c takes them all),
 * within a bound for f64, special values, and the same bits on every level. Without MPFR, for which
 * the tests that need it are skipped, the hardest inputs and the levels remain.
 */
#include <math.h>
#include <string.h>

#include "machine/dispatch.h"
#include "machine/op_loop.h"
#include "stria/stria.h"
#include "support/random.h"
#include "support/slow.h"
#include "support/test.h"

#ifdef STRIA_HAVE_MPFR
#include "support/exact.h"
#include "support/exact_math.h"
#endif

enum { N = 1 << 16 };

#define NO_OP ((stria_op)STRIA_OPS)

static void run(int level, stria_op op, stria_kind kind, void *out, const void *in, int64_t n)
{
    char *const ptr[] = {out, (char *)(uintptr_t)in};
    const int64_t item = stria_dtype_of(kind).itemsize;
    const stria_dim d[2] = {{n, {item, item}}, {1, {0}}};
    op_loop(stria__kernels_at(level), op, kind)(ptr, d);
}

static float f32_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double f64_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static const stria_op unary[] = {
#define UNARY(constant, name, inputs, ...) (inputs) == 1 ? constant : NO_OP,
    STRIA_MATH_LIST(UNARY)
#undef UNARY
};

typedef void check_op(stria_op op);

static void each_function(check_op *check)
{
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
        if (unary[i] != NO_OP) check(unary[i]);
}

static const char *isa(int level)
{
    return stria__kernels_at(level)->isa;
}

/*
 * The 16 inputs whose results lie nearest to the middle between two f32, by 1.3 to 8 units of f64,
 * and the next 48 for which the polynomial is taken near its ends; the results are MPFR's.
 */
static const uint32_t hardest_exp[][2] = {
    {0xC16912CD, 0x34FD331B}, {0xBBF0EDF1, 0x3F7E1FE9}, {0x377EFF81, 0x3F800080},
    {0xBAE0E25C, 0x3F7F8FA7}, {0xB3000000, 0x3F800000}, {0x39C6BE5B, 0x3F800C6D},
    {0x38E69CC1, 0x3F80039A}, {0x383A3EF1, 0x3F800175}, {0x3D1A274E, 0x3F84E8BA},
    {0x40315B33, 0x417FA47D}, {0x4001B249, 0x40F2CD14}, {0x39E5BB1D, 0x3F800E5D},
    {0x36FDFFC1, 0x3F800040}, {0x4288942B, 0x70B7A4C5}, {0x367BFFE1, 0x3F800020},
    {0x35F7FFF1, 0x3F800010}, {0x3FE67199, 0x40C1A7A6}, {0xC0781533, 0x3CA9CCB8},
    {0x41CBF87B, 0x51DC50BE}, {0x3F5BC24C, 0x4017016B}, {0xBF81EADF, 0x3EB98DC1},
    {0xBF76FD92, 0x3EC319E2}, {0x4178966E, 0x4AAAA231}, {0x4283070F, 0x6EB71738},
    {0xC159FA1E, 0x35A29E78}, {0xBEE0E6CD, 0x3F24FEC8}, {0xBE67B559, 0x3F4C28BC},
    {0x408B904B, 0x429CBA56}, {0x40A470E2, 0x432A81F0}, {0x3E777FEC, 0x3FA2FF20},
    {0xBEED01AF, 0x3F2123DC}, {0xBE5F667D, 0x3F4DD281}, {0x41F77C01, 0x55C62A65},
    {0xBE715290, 0x3F4A4054}, {0x401B6C99, 0x41357866}, {0xBE47BE83, 0x3F52A1E9},
    {0xBEF903F8, 0x3F1D678F}, {0x3F6064D8, 0x4019C3B3}, {0xBE699806, 0x3F4BC897},
    {0xBFD04462, 0x3E49379B}, {0xBE11F570, 0x3F5DFDDB}, {0xC01A001D, 0x3DB8A1AB},
    {0xBEFFFEE9, 0x3F1B45ED}, {0x4016BD40, 0x4128A92B}, {0xC069222D, 0x3CD67A1B},
    {0xC27D58D9, 0x11C550D9}, {0x3ED3D2A2, 0x3FC1973F}, {0x3E4C80CA, 0x3F9C4B53},
    {0xC176581C, 0x345CF162}, {0xC1F64B8C, 0x293FDC20}, {0x3FCD05E6, 0x409EC602},
    {0xBED8750D, 0x3F27BD31}, {0x3E78D8DB, 0x3FA33610}, {0xC0958582, 0x3C192A23},
    {0xC018E939, 0x3DBBCD1F}, {0xBF9AB562, 0x3E98E1B5}, {0x40197AA8, 0x413009BD},
    {0xBE2A2C7B, 0x3F58CDBD}, {0x3F9C7C14, 0x405954A1}, {0x3E9A7FD4, 0x3FAD15EF},
    {0x41BB293E, 0x50579353}, {0x3F76527B, 0x4027841C}, {0xBFD4CB8E, 0x3E42393B},
    {0x3E78E1CD, 0x3FA3377E},
};

/* Inputs beside numbers of other kinds, most of them within a unit of f64. */
static const struct hard {
    stria_op op;
    uint32_t in, out;
} hardest[] = {
    {STRIA_SIN, 0x73243F06, 0x3E943A84},     {STRIA_SIN, 0x46199998, 0xBEB1FA5D},
    {STRIA_SIN, 0x55CAFB2A, 0xBF7E7A17},     {STRIA_SIN, 0x67A9242B, 0xBF7FAB81},
    {STRIA_SIN, 0x4371ADE3, 0x3E62DA56},     {STRIA_SIN, 0x5F208D82, 0x3F2C7688},
    {STRIA_SIN, 0x7A5AACDB, 0x3EDA83BB},     {STRIA_SIN, 0x6446CEC0, 0xBF6995BD},
    {STRIA_COS, 0x6115CB11, 0x3F78142F},     {STRIA_COS, 0x59443C0A, 0x3F425F62},
    {STRIA_COS, 0x5F18B878, 0x3F7F14BB},     {STRIA_COS, 0x7A4B1A27, 0x3F7C54DA},
    {STRIA_COS, 0x5922AA80, 0x3F08AEBF},     {STRIA_COS, 0x7908CD73, 0x3F798BB5},
    {STRIA_COS, 0x61703976, 0x3EDACC56},     {STRIA_COS, 0x3C107FE6, 0x3F7FFD74},
    {STRIA_COS, 0x55E5235D, 0xBE83C11A},     {STRIA_COS, 0x39800000, 0x3F800000},
    {STRIA_TAN, 0x5FFD33A4, 0x3FD06C8C},     {STRIA_TAN, 0x5D5873AE, 0x3EA6BFED},
    {STRIA_TAN, 0x408174DD, 0x3FA29B31},     {STRIA_SINPI, 0x3DFD7F58, 0x3EC21DD8},
    {STRIA_SINPI, 0x3F605015, 0x3EC21DD8},   {STRIA_SINPI, 0x34E54DB5, 0x35B41836},
    {STRIA_COSPI, 0x3EC0A02A, 0x3EC21DD8},   {STRIA_COSPI, 0x3F1FAFEB, 0xBEC21DD8},
    {STRIA_COSPI, 0x398721A7, 0x3F7FFFFB},   {STRIA_ASIN, 0x3F083A1A, 0x3F0FA5B2},
    {STRIA_ASIN, 0x3DE5FA1E, 0x3DE6768E},    {STRIA_ACOS, 0x39826222, 0x3FC907B5},
    {STRIA_ACOS, 0x328885A3, 0x3FC90FDB},    {STRIA_ACOS, 0xBC406CCD, 0x3FCA90B6},
    {STRIA_ATAN, 0x3D8D6B23, 0x3D8D31C3},    {STRIA_ATAN, 0x3AD637FA, 0x3AD637EE},
    {STRIA_RSQRT, 0x013A18E3, 0x5E96209E},   {STRIA_RSQRT, 0x023A18E3, 0x5E16209E},
    {STRIA_CBRT, 0x400353B5, 0x3FA2A7BC},    {STRIA_EXP2, 0x3B429D37, 0x3F804385},
    {STRIA_EXP2, 0xBCF3A937, 0x3F7AC6B1},    {STRIA_LOG, 0x3C413D3A, 0xC08E158F},
    {STRIA_LOG, 0x41178FEB, 0x400FE5E7},     {STRIA_LOG, 0x4C5D65A5, 0x418F034B},
    {STRIA_LOG, 0x65D890D3, 0x4254D1F9},     {STRIA_LOG, 0x6F31A8EC, 0x42845A89},
    {STRIA_LOG10, 0x0EFEEE7A, 0xC1E99D23},   {STRIA_SIGMOID, 0xB7818000, 0x3EFFFF7F},
    {STRIA_SIGMOID, 0xB7838000, 0x3EFFFF7D}, {STRIA_SIGMOID, 0xBA928601, 0x3EFFDB5F},
    {STRIA_SINH, 0x3A1285FF, 0x3A1285FF},    {STRIA_LOG2, 0x3F809768, 0x3BD9EE11},
    {STRIA_LOG1P, 0x7F400001, 0x42B0DECD},   {STRIA_EXP2, 0xBD005B71, 0x3F7A7FD3},
    {STRIA_LOG10, 0x6B008C1A, 0x41D1881D},
};

static void check_hardest(stria_op op, const uint32_t (*inputs)[2], size_t n)
{
    for (int level = 0; level < stria__kernels_count(); level++)
        for (size_t i = 0; i < n && stria__kernels_at(level); i++) {
            uint32_t out;
            run(level, op, STRIA_F32, &out, &inputs[i][0], 1);
            if (out != inputs[i][1])
                fail_msg("%s: %s(%a) is %a, not %a", isa(level), stria_op_name(op),
                         (double)f32_of(inputs[i][0]), (double)f32_of(out),
                         (double)f32_of(inputs[i][1]));
        }
}

TEST(test_hardest)
{
    check_hardest(STRIA_EXP, hardest_exp, sizeof hardest_exp / sizeof *hardest_exp);
    for (size_t i = 0; i < sizeof hardest / sizeof *hardest; i++)
        check_hardest(hardest[i].op, (const uint32_t[][2]){{hardest[i].in, hardest[i].out}}, 1);
}

/* ---- the same bits everywhere ---------------------------------------------------------------- */

/* Draws arguments of all magnitudes, most of them where functions are neither 0 nor infinite. */
static double wide_input(uint64_t *seed)
{
    const uint64_t bits = random_bits(seed);
    const double part = (double)(int64_t)random_bits(seed) * 0x1p-63;
    switch (bits % 8) {
    case 0:
    case 1: return f64_of(bits >> 3 | bits << 61);
    case 2: return part * 0x1p-30;
    case 3: return part * 0.5;
    case 4: return 1 + part * 0.5;
    case 5: return part * 32;
    default: return part * 750;
    }
}

static float narrow_input(uint64_t *seed)
{
    const uint64_t bits = random_bits(seed);
    return bits % 2 ? (float)wide_input(seed) : f32_of((uint32_t)(bits >> 32));
}

static bool same_f64(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void check_levels_f64(stria_op op)
{
    static double in[N], first[N], out[N];
    uint64_t seed = 11;
    for (int i = 0; i < N; i++)
        in[i] = wide_input(&seed);
    run(0, op, STRIA_F64, first, in, N);
    for (int level = 1; level < stria__kernels_count(); level++) {
        if (!stria__kernels_at(level)) continue;
        run(level, op, STRIA_F64, out, in, N);
        for (int i = 0; i < N; i++)
            if (!same_f64(out[i], first[i]))
                fail_msg("%s(%a): %a on %s, %a on scalar", stria_op_name(op), in[i], out[i],
                         isa(level), first[i]);
    }
}

static void check_levels_f32(stria_op op)
{
    static float in[N], first[N], out[N];
    uint64_t seed = 13;
    for (int round = 0; round < 8; round += ONE_OF_MANY) {
        for (int i = 0; i < N; i++)
            in[i] = narrow_input(&seed);
        run(0, op, STRIA_F32, first, in, N);
        for (int level = 1; level < stria__kernels_count(); level++) {
            if (!stria__kernels_at(level)) continue;
            run(level, op, STRIA_F32, out, in, N);
            for (int i = 0; i < N; i++)
                if (!same_f64((double)out[i], (double)first[i]))
                    fail_msg("%s(%a): %a on %s, %a on scalar", stria_op_name(op), (double)in[i],
                             (double)out[i], isa(level), (double)first[i]);
        }
    }
}

TEST(test_levels)
{
    each_function(check_levels_f64);
    each_function(check_levels_f32);
}

/*
 * A vector with a special item, and the end of a row, are computed by other code: checks every
 * length up to some vectors, and more than a block; apart and in place.
 */
static void check_lengths(stria_op op)
{
    enum { LONGEST = 300 };
    float in[LONGEST] = {0}, first[LONGEST], out[LONGEST + 1], same[LONGEST];
    uint64_t seed = 29;
    for (int n = 0; n <= LONGEST; n += n < 36 ? 1 : 88) {
        for (int i = 0; i < n; i++)
            in[i] = n % 2 ? narrow_input(&seed) : 0.5F + (float)i / 1024;
        run(0, op, STRIA_F32, first, in, n);
        for (int level = 0; level < stria__kernels_count(); level++) {
            if (!stria__kernels_at(level)) continue;
            memcpy(same, in, sizeof in);
            out[n] = 7;
            run(level, op, STRIA_F32, out, in, n);
            run(level, op, STRIA_F32, same, same, n);
            assert_true(out[n] == 7);
            for (int i = 0; i < n; i++)
                if (!same_f64((double)out[i], (double)first[i]) ||
                    !same_f64((double)same[i], (double)first[i]))
                    fail_msg("%s: %s(%a), item %d of %d: %a, in place %a, on scalar %a", isa(level),
                             stria_op_name(op), (double)in[i], i, n, (double)out[i],
                             (double)same[i], (double)first[i]);
        }
    }
}

TEST(test_lengths)
{
    each_function(check_lengths);
}

/* NaNs of any sign and payload stay NaN. */
static void check_nan(stria_op op)
{
    uint64_t seed = 3;
    for (int level = 0; level < stria__kernels_count(); level++)
        for (int i = 0; i < 1000 && stria__kernels_at(level); i++) {
            const uint64_t bits = random_bits(&seed), sign = bits & UINT64_C(1) << 63;
            const uint64_t in = sign | UINT64_C(0x7FF) << 52 | (bits >> (bits & 31) >> 12) | 1;
            const uint32_t narrow =
                (uint32_t)(sign >> 32) | 0x7F800000 | (uint32_t)(bits & 0x7FFFFF) | 1;
            double wide;
            float out;
            run(level, op, STRIA_F64, &wide, &in, 1);
            run(level, op, STRIA_F32, &out, &narrow, 1);
            if (!isnan(wide) || !isnan(out))
                fail_msg("%s: %s of a NaN is a number", isa(level), stria_op_name(op));
        }
}

TEST(test_nan)
{
    each_function(check_nan);
}

/* ---- the public functions -------------------------------------------------------------------- */

static const struct named {
    stria_op op;
    stria_status (*call)(const stria_view *out, const stria_view *a, const stria_exec *exec);
} named[] = {
    {STRIA_EXP, stria_exp},       {STRIA_EXP2, stria_exp2},     {STRIA_EXP10, stria_exp10},
    {STRIA_EXPM1, stria_expm1},   {STRIA_LOG, stria_log},       {STRIA_LOG2, stria_log2},
    {STRIA_LOG10, stria_log10},   {STRIA_LOG1P, stria_log1p},   {STRIA_SINH, stria_sinh},
    {STRIA_COSH, stria_cosh},     {STRIA_TANH, stria_tanh},     {STRIA_ASINH, stria_asinh},
    {STRIA_ACOSH, stria_acosh},   {STRIA_ATANH, stria_atanh},   {STRIA_SIGMOID, stria_sigmoid},
    {STRIA_SIN, stria_sin},       {STRIA_COS, stria_cos},       {STRIA_TAN, stria_tan},
    {STRIA_SINPI, stria_sinpi},   {STRIA_COSPI, stria_cospi},   {STRIA_ASIN, stria_asin},
    {STRIA_ACOS, stria_acos},     {STRIA_ATAN, stria_atan},     {STRIA_SQRT, stria_sqrt},
    {STRIA_RSQRT, stria_rsqrt},   {STRIA_CBRT, stria_cbrt},     {STRIA_ERF, stria_erf},
    {STRIA_ERFC, stria_erfc},     {STRIA_ERFINV, stria_erfinv}, {STRIA_LGAMMA, stria_lgamma},
    {STRIA_TGAMMA, stria_tgamma},
};

/* Each public function runs the kernel of its op. */
TEST(test_public_functions)
{
    enum { FEW = 64 };
    static const int64_t size = FEW;
    float in[FEW], out[FEW], wanted[FEW];
    stria_view a, o;
    uint64_t seed = 23;
    for (int i = 0; i < FEW; i++)
        in[i] = narrow_input(&seed);
    ok(stria_view_foreign(&a, in, stria_dtype_of(STRIA_F32), 1, &size, NULL, 0));
    ok(stria_view_foreign(&o, out, stria_dtype_of(STRIA_F32), 1, &size, NULL, 0));
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        run(0, named[k].op, STRIA_F32, wanted, in, FEW);
        ok(named[k].call(&o, &a, NULL));
        for (int i = 0; i < FEW; i++)
            if (!same_f64((double)out[i], (double)wanted[i]))
                fail_msg("stria_%s(%a) is %a, not %a", stria_op_name(named[k].op), (double)in[i],
                         (double)out[i], (double)wanted[i]);
    }
}

/* ---- against MPFR ---------------------------------------------------------------------------- */

#ifdef STRIA_HAVE_MPFR

TEST(test_all_have_an_oracle)
{
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
        if (unary[i] != NO_OP && !exact_math_of(unary[i]))
            fail_msg("%s has no row in support/exact_math.h", stria_op_name(unary[i]));
}

/* Whether the value of f for an input is compared; the C library gives it where its result is
 * beyond doubt. */
/*
 * MPFR needs a millisecond for some functions: only some of their inputs are compared, and of the
 * functions not promised to be correctly rounded one input in three.
 */
static bool is_sampled(const struct exact_math *f, int64_t i)
{
    return f->libm ? f->f32_ulps <= 0.5 || i % 3 == 0 : i % 229 == 0;
}

static void expect_small(double *out, const struct exact_math *f, stria_kind kind)
{
    for (uint32_t i = 0; i < N; i++) {
        const uint16_t bits = (uint16_t)i;
        uint16_t low, high;
        double x;
        exact_convert(&x, STRIA_F64, &bits, kind, false);
        const double y = f->libm ? f->libm(x) : 0, below = y - y * 0x1p-43, above = y + y * 0x1p-43;
        exact_convert(&low, kind, &below, STRIA_F64, false);
        exact_convert(&high, kind, &above, STRIA_F64, false);
        if (!is_sampled(f, (int64_t)i)) continue;
        if (isnan(x) ? !f->libm : low != high || y == 0)
            out[i] = exact_result(f, x, kind);
        else
            exact_convert(&out[i], STRIA_F64, &low, kind, false);
    }
}

static void check_small(const struct exact_math *f, stria_kind kind)
{
    static uint16_t in[N], out[N];
    static double wanted[N];
    expect_small(wanted, f, kind);
    for (int i = 0; i < N; i++)
        in[i] = (uint16_t)i;
    for (int level = 0; level < stria__kernels_count(); level++) {
        if (!stria__kernels_at(level)) continue;
        run(level, f->op, kind, out, in, N);
        for (int i = 0; i < N; i++) {
            double x, got;
            exact_convert(&x, STRIA_F64, &in[i], kind, false);
            exact_convert(&got, STRIA_F64, &out[i], kind, false);
            if (is_sampled(f, i) && !same_f64(got, wanted[i]))
                fail_msg("%s: %s(%a) is %a, not %a", isa(level), stria_op_name(f->op), x, got,
                         wanted[i]);
        }
    }
}

TEST(test_every_small)
{
    for (int i = 0; i < EXACT_MATH; i++) {
        check_small(&exact_math[i], STRIA_F16);
        check_small(&exact_math[i], STRIA_BF16);
    }
}

static void check_f32(const struct exact_math *f, const float *in, const float *out)
{
    int64_t asked = 0;
    for (int i = 0; i < N; i++) {
        if (!is_sampled(f, i)) continue;
        const double wanted = isnan(in[i]) ? (double)in[i] : (double)exact_f32(f, in[i], &asked);
        if (same_f64((double)out[i], wanted)) continue;
        if (f->f32_ulps > 0.5 &&
            exact_error(f, (double)in[i], (double)out[i], STRIA_F32) <= f->f32_ulps)
            continue;
        fail_msg("%s(%a) is %a, not %a", stria_op_name(f->op), (double)in[i], (double)out[i],
                 wanted);
    }
}

/* Bit patterns at equal distances, which are floats of all magnitudes, and others. */
TEST(test_sample)
{
    static float in[N], out[N];
    uint64_t seed = 17;
    for (int k = 0; k < EXACT_MATH; k++)
        for (int round = 0; round < 4; round++) {
            for (uint32_t i = 0; i < N; i++)
                in[i] = round % 2 ? narrow_input(&seed) : f32_of(i << 16 | (uint32_t)round * 7919);
            run(0, exact_math[k].op, STRIA_F32, out, in, N);
            check_f32(&exact_math[k], in, out);
        }
}

/* Infinities, zeros, ends of ranges and subnormals; f64 within the bound of the public header. */
TEST(test_special_values)
{
    static const double in[] = {0,
                                0x1p-1074,
                                0x1p-1022,
                                0x1p-149,
                                0x1p-126,
                                0x1p-60,
                                0x1p-27,
                                0x1p-12,
                                0.5,
                                0x1.66596A1C38018p-1, /* entr was off by 1.0015 units */
                                1,
                                2,
                                3,
                                4,
                                10,
                                100,
                                0x1p52,
                                0x1p53,
                                0x1p63,
                                0x1p127,
                                0x1p1023,
                                1e308,
                                INFINITY,
                                0x1.FFFFFFFFFFFFFp1023,
                                0x1.FFFFFEp127,
                                88.5,
                                709.5,
                                745.1};
    enum { COUNT = sizeof in / sizeof *in };
    for (int k = 0; k < EXACT_MATH; k++)
        for (int i = 0; i < 6 * COUNT; i++) {
            const struct exact_math *const f = &exact_math[k];
            const double near = i < 2 * COUNT ? 0 : i < 4 * COUNT ? INFINITY : -INFINITY;
            double x = nextafter(in[i % COUNT], near), got;
            float narrow, got_f32;
            if (i < 2 * COUNT) x = in[i % COUNT];
            if (i / COUNT % 2) x = -x;
            narrow = (float)x;
            run(0, f->op, STRIA_F64, &got, &x, 1);
            run(0, f->op, STRIA_F32, &got_f32, &narrow, 1);
            const double wanted = exact_result(f, x, STRIA_F64);
            if ((wanted == 0 || !isfinite(wanted))
                    ? !same_f64(got, wanted)
                    : !exact_within(f, got, exact_error(f, x, got, STRIA_F64)))
                fail_msg("%s(%a) is %a, not %a", stria_op_name(f->op), x, got, wanted);
            const double wanted_f32 = exact_result(f, (double)narrow, STRIA_F32);
            if (f->f32_ulps <= 0.5 && !same_f64((double)got_f32, wanted_f32))
                fail_msg("%s of f32 %a is %a, not %a", stria_op_name(f->op), (double)narrow,
                         (double)got_f32, wanted_f32);
        }
}

/* f64 are within the bounds of include/stria/mathematics.h. */
TEST(test_f64)
{
    enum { COUNT = 1 << 12 };
    static double in[2 * COUNT], out[2 * COUNT];
    for (int k = 0; k < EXACT_MATH; k++) {
        const struct exact_math *const f = &exact_math[k];
        uint64_t seed = 19;
        double most = 0, at = 0;
        for (int i = 0; i < 2 * COUNT; i++)
            in[i] = i % 2 ? wide_input(&seed)
                          : f->low + (f->high - f->low) *
                                         ((double)(int64_t)random_bits(&seed) * 0x1p-64 + 0.5);
        run(0, f->op, STRIA_F64, out, in, 2 * COUNT);
        for (int i = 0; i < 2 * COUNT; i += (f->libm ? 1 : 15) * ONE_OF_MANY) {
            const double error = exact_error(f, in[i], out[i], STRIA_F64);
            const bool normal = fabs(out[i]) >= 0x1p-1022;
            if (!exact_within(f, out[i], error))
                fail_msg("%s(%a) is %a, off by %.4f", stria_op_name(f->op), in[i], out[i], error);
            if (normal && error > most) most = error, at = in[i];
        }
        print_message("%s of f64: off by %.4f units in the last place at most, at %a\n",
                      stria_op_name(f->op), most, at);
    }
}

#else

TEST(test_all_have_an_oracle)
{
    print_message("SKIPPED: libmpfr-dev was not found\n");
    skip();
}

#endif

TEST_MAIN(NULL, NULL)
