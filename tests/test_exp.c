/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * e^x on every level: correctly rounded for f16, bf16 (every input) and f32 (the hardest inputs and
 * a sample; tests/nightly/every_exp.c takes them all), within a bound for f64, and the same bits on
 * every level. Without MPFR, for which the tests that need it are skipped, what was found with it
 * remains: the hardest inputs, the limits, and a hash of f64 results.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "dispatch.h"
#include "simd/map.h"
#include "support/random.h"

#ifdef STRIA_HAVE_MPFR
#include "support/exact.h"
#include "support/exact_exp.h"
#endif

enum { N = 1 << 16 };

static void run(int level, stria_kind kind, void *out, const void *in, int64_t n)
{
    char *const ptr[] = {out, (char *)(uintptr_t)in};
    const int64_t item = stria_dtype_of(kind).itemsize;
    const stria_dim d[2] = {{n, {item, item}}, {1, {0}}};
    stria__kernels_at(level)->map->loop[STRIA_EXP][kind](ptr, d);
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

/*
 * The 16 inputs whose results lie nearest to the middle between two f32, by 1.3 to 8 units of f64,
 * and the next 48 for which the polynomial is taken near its ends; the results are MPFR's.
 */
static const uint32_t hardest[][2] = {
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

static void test_hardest(void **state)
{
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++)
        for (size_t i = 0; i < sizeof hardest / sizeof hardest[0] && stria__kernels_at(level);
             i++) {
            uint32_t out;
            run(level, STRIA_F32, &out, &hardest[i][0], 1);
            if (out != hardest[i][1])
                fail_msg("%s: exp(%a) is %a, not %a", stria__kernels_at(level)->isa,
                         (double)f32_of(hardest[i][0]), (double)f32_of(out),
                         (double)f32_of(hardest[i][1]));
        }
}

/* The last x with a number for a result, and the first without, on both sides; by MPFR. */
static void test_limits(void **state)
{
    (void)state;
    static const float in[] = {0.0F,           -0.0F,          INFINITY,        -INFINITY,
                               0x1.62E42EP6F,  0x1.62E430P6F,  -0x1.9FE368P6F,  -0x1.9FE36AP6F,
                               -0x1.5D589EP6F, -0x1.5D58A0P6F, 0x1.FFFFFEP127F, -0x1.FFFFFEP127F};
    static const float out[] = {1,
                                1,
                                INFINITY,
                                0,
                                0x1.FFFF08P127F,
                                INFINITY,
                                0x1P-149F,
                                0,
                                0x1.00004CP-126F,
                                0x1.FFFF98P-127F,
                                INFINITY,
                                0};
    static const double wide_in[] = {0.0,
                                     -0.0,
                                     INFINITY,
                                     -INFINITY,
                                     0x1.62E42FEFA39EFP9,
                                     0x1.62E42FEFA39FP9,
                                     -0x1.74910D52D3051P9,
                                     -0x1.74910D52D3052P9,
                                     1e308,
                                     -1e308,
                                     1e-300};
    static const double wide_out[] = {
        1, 1, INFINITY, 0, 0x1.FFFFFFFFFFF2AP1023, INFINITY, 0x1P-1074, 0, INFINITY, 0, 1};
    for (int level = 0; level < stria__kernels_count(); level++) {
        float got[sizeof in / sizeof in[0]];
        double wide[sizeof wide_in / sizeof wide_in[0]];
        if (!stria__kernels_at(level)) continue;
        run(level, STRIA_F32, got, in, sizeof in / sizeof in[0]);
        run(level, STRIA_F64, wide, wide_in, sizeof wide_in / sizeof wide_in[0]);
        for (size_t i = 0; i < sizeof in / sizeof in[0]; i++)
            if (got[i] != out[i])
                fail_msg("exp(%a) is %a, not %a", (double)in[i], (double)got[i], (double)out[i]);
        for (size_t i = 0; i < sizeof wide_in / sizeof wide_in[0]; i++)
            if (wide[i] != wide_out[i])
                fail_msg("exp(%a) is %a, not %a", wide_in[i], wide[i], wide_out[i]);
    }
}

/* NaNs of any sign and payload stay NaN. */
static void test_nan(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int level = 0; level < stria__kernels_count(); level++)
        for (int i = 0; i < 1000 && stria__kernels_at(level); i++) {
            const uint64_t bits = random_bits(&seed), sign = bits & UINT64_C(1) << 63;
            const uint64_t in = sign | UINT64_C(0x7FF) << 52 | (bits >> (bits & 31) >> 12) | 1;
            const uint32_t narrow =
                (uint32_t)(sign >> 32) | 0x7F800000 | (uint32_t)(bits & 0x7FFFFF) | 1;
            double wide;
            float out;
            run(level, STRIA_F64, &wide, &in, 1);
            run(level, STRIA_F32, &out, &narrow, 1);
            assert_true(isnan(wide) && isnan(out));
        }
}

/* ---- the same bits everywhere ---------------------------------------------------------------- */

/* Of all magnitudes, and most where there is something to compute. */
static double wide_input(uint64_t *seed)
{
    const uint64_t bits = random_bits(seed);
    const double part = (double)(int64_t)random_bits(seed) * 0x1p-63;
    switch (bits % 8) {
    case 0: return f64_of(bits >> 3 | bits << 61);
    case 1: return part * 0x1p-30;
    case 2: return part * 0.4;
    case 3: return -700 - 50 * fabs(part);
    default: return part * 720;
    }
}

static float narrow_input(uint64_t *seed)
{
    const uint64_t bits = random_bits(seed);
    return bits % 4
               ? (float)((double)(int64_t)random_bits(seed) * 0x1p-63 * (bits % 4 == 1 ? 1 : 105))
               : f32_of((uint32_t)(bits >> 32));
}

static bool same_f64(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/*
 * A hash of a million results, so that no version and no machine gives others unnoticed: it changes
 * only with a line in CHANGELOG.md.
 */
static void test_bits(void **state)
{
    (void)state;
    enum { ROUNDS = 16 };
    static double in[N], first[N], out[N];
    uint64_t seed = 11, hash = UINT64_C(0xCBF29CE484222325);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++)
            in[i] = wide_input(&seed);
        run(0, STRIA_F64, first, in, N);
        for (int level = 1; level < stria__kernels_count(); level++) {
            if (!stria__kernels_at(level)) continue;
            run(level, STRIA_F64, out, in, N);
            for (int i = 0; i < N; i++)
                if (!same_f64(out[i], first[i]))
                    fail_msg("exp(%a): %a on %s, %a on scalar", in[i], out[i],
                             stria__kernels_at(level)->isa, first[i]);
        }
        for (int i = 0; i < N; i++) {
            uint64_t bits;
            memcpy(&bits, &first[i], sizeof bits);
            if (!isnan(first[i])) hash = (hash ^ bits) * UINT64_C(0x100000001B3);
        }
    }
    if (hash != UINT64_C(0xBCB72080F904D5DF))
        fail_msg("f64 results have another hash: %#llx", (unsigned long long)hash);
}

static void test_levels(void **state)
{
    (void)state;
    static float in[N], first[N], out[N];
    uint64_t seed = 13;
    for (int round = 0; round < 16; round++) {
        for (int i = 0; i < N; i++)
            in[i] = narrow_input(&seed);
        run(0, STRIA_F32, first, in, N);
        for (int level = 1; level < stria__kernels_count(); level++) {
            if (!stria__kernels_at(level)) continue;
            run(level, STRIA_F32, out, in, N);
            for (int i = 0; i < N; i++)
                if (!same_f64((double)out[i], (double)first[i]))
                    fail_msg("exp(%a): %a on %s, %a on scalar", (double)in[i], (double)out[i],
                             stria__kernels_at(level)->isa, (double)first[i]);
        }
    }
}

/* ---- against MPFR ---------------------------------------------------------------------------- */

#ifdef STRIA_HAVE_MPFR

static void check_all(int level, stria_kind kind, struct exact_format format)
{
    static uint16_t in[N], out[N];
    for (int i = 0; i < N; i++)
        in[i] = (uint16_t)i;
    run(level, kind, out, in, N);
    for (int i = 0; i < N; i++) {
        double x, got;
        exact_convert(&x, STRIA_F64, &in[i], kind, false);
        exact_convert(&got, STRIA_F64, &out[i], kind, false);
        const double wanted = isnan(x) ? x : exact_exp(x, format);
        if (!same_f64(got, wanted))
            fail_msg("%s: exp(%a) is %a, not %a", stria__kernels_at(level)->isa, x, got, wanted);
    }
}

static void test_every_small(void **state)
{
    (void)state;
    for (int level = 0; level < stria__kernels_count(); level++) {
        if (!stria__kernels_at(level)) continue;
        check_all(level, STRIA_F16, exact_f16);
        check_all(level, STRIA_BF16, exact_bf16);
    }
}

static void test_sample(void **state)
{
    (void)state;
    static float in[N], out[N];
    uint64_t seed = 17;
    for (int i = 0; i < N; i++)
        in[i] = narrow_input(&seed);
    run(0, STRIA_F32, out, in, N);
    for (int i = 0; i < N; i++) {
        const double wanted = isnan(in[i]) ? (double)in[i] : exact_exp((double)in[i], exact_f32);
        if (!same_f64((double)out[i], wanted))
            fail_msg("exp(%a) is %a, not %a", (double)in[i], (double)out[i], wanted);
    }
}

/* The bound of include/stria/elementwise.h. */
static void test_f64(void **state)
{
    (void)state;
    const double bound = 0.61;
    static double in[N], out[N];
    uint64_t seed = 19;
    double most = 0, most_tiny = 0;
    for (int i = 0; i < N; i++)
        in[i] = wide_input(&seed);
    run(0, STRIA_F64, out, in, N);
    for (int i = 0; i < N; i++) {
        const double wanted = isnan(in[i]) ? in[i] : exact_exp(in[i], exact_f64);
        if (!isfinite(wanted) || wanted == 0) {
            if (!same_f64(out[i], wanted)) fail_msg("exp(%a) is %a, not %a", in[i], out[i], wanted);
            continue;
        }
        const double error = exact_exp_error(in[i], out[i]);
        if (out[i] >= 0x1p-1022 && error > most) most = error;
        if (out[i] < 0x1p-1022 && error > most_tiny) most_tiny = error;
    }
    print_message("f64: off by %.4f units in the last place at most, subnormal ones by %.4f\n",
                  most, most_tiny);
    assert_true(most <= bound && most_tiny <= 1);
}

#else

static void test_every_small(void **state)
{
    (void)state;
    print_message("SKIPPED: libmpfr-dev was not found\n");
    skip();
}
#define test_sample test_every_small
#define test_f64    test_every_small

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hardest), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_nan),     cmocka_unit_test(test_bits),
        cmocka_unit_test(test_levels),  cmocka_unit_test(test_every_small),
        cmocka_unit_test(test_sample),  cmocka_unit_test(test_f64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
