/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of real and complex elements, and results that are rounded from them. */
#include "ops/exact/feed.h"
#include "ops/exact/state.h"
#include "ops/exact/wide.h"
#include "ops/operands.h"
#include "stria/complex.h"
#include "stria/mathematics.h"

void stria__sums_merge(struct sums *s, const struct sums *other)
{
    s->count += other->count;
    s->is_complex = s->is_complex || other->is_complex;
    for (int i = 0; i < SUMS; i++)
        stria__accumulator_merge(&s->sum[i], &other->sum[i]);
}

/* ---- checks ---------------------------------------------------------------------------------- */

stria_status stria__check_addend(const stria_view *a, const char *op, const char *name)
{
    STRIA_TRY(stria__check_view(a, op, name));
    return stria__check_number(a->dtype, op, name);
}

stria_status stria__check_summand(const stria_view *a, const char *op, const char *name)
{
    STRIA_TRY(stria__check_addend(a, op, name));
    return stria__check_memory(a, op, name);
}

stria_status stria__check_rounded(const stria_view *out, bool is_complex, const char *op)
{
    STRIA_TRY(stria__check_writable(out, op, "out"));
    if (is_complex && !stria_dtype_is_complex(out->dtype))
        return stria__refuse_dtype(out->dtype, op, "out", ", the result is complex");
    if (out->dtype.kind < STRIA_F8E4M3 || out->dtype.kind > STRIA_C128)
        return stria__refuse_dtype(out->dtype, op, "out", ", an exact sum is rounded to a float");
    return STRIA_OK;
}

bool stria__is_counter(stria_dtype dtype)
{
    return dtype.kind == STRIA_I64 || dtype.kind == STRIA_U64;
}

stria_status stria__check_ddof(int64_t *out, double ddof, const char *op)
{
    if (!(ddof >= 0 && ddof <= 0x1p53 && ddof == (double)(int64_t)ddof))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: a ddof of %g, must be whole and 0 or more", op,
                           ddof);
    *out = (int64_t)ddof;
    return STRIA_OK;
}

/* ---- adding ---------------------------------------------------------------------------------- */

static stria_status parts_of(stria_view part[2], const stria_view *a)
{
    STRIA_TRY(stria_real(&part[0], a));
    return stria_dtype_is_complex(a->dtype) ? stria_imag(&part[1], a) : STRIA_OK;
}

stria_status stria__sums_add(struct sums *s, struct power_sums *powers, const stria_view *a,
                             bool squares, const stria_exec *exec)
{
    stria_view part[2];
    const int parts = stria_dtype_is_complex(a->dtype) ? 2 : 1;
    STRIA_TRY(parts_of(part, a));
    s->count += stria_numel(a);
    s->is_complex = s->is_complex || parts == 2;
    for (int i = 0; i < parts; i++)
        STRIA_TRY(stria__exact_feed(&s->sum[SUM_REAL + i], squares ? &s->sum[SUM_SQUARES] : NULL,
                                    powers, &part[i], &part[i], exec));
    return STRIA_OK;
}

/* Adds (a + bi) (c + di) = ac - bd + (ad + bc) i. */
stria_status stria__sums_add_product(struct sums *s, const stria_view *a, const stria_view *b,
                                     const stria_exec *exec)
{
    stria_view x[2], y[2];
    const int xs = stria_dtype_is_complex(a->dtype) ? 2 : 1,
              ys = stria_dtype_is_complex(b->dtype) ? 2 : 1;
    STRIA_TRY(parts_of(x, a));
    STRIA_TRY(parts_of(y, b));
    s->count += stria_numel(a);
    s->is_complex = s->is_complex || xs == 2 || ys == 2;
    for (int i = 0; i < xs; i++)
        for (int j = 0; j < ys; j++) {
            stria_view factor = x[i];
            if (i == 1 && j == 1) STRIA_TRY(stria_neg_view(&factor, &x[i]));
            struct exact_sum *const sum = &s->sum[i == j ? SUM_REAL : SUM_IMAGINARY];
            STRIA_TRY(stria__exact_feed(NULL, sum, NULL, &factor, &y[j], exec));
        }
    return STRIA_OK;
}

/* ---- rounding -------------------------------------------------------------------------------- */

/* Tells whether results are rounded further than to f64. */
static bool is_narrower(stria_dtype dtype)
{
    return dtype.kind != STRIA_F64 && dtype.kind != STRIA_C128;
}

/* Sums numbers that are not finite; false if all of them are finite. */
static bool not_finite(double *out, uint64_t seen)
{
    const uint64_t both = SEEN_INFINITY | SEEN_MINUS_INFINITY;
    *out = seen & SEEN_NAN || (seen & both) == both ? __builtin_nan("")
           : seen & SEEN_INFINITY                   ? __builtin_inf()
                                                    : -__builtin_inf();
    return seen != 0;
}

static void wide_of(struct wide *out, const struct exact_sum *s)
{
    stria__wide_from(out, s->word, ACCUMULATOR_WORDS, WORD_OF_ONE);
}

/* Rounds a sum divided by divisor, 1 or more. */
static double round_sum(const struct exact_sum *s, int64_t divisor, bool odd)
{
    double out;
    struct wide w;
    if (not_finite(&out, s->seen)) return out;
    wide_of(&w, s);
    if (divisor != 1) stria__wide_divide(&w, (uint64_t)divisor);
    return stria__wide_round(&w, 0, odd);
}

/* Computes n squares - sum^2, which is the variance times n^2. */
static void spread_of(struct wide *out, const struct sums *s)
{
    struct wide sum, square;
    wide_of(out, &s->sum[SUM_SQUARES]);
    stria__wide_multiply(out, (uint64_t)s->count);
    for (int i = SUM_REAL; i <= SUM_IMAGINARY; i++) {
        wide_of(&sum, &s->sum[i]);
        stria__wide_product(&square, &sum, &sum);
        stria__wide_add(out, &square, true);
    }
}

static double round_variance(const struct sums *s, int64_t ddof, bool odd)
{
    struct wide all;
    const uint64_t seen =
        s->sum[SUM_REAL].seen | s->sum[SUM_IMAGINARY].seen | s->sum[SUM_SQUARES].seen;
    if (seen || s->count <= ddof) return __builtin_nan("");
    spread_of(&all, s);
    stria__wide_divide(&all, (uint64_t)s->count);
    stria__wide_divide(&all, (uint64_t)(s->count - ddof));
    return stria__wide_round(&all, 0, odd);
}

/* Adds a product of sums, times a number and a power of the count. */
static void add_term(struct wide *all, const struct wide *a, const struct wide *b, uint64_t times,
                     int powers, int64_t count, bool subtract)
{
    struct wide term = *a;
    if (b) stria__wide_product(&term, a, b);
    stria__wide_multiply(&term, times);
    for (int i = 0; i < powers; i++)
        stria__wide_multiply(&term, (uint64_t)count);
    stria__wide_add(all, &term, subtract);
}

/*
 * With sums S1 to S4 of the powers of n numbers, n^3 times the third moment is n^2 S3 - 3 n S1 S2 +
 * 2 S1^3, n^4 times the fourth is n^3 S4 - 4 n^2 S1 S3 + 6 n S1^2 S2 - 3 S1^4; and n^4 times the
 * fourth less 3 squares of the variance, n^3 S4 - 4 n^2 S1 S3 - 3 n^2 S2^2 + 12 n S1^2 S2 - 6 S1^4.
 * Skewness and kurtosis do not depend on the unit, so that words of all are shifted to where the
 * variance is near 1: none of them is beyond f64. *variance becomes that of these, else 1.
 */
static double round_moment(double *variance, const struct sums *s, const struct power_sums *p,
                           stria_exact_moment_kind what, bool odd)
{
    const int64_t n = s->count;
    const bool third = what == STRIA_MOMENT_THIRD || what == STRIA_MOMENT_SKEWNESS;
    const bool standard = what >= STRIA_MOMENT_SKEWNESS;
    struct wide s1, s2, s3, s4, square, spread, all = {{0}, false, false};
    *variance = 1;
    if (n == 0 || s->sum[SUM_REAL].seen) return __builtin_nan("");
    wide_of(&s1, &s->sum[SUM_REAL]);
    wide_of(&s2, &s->sum[SUM_SQUARES]);
    stria__wide_from(&s3, p->word[CUBES], POWER_WORDS, POWER_OF_ONE);
    stria__wide_from(&s4, p->word[FOURTHS], POWER_WORDS, POWER_OF_ONE);
    stria__wide_product(&square, &s1, &s1);
    if (third) {
        add_term(&all, &s3, NULL, 1, 2, n, false);
        add_term(&all, &s1, &s2, 3, 1, n, true);
        add_term(&all, &s1, &square, 2, 0, n, false);
    } else {
        add_term(&all, &s4, NULL, 1, 3, n, false);
        add_term(&all, &s1, &s3, 4, 2, n, true);
        if (standard) add_term(&all, &s2, &s2, 3, 2, n, true);
        add_term(&all, &square, &s2, standard ? 12 : 6, 1, n, false);
        add_term(&all, &square, &square, standard ? 6 : 3, 0, n, true);
    }
    if (!standard) {
        for (int i = 0; i < (third ? 3 : 4); i++)
            stria__wide_divide(&all, (uint64_t)n);
        return stria__wide_round(&all, 0, odd);
    }
    spread_of(&spread, s);
    const int top = stria__wide_top(&spread), unit = (top - WIDE_ONE) >> 1;
    if (top < 0) return __builtin_nan("");
    *variance = stria__wide_round(&spread, 2 * unit, false);
    return stria__wide_round(&all, (third ? 3 : 4) * unit, false);
}

stria_status stria__check_moment(stria_exact_moment_kind what, stria_dtype dtype, const char *op)
{
    if ((unsigned)what >= STRIA_MOMENTS)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there is no moment %d", op, (int)what);
    if (stria_dtype_is_complex(dtype))
        return stria__fail(STRIA_ERR_DTYPE, "%s: complex numbers have no such moments", op);
    return STRIA_OK;
}

stria_status stria__moment_round(const stria_view *out, const struct sums *s,
                                 const struct power_sums *powers, stria_exact_moment_kind what)
{
    stria_view from;
    double variance, x = 0;
    const double moment = round_moment(&variance, s, powers, what, is_narrower(out->dtype));
    view_of_item(&from, &x, STRIA_F64);
    x = variance;
    if (what == STRIA_MOMENT_SKEWNESS) STRIA_TRY(stria_sqrt(&from, &from, NULL));
    x = moment / (variance * x);
    return stria_copy(out, &from, NULL);
}

stria_status stria__sums_whole(const stria_view *out, const struct sums *s)
{
    struct wide w;
    stria_view from;
    uint64_t low;
    wide_of(&w, &s->sum[SUM_REAL]);
    if (s->is_complex || s->sum[SUM_REAL].seen || !stria__wide_integer(&low, &w))
        return stria__refuse_dtype(out->dtype, "exact_result", "out", ", the sum is no integer");
    view_of_item(&from, &low, STRIA_U64);
    from.dtype = stria_dtype_of((stria_kind)out->dtype.kind);
    return stria_copy(out, &from, NULL);
}

stria_status stria__sums_round(const stria_view *out, const struct sums *s, stria_reduction what,
                               int64_t ddof)
{
    double x[2] = {0, 0};
    stria_view from;
    const bool spread = what == STRIA_VAR || what == STRIA_STD;
    const bool is_complex = s->is_complex && !spread;
    const bool odd = is_narrower(out->dtype);
    const int64_t divisor = what == STRIA_MEAN ? s->count : 1;
    if (spread) {
        x[0] = round_variance(s, ddof, odd && what == STRIA_VAR);
    } else if (divisor == 0) {
        x[0] = x[1] = __builtin_nan("");
    } else {
        x[0] = round_sum(&s->sum[SUM_REAL], divisor, odd);
        x[1] = round_sum(&s->sum[SUM_IMAGINARY], divisor, odd);
    }
    view_of_item(&from, x, is_complex ? STRIA_C128 : STRIA_F64);
    if (what == STRIA_STD) STRIA_TRY(stria_sqrt(&from, &from, NULL));
    return stria_copy(out, &from, NULL);
}
