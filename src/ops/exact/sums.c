/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of real and complex elements, and what is rounded of them. */
#include "dtype.h"
#include "ops/exact/feed.h"
#include "ops/exact/state.h"
#include "ops/exact/wide.h"
#include "ops/operands.h"
#include "status.h"
#include "stria/complex.h"
#include "stria/copy.h"
#include "stria/mathematics.h"
#include "view/view.h"

void stria__sums_clear(struct sums *s)
{
    s->count = 0;
    s->is_complex = false;
    for (int i = 0; i < SUMS; i++)
        stria__accumulator_clear(&s->sum[i]);
}

void stria__sums_merge(struct sums *s, const struct sums *other)
{
    s->count += other->count;
    s->is_complex = s->is_complex || other->is_complex;
    for (int i = 0; i < SUMS; i++)
        stria__accumulator_merge(&s->sum[i], &other->sum[i]);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static stria_status refuse_dtype(const stria_view *a, const char *op, const char *name,
                                 const char *what)
{
    char text[64];
    stria__dtype_brief(a->dtype, text, sizeof text);
    return stria__fail(STRIA_ERR_DTYPE, "%s: %s is %s, %s", op, name, text, what);
}

stria_status stria__check_addend(const stria_view *a, const char *op, const char *name)
{
    STRIA_TRY(stria__check_view(a, op, name));
    return a->dtype.kind > STRIA_C128 ? refuse_dtype(a, op, name, "which is no number") : STRIA_OK;
}

stria_status stria__check_summand(const stria_view *a, const char *op, const char *name)
{
    STRIA_TRY(stria__check_addend(a, op, name));
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "%s: %s lies in a meta buffer, without elements",
                           op, name);
    return STRIA_OK;
}

stria_status stria__check_rounded(const stria_view *out, bool is_complex, const char *op)
{
    STRIA_TRY(stria__check_writable(out, op, "out"));
    if (is_complex && !stria_dtype_is_complex(out->dtype))
        return refuse_dtype(out, op, "out", "the result is complex");
    if (out->dtype.kind < STRIA_F8E4M3 || out->dtype.kind > STRIA_C128)
        return refuse_dtype(out, op, "out", "an exact sum is rounded to a float");
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

stria_status stria__sums_add(struct sums *s, const stria_view *a, bool squares,
                             const stria_exec *exec)
{
    stria_view part[2];
    const int parts = stria_dtype_is_complex(a->dtype) ? 2 : 1;
    STRIA_TRY(parts_of(part, a));
    s->count += stria_numel(a);
    s->is_complex = s->is_complex || parts == 2;
    for (int i = 0; i < parts; i++)
        STRIA_TRY(stria__exact_feed(&s->sum[SUM_REAL + i], squares ? &s->sum[SUM_SQUARES] : NULL,
                                    &part[i], &part[i], exec));
    return STRIA_OK;
}

/* (a + bi) (c + di) = ac - bd + (ad + bc) i. */
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
            STRIA_TRY(stria__exact_feed(NULL, sum, &factor, &y[j], exec));
        }
    return STRIA_OK;
}

/* ---- rounding -------------------------------------------------------------------------------- */

/* What sums of numbers that are not finite are; false where all of them are finite. */
static bool not_finite(double *out, uint32_t seen)
{
    const uint32_t both = SEEN_INFINITY | SEEN_MINUS_INFINITY;
    *out = seen & SEEN_NAN || (seen & both) == both ? __builtin_nan("")
           : seen & SEEN_INFINITY                   ? __builtin_inf()
                                                    : -__builtin_inf();
    return seen != 0;
}

/* Divides by divisor, 1 or more. */
static double round_sum(const struct exact_sum *s, int64_t divisor, bool odd)
{
    double out;
    struct wide w;
    if (not_finite(&out, s->seen)) return out;
    stria__wide_from(&w, s);
    if (divisor != 1) stria__wide_divide(&w, (uint64_t)divisor);
    return stria__wide_round(&w, odd);
}

/* (n squares - sum^2) / (n (n - ddof)) */
static double round_variance(const struct sums *s, int64_t ddof, bool odd)
{
    struct wide all, sum, square;
    const uint32_t seen =
        s->sum[SUM_REAL].seen | s->sum[SUM_IMAGINARY].seen | s->sum[SUM_SQUARES].seen;
    if (seen || s->count <= ddof) return __builtin_nan("");
    stria__wide_from(&all, &s->sum[SUM_SQUARES]);
    stria__wide_multiply(&all, (uint64_t)s->count);
    for (int i = SUM_REAL; i <= SUM_IMAGINARY; i++) {
        stria__wide_from(&sum, &s->sum[i]);
        stria__wide_square(&square, &sum);
        stria__wide_subtract(&all, &square);
    }
    stria__wide_divide(&all, (uint64_t)s->count);
    stria__wide_divide(&all, (uint64_t)(s->count - ddof));
    return stria__wide_round(&all, odd);
}

stria_status stria__sums_whole(const stria_view *out, const struct sums *s, const char *op)
{
    struct wide w;
    stria_view from;
    uint64_t low;
    if (s->is_complex || s->sum[SUM_REAL].seen)
        return refuse_dtype(out, op, "out", "the sum is no integer");
    stria__wide_from(&w, &s->sum[SUM_REAL]);
    if (!stria__wide_integer(&low, &w))
        return refuse_dtype(out, op, "out", "the sum is no integer");
    STRIA_TRY(stria_view_foreign(&from, &low, stria_dtype_of(STRIA_U64), 0, NULL, NULL, 0));
    from.dtype = stria_dtype_of((stria_kind)out->dtype.kind);
    return stria_copy(out, &from);
}

stria_status stria__sums_round(const stria_view *out, const struct sums *s, stria_reduction what,
                               int64_t ddof)
{
    double x[2] = {0, 0};
    stria_view from;
    const bool spread = what == STRIA_VAR || what == STRIA_STD;
    const bool is_complex = s->is_complex && !spread;
    const bool odd = out->dtype.kind != STRIA_F64 && out->dtype.kind != STRIA_C128;
    const int64_t divisor = what == STRIA_MEAN ? s->count : 1;
    if (spread) {
        x[0] = round_variance(s, ddof, odd && what == STRIA_VAR);
    } else if (divisor == 0) {
        x[0] = x[1] = __builtin_nan("");
    } else {
        x[0] = round_sum(&s->sum[SUM_REAL], divisor, odd);
        x[1] = round_sum(&s->sum[SUM_IMAGINARY], divisor, odd);
    }
    STRIA_TRY(stria_view_foreign(&from, x, stria_dtype_of(is_complex ? STRIA_C128 : STRIA_F64), 0,
                                 NULL, NULL, 0));
    if (what == STRIA_STD) STRIA_TRY(stria_sqrt(&from, &from, NULL));
    return stria_copy(out, &from);
}
