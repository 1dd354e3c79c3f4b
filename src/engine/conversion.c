/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the steps of a conversion between the values of two views, and runs them over a row. */
#include "engine/conversion.h"

#include <assert.h>

#include "machine/dispatch.h"
#include "dtype/dtype.h"
#include "simd/tuning.h"
#include "base/status.h"

/* ---- steps ----------------------------------------------------------------------------------- */

/*
 * Pairs without a kernel of their own go by way of a type in between, chosen so that the value is
 * rounded once and as the direct conversion would round it.
 *
 * NOTE [One rounding]: the way through a type is right where the first half is exact. It is exact
 * - from a small float through f32, and from f32 through f64: those hold all their values;
 * - from integers of 8 and 16 bits through f32 (24 bits).
 * For f16 and the 8-bit floats every integer may go through f32, whatever its size: up to 2^24 that
 * is exact, and beyond, where f32 rounds, both the value and its rounding (which is no less than
 * 2^24, since rounding is monotone) are above 65520, where all three formats give their largest
 * result. bf16 reaches as far as f32; its conversions from larger integers are kernels.
 */

static void push_step(struct conversion *out, convert_row *row, int32_t per, int32_t size)
{
    assert(row && out->count < CONVERSION_STEPS);
    out->steps[out->count++] =
        (struct conversion_step){.row = row, .per = (int16_t)per, .size = (int16_t)size};
}

/* Adds the steps from one kind to another; per is 2 if both parts of complex items take the same
 * steps. */
static void push_path(struct conversion *out, stria_kind to, stria_kind from, int32_t per)
{
    const bool same_bits = to == from || (is_integer_kind(to) && is_integer_kind(from) &&
                                          stria__builtins[to].size == stria__builtins[from].size);
    if (same_bits) return;
    convert_row *const row = stria__kernels()->convert->row[to][from];
    if (row) {
        push_step(out, row, per, per * stria__builtins[to].size);
        return;
    }
    const stria_kind between = is_complex_kind(from) ? real_kind(from)
                               : is_complex_kind(to) ? real_kind(to)
                                                     : STRIA_F32;
    push_path(out, between, from, per);
    push_path(out, to, between, per);
}

static void route(struct conversion *out, stria_kind to, stria_kind from, bool wrap)
{
    const stria_kind part = real_kind(from);
    if (is_complex_kind(to) && is_complex_kind(from)) {
        push_path(out, real_kind(to), part, 2);
    } else if (wrap && is_float_kind(part) && is_integer_kind(to)) {
        push_path(out, STRIA_F64, from, 1);
        push_step(out, stria__kernels()->convert->u64_wrapped_from_f64, 1,
                  stria__builtins[STRIA_U64].size);
        push_path(out, to, STRIA_U64, 1);
    } else {
        push_path(out, to, from, 1);
    }
}

static void route_swap(struct conversion *out, stria_dtype dtype)
{
    static const int8_t log2_of[] = {[2] = 1, [4] = 2, [8] = 3};
    const int32_t per = is_complex_kind((stria_kind)dtype.kind) ? 2 : 1;
    const int32_t size = dtype.kind == STRIA_UNICODE ? 4 : dtype.itemsize / per;
    push_step(out, stria__kernels()->convert->swap[log2_of[size]], per, per * size);
}

static void route_signs(struct conversion *out, stria_kind kind, uint32_t flags)
{
    const struct convert_kernels *kernels = stria__kernels()->convert;
    const stria_kind part = real_kind(kind);
    const int32_t per = is_complex_kind(kind) ? 2 : 1;
    if (flags & STRIA_NEG && kernels->negate[part])
        push_step(out, kernels->negate[part], per, stria__builtins[kind].size);
    if (flags & STRIA_CONJ && kernels->conjugate[kind])
        push_step(out, kernels->conjugate[kind], 1, stria__builtins[kind].size);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Bytes of a scratch row; two of them fit in the first-level cache with the rows read from and
 * written to. */
enum { SCRATCH = 4 << 10 };

static stria_status refuse_conversion(stria_dtype to, stria_dtype from)
{
    return stria__fail(STRIA_ERR_DTYPE,
                       "copy: no conversion from %s to %s: strings, void, dates, durations and "
                       "records convert to their own kind, size and unit only; view the bytes as "
                       "another dtype instead",
                       stria__dtype_text(from).text, stria__dtype_text(to).text);
}

/*
 * Adds the steps between two numbers. Signs of floats may be changed before or after a conversion,
 * since rounding is symmetric. Those of integers may not: the negative of a limit wraps in one type
 * and fits in another.
 */
static void make_number(struct conversion *out, const stria_view *dst, const stria_view *src,
                        bool wrap)
{
    const stria_dtype to = dst->dtype, from = src->dtype;
    const stria_kind to_kind = (stria_kind)to.kind, from_kind = (stria_kind)from.kind;
    uint32_t before = to_kind == STRIA_BOOL ? 0 : src->flags, after = dst->flags;
    if (!is_complex_kind(to_kind)) before &= ~(uint32_t)STRIA_CONJ;
    const bool alike =
        to_kind == from_kind || (to_kind >= STRIA_F8E4M3 && from_kind >= STRIA_F8E4M3 &&
                                 is_complex_kind(to_kind) == is_complex_kind(from_kind));
    if (alike) {
        before ^= after;
        after = 0;
    }
    out->out_item = to.itemsize;
    out->in_item = from.itemsize;
    out->parts = 1;
    if (from.swapped) route_swap(out, from);
    if (before) route_signs(out, from_kind, before);
    route(out, to_kind, from_kind, wrap);
    if (after) route_signs(out, to_kind, after);
    if (to.swapped) route_swap(out, to);
    /* Two swaps of the byte order cancel. */
    if (out->count == 2 && to.swapped && from.swapped && to.itemsize == from.itemsize)
        out->count = 0;
}

/* Runs all steps; every step but the last writes to one of two scratch rows in turn. */
static void run_steps(const struct conversion *how, char *out, const char *in, int64_t n,
                      char scratch[2][SCRATCH])
{
    for (int i = 0; i < how->count; i++) {
        const struct conversion_step *step = &how->steps[i];
        char *const to = i == how->count - 1 ? out : scratch[i % 2];
        step->row(to, in, n * step->per);
        in = to;
    }
}

static void run_row(const struct conversion *how, char *out, const char *in, int64_t n)
{
    if (how->count == 1) {
        how->steps[0].row(out, in, n * how->steps[0].per);
        return;
    }
    _Alignas(LINE) char scratch[2][SCRATCH];
    const int64_t most = SCRATCH / how->widest;
    for (int64_t i = 0; i < n; i += most)
        run_steps(how, out + i * how->out_item, in + i * how->in_item, n - i < most ? n - i : most,
                  scratch);
}

void stria__convert_rows(const struct conversion *how, char *out, int64_t so, const char *in,
                         int64_t si, int64_t n, int64_t rows)
{
    if (so == n * how->out_item && si == n * how->in_item) {
        n *= rows;
        rows = 1;
    }
    for (int64_t j = 0; j < rows; j++)
        how->row(how, out + j * so, in + j * si, n);
}

void stria__convert_dims(const struct conversion *how, char *const *ptr, const stria_dim *d)
{
    const bool dense = d[0].s[0] == how->out_item && d[0].s[1] == how->in_item;
    if (dense || d[0].n == 1) {
        stria__convert_rows(how, ptr[0], d[1].s[0], ptr[1], d[1].s[1], d[0].n, d[1].n);
        return;
    }
    for (int64_t j = 0; j < d[1].n; j++)
        stria__convert_rows(how, ptr[0] + j * d[1].s[0], d[0].s[0], ptr[1] + j * d[1].s[1],
                            d[0].s[1], 1, d[0].n);
}

stria_status stria__convert(struct conversion *out, const stria_view *dst, const stria_view *src,
                            const stria_exec *exec)
{
    const stria_dtype to = dst->dtype, from = src->dtype;
    out->count = 0;
    if (to.kind <= STRIA_C128 && from.kind <= STRIA_C128) {
        make_number(out, dst, src, exec && (exec->hints & STRIA_CAST_WRAP));
    } else {
        stria_dtype native = to;
        native.swapped = from.swapped;
        if (!stria_dtype_equal(native, from)) return refuse_conversion(to, from);
        /* Strings change their byte order character by character, dates and durations as a whole.
         */
        const bool swap = to.swapped != from.swapped;
        out->out_item = out->in_item = swap && to.kind == STRIA_UNICODE ? 4 : to.itemsize;
        out->parts = to.itemsize ? to.itemsize / out->out_item : 1;
        if (swap) route_swap(out, to);
    }
    out->row = out->count ? run_row : NULL;
    out->widest = 1;
    for (int i = 0; i < out->count - 1; i++)
        if (out->steps[i].size > out->widest) out->widest = out->steps[i].size;
    return STRIA_OK;
}

stria_view stria__plain_view(stria_dtype dtype)
{
    stria_view view;
    view.dtype = dtype;
    view.flags = 0;
    return view;
}

bool stria__convert_element(void *out, stria_dtype to, const stria_view *from,
                            const stria_exec *exec)
{
    struct conversion how;
    const stria_view made = stria__plain_view(to);
    if (stria__convert(&how, &made, from, exec) != STRIA_OK || !how.row) return false;
    how.row(&how, out, from->data, how.parts);
    return true;
}
