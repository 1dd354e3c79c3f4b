/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <math.h>

#include "machine/families.h"
#include "ops/create/generate.h"
#include "ops/operands.h"
#include "ops/value/element.h"
#include "stria/elementwise.h"
#include "stria/random.h"
#include "stria/value.h"

/* Checks out and r, and begins the sequence. */
static stria_status begin_random_rows(struct random_rows *s, const stria_view *out,
                                      const stria_random *r, const char *op)
{
    const stria_random none = {0};
    int64_t end;
    if (!stria__random()) return stria__left_out(op, "random");
    STRIA_TRY(stria__check_view(out, op, "out"));
    if (!r) r = &none;
    STRIA_TRY(stria__check_reserved(r->reserved, "the place in a sequence"));
    if (r->first < 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: first is %" PRId64 "; elements count from 0",
                           op, r->first);
    if (add_overflows(r->first, stria_numel(out), &end))
        return stria__fail(STRIA_ERR_OVERFLOW,
                           "%s: element %" PRId64 " and the %" PRId64
                           " behind it reach beyond 2^63 - 1; take another stream",
                           op, r->first, stria_numel(out));
    *s = (struct random_rows){.key = {(uint32_t)r->seed, (uint32_t)(r->seed >> 32)},
                              .stream = r->stream,
                              .first = r->first,
                              .kernels = stria__random()};
    return STRIA_OK;
}

/* Returns the bits of a fraction in a dtype; 0 if it is not one of these floats. */
static int fraction_bits(stria_dtype dtype)
{
    switch (dtype.kind) {
    case STRIA_F64: return 53;
    case STRIA_F32: return 24;
    case STRIA_F16: return 11;
    case STRIA_BF16: return 8;
    default: return 0;
    }
}

static stria_status begin_floats(struct random_rows *s, const stria_view *out,
                                 const stria_random *r, const char *op)
{
    STRIA_TRY(begin_random_rows(s, out, r, op));
    s->bits = fraction_bits(out->dtype);
    return s->bits ? STRIA_OK
                   : stria__refuse_dtype(out->dtype, op, "out",
                                         "; it has to be of f16, bf16, f32 or f64");
}

/* Finds the first number of that kind at or above x, or the last one below x. */
static stria_status beside(double *out, double x, stria_kind kind, bool below)
{
    char item[sizeof(double)];
    const double limit = below ? -(double)INFINITY : (double)INFINITY;
    stria_view number, towards;
    view_of_item(&number, item, kind);
    STRIA_TRY(stria_set_f64(&number, 0, NULL, x));
    STRIA_TRY(stria_get_f64(out, &number, 0, NULL));
    if (below ? *out < x : *out >= x) return STRIA_OK;
    STRIA_TRY(stria_weak(&towards, STRIA_F64, &limit));
    STRIA_TRY(stria_nextafter(&number, &number, &towards, NULL));
    return stria_get_f64(out, &number, 0, NULL);
}

stria_status stria_random_uniform(const stria_view *out, const stria_random *r, double low,
                                  double high, const stria_exec *exec)
{
    COMPUTES(exec);
    static const char op[] = "random_uniform";
    struct random_rows s;
    STRIA_TRY(begin_floats(&s, out, r, op));
    if (!(low < high) || !isfinite(high - low))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: from %.17g to %.17g there is no finite range of numbers", op, low,
                           high);
    s.start = low;
    s.width = high - low;
    STRIA_TRY(beside(&s.least, low, (stria_kind)out->dtype.kind, false));
    STRIA_TRY(beside(&s.most, high, (stria_kind)out->dtype.kind, true));
    if (s.least > s.most)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: no number of out's dtype lies from %.17g to %.17g", op, low, high);
    const bool unit = low == 0 && high == 1;
    const struct generator g = {.kind = unit && s.bits < 53 ? STRIA_F32 : STRIA_F64,
                                .row = !unit         ? stria__uniform_row
                                       : s.bits < 53 ? stria__fraction_f32_row
                                                     : stria__fraction_f64_row,
                                .how = &s,
                                .cycles = 3};
    return stria__generate(out, &g, op, exec);
}

stria_status stria_random_normal(const stria_view *out, const stria_random *r, double mean,
                                 double std, const stria_exec *exec)
{
    COMPUTES(exec);
    static const char op[] = "random_normal";
    struct random_rows s;
    STRIA_TRY(begin_floats(&s, out, r, op));
    if (!isfinite(mean) || !isfinite(std) || std < 0)
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "%s: mean %.17g and std %.17g; both have to be finite, and std from 0 on", op, mean,
            std);
    s.start = mean;
    s.width = std;
    const struct generator g = {STRIA_F64, stria__normal_row, &s, 40};
    return stria__generate(out, &g, op, exec);
}

stria_status stria_random_integers(const stria_view *out, const stria_random *r, int64_t low,
                                   int64_t high, const stria_exec *exec)
{
    static const char op[] = "random_integers";
    struct random_rows s;
    STRIA_TRY(begin_random_rows(&s, out, r, op));
    if (out->dtype.kind == STRIA_BOOL || out->dtype.kind > STRIA_F64)
        return stria__refuse_dtype(out->dtype, op, "out",
                                   "; it has to be of integers or floats; random_bits fills bools");
    if (low >= high)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: there are no integers from %" PRId64 " to below %" PRId64, op, low,
                           high);
    STRIA_TRY(stria__check_fits(out->dtype, low, op));
    STRIA_TRY(stria__check_fits(out->dtype, high - 1, op));
    s.low = low;
    s.count = (uint64_t)high - (uint64_t)low;
    const struct generator g = {STRIA_I64, stria__integer_row, &s, 6};
    return stria__generate(out, &g, op, exec);
}

stria_status stria_random_bits(const stria_view *out, const stria_random *r, const stria_exec *exec)
{
    static const char op[] = "random_bits";
    struct random_rows s;
    STRIA_TRY(begin_random_rows(&s, out, r, op));
    if (out->dtype.kind > STRIA_U64)
        return stria__refuse_dtype(out->dtype, op, "out", "; it has to be of bool or integers");
    s.mask = out->dtype.kind == STRIA_BOOL ? 1 : UINT32_MAX;
    const bool wide = out->dtype.itemsize == 8;
    const struct generator g = {.kind = wide ? STRIA_U64 : STRIA_U32,
                                .row = wide ? stria__bits_64_row : stria__bits_32_row,
                                .how = &s,
                                .cycles = 2};
    return stria__generate(out, &g, op, exec);
}
