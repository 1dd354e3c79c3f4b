/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of complex numbers against those of the C library in long double: values within some
 * units in the last place of the larger part, special values part by part. On every level.
 */
#include <complex.h>
#undef complex
#include <math.h>
#include <string.h>

#include "machine/dispatch.h"
#include "simd/complex_ops.h"
#include "machine/op_loop.h"
#include "support/random.h"
#include "support/test.h"

typedef long double _Complex wide;

enum { N = 4096, SPECIALS = 19 };

static wide wide_of(long double re, long double im)
{
    wide z;
    memcpy(&z, &re, sizeof re);
    memcpy((char *)&z + sizeof re, &im, sizeof im);
    return z;
}

/* Functions that the C library lacks, where nothing cancels beyond the precision of long double. */
static wide log2_wide(wide z)
{
    const wide log = clogl(z);
    const long double e = 1.44269504088896340735992468100189214L;
    return wide_of(creall(log) * e, cimagl(log) * e);
}

static wide log10_wide(wide z)
{
    const wide log = clogl(z);
    const long double e = 0.434294481903251827651128918916605082L;
    return wide_of(creall(log) * e, cimagl(log) * e);
}

static wide log1p_wide(wide z)
{
    const long double x = creall(z), y = cimagl(z);
    if (fabsl(x) < 0.5L && fabsl(y) < 0.5L)
        return wide_of(0.5L * log1pl(x * (2 + x) + y * y), atan2l(y, 1 + x));
    return clogl(wide_of(1 + x, y));
}

static wide expm1_wide(wide z)
{
    const long double x = creall(z), y = cimagl(z), half = sinl(0.5L * y);
    if (y == 0) return wide_of(x == 0 ? 0 : expm1l(x), y); /* the Array API defines it so */
    if (!isfinite(x) || !isfinite(y)) {
        const wide power = cexpl(z);
        return wide_of(creall(power) - 1, cimagl(power));
    }
    return wide_of(expm1l(x) * cosl(y) - 2 * half * half, expl(x) * sinl(y));
}

static const struct {
    stria_op op;
    wide (*function)(wide);
    double ulps; /* largest error, in units in the last place of the larger part of the result */
} of_one[] = {
    {STRIA_EXP, cexpl, 4},      {STRIA_EXPM1, expm1_wide, 8}, {STRIA_LOG, clogl, 4},
    {STRIA_LOG2, log2_wide, 4}, {STRIA_LOG10, log10_wide, 4}, {STRIA_LOG1P, log1p_wide, 4},
    {STRIA_SINH, csinhl, 4},    {STRIA_COSH, ccoshl, 4},      {STRIA_TANH, ctanhl, 8},
    {STRIA_ASINH, casinhl, 8},  {STRIA_ACOSH, cacoshl, 8},    {STRIA_ATANH, catanhl, 8},
    {STRIA_SIN, csinl, 4},      {STRIA_COS, ccosl, 4},        {STRIA_TAN, ctanl, 8},
    {STRIA_ASIN, casinl, 8},    {STRIA_ACOS, cacosl, 8},      {STRIA_ATAN, catanl, 8},
    {STRIA_SQRT, csqrtl, 4},
};
enum { OF_ONE = sizeof of_one / sizeof *of_one };

static void run(int level, stria_op op, stria_kind kind, void *out, void *in, int n)
{
    const int64_t item = stria_dtype_of(kind).itemsize;
    char *const ptr[] = {out, in, in};
    const stria_dim d[2] = {{n, {item, item, item}}, {1, {0}}};
    op_loop(stria__kernels_at(level), op, kind)(ptr, d);
}

/* ---- values --------------------------------------------------------------------------------- */

static double part(uint64_t *seed)
{
    return (double)(int64_t)random_bits(seed) * 0x1p-63;
}

/* Draws arguments of all magnitudes; close to 0, 1, -1, i and the unit circle; beside the axes. */
static void draw(double z[2], int i, uint64_t *seed)
{
    const double u = part(seed), v = part(seed),
                 scale = ldexp(1, (int)(random_bits(seed) % 40) - 20);
    z[0] = u * 3;
    z[1] = v * 3;
    switch (i % 8) {
    case 0: z[0] = u * scale, z[1] = v * scale; break;
    case 1: z[0] = 1 + u * ldexp(1, -(i % 30)), z[1] = v * ldexp(1, -(i % 25)); break;
    case 2: z[0] = -1 + u * ldexp(1, -(i % 30)), z[1] = v * ldexp(1, -(i % 25)); break;
    case 3: z[0] = u * ldexp(1, -(i % 30)), z[1] = 1 + v * ldexp(1, -(i % 25)); break;
    case 4: z[0] = cos(u * 4), z[1] = sin(u * 4); break;
    case 5: z[0] = u * 30, z[1] = v * 30; break;
    case 6: z[0] = u * ldexp(1, -(i % 200)), z[1] = v; break;
    default: break;
    }
}

static double error_of(const double got[2], wide want, double epsilon)
{
    const long double re = creall(want), im = cimagl(want);
    const long double most = fmaxl(fabsl(re), fabsl(im)),
                      off = hypotl((long double)got[0] - re, (long double)got[1] - im);
    const long double range = epsilon > 0x1p-40 ? 0x1p127L : 0x1p1023L;
    if (!(most < range)) return 0; /* special values are tested below */
    const long double unit = most * (long double)epsilon,
                      least = epsilon > 0x1p-40 ? 0x1p-150L : 0x1p-1075L;
    return (double)(off / (unit > least ? unit : least));
}

TEST(test_values)
{
    static double in[N][2], out[N][2];
    static float narrow[N][2], narrow_out[N][2];
    for (int f = 0; f < OF_ONE; f++) {
        uint64_t seed = 5;
        double most = 0;
        for (int i = 0; i < N; i++) {
            draw(in[i], i, &seed);
            narrow[i][0] = (float)in[i][0];
            narrow[i][1] = (float)in[i][1];
        }
        run(0, of_one[f].op, STRIA_C128, out, in, N);
        run(0, of_one[f].op, STRIA_C64, narrow_out, narrow, N);
        for (int i = 0; i < N; i++) {
            const double error = error_of(
                out[i], of_one[f].function(wide_of((long double)in[i][0], (long double)in[i][1])),
                0x1p-53);
            const double got[] = {(double)narrow_out[i][0], (double)narrow_out[i][1]};
            const double f32_error = error_of(
                got,
                of_one[f].function(wide_of((long double)narrow[i][0], (long double)narrow[i][1])),
                0x1p-24);
            most = fmax(most, error);
            if (!(error <= 2 * of_one[f].ulps) || !(f32_error <= 1.5))
                fail_msg("%s(%a, %a) is (%a, %a), off by %g, of c64 by %g",
                         stria_op_name(of_one[f].op), in[i][0], in[i][1], out[i][0], out[i][1],
                         error, f32_error);
        }
        print_message("%s of c128: off by %.2f halves of a unit\n", stria_op_name(of_one[f].op),
                      most);
    }
}

/* ---- special values -------------------------------------------------------------------------- */

static const double specials[SPECIALS] = {
    0.0,    -0.0,    1,        -1,        0.5, -0.5, 2,    -2,        1e300, -1e300,
    1e-300, -1e-300, INFINITY, -INFINITY, NAN, 700,  -700, 0x1p-1074, 3};

/* Whether a special value agrees; C99 leaves some signs open: those of zeros beside a part that is
 * not finite, and of some infinities. */
static bool agrees(double got, long double want, double x, double y)
{
    const double near = (double)want;
    const bool zeros_count = isfinite(x) && isfinite(y);
    const bool infinities_count = !isnan(x) && isfinite(y);
    if (isnan(want)) return isnan(got);
    if (near == 0 && want != 0) return got == 0; /* the result underflows */
    if (near == 0 && zeros_count) return got == 0 && signbit(got) == signbit(near);
    if (isinf(near)) return infinities_count ? got == near : isinf(got);
    return fabs(got - near) <= fabs(near) * 0x1p-48 + 0x1p-1070;
}

TEST(test_special_values)
{
    for (int level = 0; level < stria__kernels_count(); level++)
        for (int f = 0; f < OF_ONE && stria__kernels_at(level); f++)
            for (int i = 0; i < SPECIALS * SPECIALS; i++) {
                double in[2] = {specials[i % SPECIALS], specials[i / SPECIALS]}, got[2];
                const double x = in[0], y = in[1];
                run(level, of_one[f].op, STRIA_C128, got, in, 1);
                const wide want = of_one[f].function(wide_of((long double)x, (long double)y));
                if (!agrees(got[0], creall(want), x, y) || !agrees(got[1], cimagl(want), x, y))
                    fail_msg("%s: %s(%g, %g) is (%g, %g), not (%Lg, %Lg)",
                             stria__kernels_at(level)->isa, stria_op_name(of_one[f].op), x, y,
                             got[0], got[1], creall(want), cimagl(want));
            }
}

/* ---- of two, and of all levels --------------------------------------------------------------- */

TEST(test_power)
{
    double a[][2] = {{2, 0}, {0, 1}, {3, 4}, {0, 0}, {0, 0}, {-1, 0}, {1.5, -2}};
    double b[][2] = {{3, 0}, {2, 0}, {0.5, 0}, {0, 0}, {2, 1}, {0.5, 0}, {-1.25, 0.75}};
    enum { COUNT = sizeof a / sizeof *a };
    double out[COUNT][2];
    char *const ptr[] = {(char *)out, (char *)a, (char *)b};
    const stria_dim d[2] = {{COUNT, {16, 16, 16}}, {1, {0}}};
    op_loop(stria__kernels_at(0), STRIA_POW, STRIA_C128)(ptr, d);
    for (int i = 0; i < COUNT; i++) {
        const wide want = i == 3   ? wide_of(1, 0)
                          : i == 4 ? wide_of(0, 0)
                                   : cpowl(wide_of((long double)a[i][0], (long double)a[i][1]),
                                           wide_of((long double)b[i][0], (long double)b[i][1]));
        assert_true(cabsl(wide_of((long double)out[i][0], (long double)out[i][1]) - want) <=
                    1e-14L * (1 + cabsl(want)));
    }
}

/*
 * Exponents that have loops of their own: the bits are the same for one of all elements, for an
 * array of it, and where it stands among others; and the power is that of its definition.
 */
TEST(test_short_powers)
{
    static double a[N][2], b[N][2], one[N][2], out[N][2];
    static float narrow[3][N][2], narrow_one[N][2];
    static const double exponents[] = {1, 2, 3, -1, 0.5};
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++)
        for (int level = 0; level < stria__kernels_count(); level++) {
            if (!stria__kernels_at(level)) continue;
            map_loop *const large = op_loop(stria__kernels_at(level), STRIA_POW, STRIA_C128),
                            *const small = op_loop(stria__kernels_at(level), STRIA_POW, STRIA_C64);
            uint64_t seed = 19;
            for (int i = 0; i < N; i++) {
                draw(a[i], i, &seed);
                if (i < SPECIALS * SPECIALS && level > 0)
                    a[i][0] = specials[i % SPECIALS], a[i][1] = specials[i / SPECIALS];
                for (int k = 0; k < 2; k++) {
                    b[i][k] = k ? 0 : exponents[e];
                    narrow[0][i][k] = (float)a[i][k];
                    narrow[1][i][k] = (float)b[i][k];
                }
            }
            const stria_dim single[2] = {{N, {16, 16, 0}}, {1, {0}}},
                            dense[2] = {{N, {16, 16, 16}}, {1, {0}}},
                            single_small[2] = {{N, {8, 8, 0}}, {1, {0}}},
                            dense_small[2] = {{N, {8, 8, 8}}, {1, {0}}};
            large((char *[]){(char *)one, (char *)a, (char *)b}, single);
            large((char *[]){(char *)out, (char *)a, (char *)b}, dense);
            assert_memory_equal(out, one, sizeof out);
            small((char *[]){(char *)narrow_one, (char *)narrow[0], (char *)narrow[1]},
                  single_small);
            small((char *[]){(char *)narrow[2], (char *)narrow[0], (char *)narrow[1]}, dense_small);
            assert_memory_equal(narrow[2], narrow_one, sizeof narrow_one);
            for (int i = 0; i < N && level == 0; i++) {
                const wide x = wide_of((long double)a[i][0], (long double)a[i][1]),
                           want = e < 3    ? cpowl(x, (long double)exponents[e])
                                  : e == 3 ? 1 / x
                                           : csqrtl(x);
                const wide got = wide_of((long double)one[i][0], (long double)one[i][1]);
                if (!isfinite(one[i][0]) || cabsl(want) < 0x1p-1000L) continue;
                if (!(cabsl(got - want) <= 0x1p-50L * cabsl(want)))
                    fail_msg("(%a, %a)^%g is (%a, %a)", a[i][0], a[i][1], exponents[e], one[i][0],
                             one[i][1]);
            }
            for (int i = 0; i < N; i++)
                if (i % 3) b[i][0] = narrow[1][i][0] = 1.5F;
            large((char *[]){(char *)out, (char *)a, (char *)b}, dense);
            small((char *[]){(char *)narrow[2], (char *)narrow[0], (char *)narrow[1]}, dense_small);
            for (int i = 0; i < N; i += 3) {
                assert_memory_equal(out[i], one[i], sizeof out[i]);
                assert_memory_equal(narrow[2][i], narrow_one[i], sizeof narrow_one[i]);
            }
        }
}

/* log(e^a + e^b), where both powers are of a size and where they cancel. */
TEST(test_logaddexp)
{
    static double a[N][2], b[N][2], out[N][2], first[N][2];
    uint64_t seed = 17;
    for (int i = 0; i < N; i++) {
        draw(a[i], i, &seed);
        draw(b[i], i / 8, &seed);
        if (i % 3 == 0) b[i][0] = a[i][0] + part(&seed) * ldexp(1, -(i % 50));
        if (i % 9 == 0) b[i][1] = a[i][1] + 3.141592653589793 + part(&seed) * ldexp(1, -(i % 50));
    }
    for (int level = 0; level < stria__kernels_count(); level++) {
        if (!stria__kernels_at(level)) continue;
        char *const ptr[] = {(char *)(level ? out : first), (char *)a, (char *)b};
        const stria_dim d[2] = {{N, {16, 16, 16}}, {1, {0}}};
        op_loop(stria__kernels_at(level), STRIA_LOGADDEXP, STRIA_C128)(ptr, d);
        if (level) assert_memory_equal(out, first, sizeof out);
    }
    for (int i = 0; i < N; i++) {
        const wide x = wide_of((long double)a[i][0], (long double)a[i][1]),
                   y = wide_of((long double)b[i][0], (long double)b[i][1]);
        const wide most = a[i][0] < b[i][0] ? y : x, least = a[i][0] < b[i][0] ? x : y;
        const wide sum = 1 + cexpl(least - most), want = most + clogl(sum);
        /* Here the difference is rounded, too. */
        const long double tolerance =
            0x1p-50L * cabsl(want) + (0x1p-50L + 0x1p-62L * cabsl(least)) / cabsl(sum);
        if (cabsl(wide_of((long double)first[i][0], (long double)first[i][1]) - want) <= tolerance)
            continue;
        fail_msg("logaddexp((%a, %a), (%a, %a)) is (%a, %a)", a[i][0], a[i][1], b[i][0], b[i][1],
                 first[i][0], first[i][1]);
    }
}

TEST(test_levels)
{
    static double in[N][2], first[N][2], out[N][2];
    uint64_t seed = 11;
    for (int i = 0; i < N; i++)
        draw(in[i], i, &seed);
    for (int f = 0; f < OF_ONE; f++)
        for (int level = 0; level < stria__kernels_count(); level++) {
            if (!stria__kernels_at(level)) continue;
            run(level, of_one[f].op, STRIA_C128, level ? out : first, in, N);
            if (level && memcmp(out, first, sizeof out) != 0)
                fail_msg("%s differs on %s", stria_op_name(of_one[f].op),
                         stria__kernels_at(level)->isa);
        }
}

TEST_MAIN(NULL, NULL)
