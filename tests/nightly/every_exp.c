/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * every_exp f32 PART PARTS: e^x of one part of all 2^32 inputs, on every level. The first level is
 * compared with long double where that leaves no doubt how it rounds, else with MPFR, which also
 * takes every 4099th input; the others with the first.
 *
 * every_exp f64 PART PARTS: e^x of 2^26 random inputs, the largest error in units in the last
 * place.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dispatch.h"
#include "simd/map.h"
#include "support/exact_exp.h"
#include "support/random.h"

enum { CHUNK = 1 << 16, OFTEN = 4099 };

static int64_t wrong, asked;

static void run(int level, stria_kind kind, void *out, void *in)
{
    char *const ptr[] = {out, in};
    const int64_t item = stria_dtype_of(kind).itemsize;
    const stria_dim d[2] = {{CHUNK, {item, item}}, {1, {0}}};
    stria__kernels_at(level)->map->loop[STRIA_EXP][kind](ptr, d);
}

static void report(int level, double x, double got, double wanted)
{
    if (wrong++ < 20)
        printf("%s: exp(%a) is %a, not %a\n", stria__kernels_at(level)->isa, x, got, wanted);
}

/*
 * Correctly rounded. The margin is 2^8 units of a long double of 64 bits, beyond any doubt about
 * expl, and little enough that MPFR is asked once in 2^30 inputs.
 */
static float rounded(float x, uint32_t bits)
{
    const long double y = expl((long double)x), margin = y * 0x1p-55L;
    const float low = (float)(y - margin), high = (float)(y + margin);
    if ((low == high || isinf(y)) && bits % OFTEN) return (float)y;
    asked++;
    return (float)exact_exp((double)x, exact_f32);
}

static bool is_same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void check_f32(uint32_t first)
{
    static float in[CHUNK], scalar[CHUNK], out[CHUNK];
    for (uint32_t i = 0; i < CHUNK; i++) {
        const uint32_t bits = first + i;
        memcpy(&in[i], &bits, sizeof bits);
    }
    run(0, STRIA_F32, scalar, in);
    for (uint32_t i = 0; i < CHUNK; i++) {
        const float wanted = isnan(in[i]) ? in[i] : rounded(in[i], first + i);
        if (!is_same(scalar[i], wanted))
            report(0, (double)in[i], (double)scalar[i], (double)wanted);
    }
    for (int level = 1; level < stria__kernels_count(); level++) {
        if (!stria__kernels_at(level)) continue;
        run(level, STRIA_F32, out, in);
        for (int i = 0; i < CHUNK; i++)
            if (!is_same(out[i], scalar[i]))
                report(level, (double)in[i], (double)out[i], (double)scalar[i]);
    }
}

/* An error that long double sees as large is taken from MPFR. */
static double error_of(double x, double result, double most)
{
    const long double y = expl((long double)x);
    int exponent;
    (void)frexpl(y, &exponent);
    const long double unit = ldexpl(1, exponent - 53),
                      error = fabsl(y - (long double)result) / unit;
    if (error < (long double)most) return 0;
    asked++;
    return exact_exp_error(x, result);
}

static double check_f64(uint64_t *seed, double most, double *at)
{
    static double in[CHUNK], out[CHUNK];
    for (int i = 0; i < CHUNK; i++)
        in[i] = (double)(int64_t)random_bits(seed) * 0x1p-63 * (i % 2 ? 708 : 1);
    run(0, STRIA_F64, out, in);
    for (int i = 0; i < CHUNK; i++) {
        const double error = error_of(in[i], out[i], most);
        if (error > most) most = error, *at = in[i];
    }
    return most;
}

int main(int argc, char **argv)
{
    const int part = argc == 4 ? atoi(argv[2]) : -1, parts = argc == 4 ? atoi(argv[3]) : 0;
    const bool wide = argc == 4 && strcmp(argv[1], "f64") == 0;
    if (part < 0 || part >= parts || (!wide && strcmp(argv[1], "f32") != 0)) {
        fprintf(stderr, "usage: every_exp f32|f64 PART PARTS\n");
        return 2;
    }
    const time_t start = time(NULL);
    const int64_t chunks = (wide ? INT64_C(1) << 26 : INT64_C(1) << 32) / CHUNK;
    uint64_t seed = (uint64_t)part;
    double most = 0.5, at = 0;
    int64_t done = 0;
    for (int64_t chunk = part; chunk < chunks; chunk += parts, done++)
        if (wide)
            most = check_f64(&seed, most, &at);
        else
            check_f32((uint32_t)(chunk * CHUNK));
    if (wide) printf("off by %.4f units in the last place at most, for %a\n", most, at);
    printf("%s: %" PRId64 " inputs, %" PRId64 " of them by MPFR, %" PRId64 " wrong, %ld s\n",
           argv[1], done * CHUNK, asked, wrong, (long)(time(NULL) - start));
    return wrong != 0 || most > 0.61;
}
