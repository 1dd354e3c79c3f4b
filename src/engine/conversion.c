/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the steps of a conversion between the values of two views, and runs them over a row. */
#include "conversion.h"

#include "dtype.h"
#include "simd/tuning.h"
#include "status.h"

/* Bytes; two of them fit in the first-level cache with the rows read from and written to. */
enum { SCRATCH = 4 << 10 };

static bool is_number(stria_dtype dtype)
{
    return dtype.kind <= STRIA_C128;
}

static bool is_float(stria_dtype dtype)
{
    return dtype.kind >= STRIA_F8E4M3 && dtype.kind <= STRIA_C128;
}

static stria_status refuse(stria_dtype to, stria_dtype from)
{
    char to_name[64], from_name[64];
    stria__dtype_brief(to, to_name, sizeof to_name);
    stria__dtype_brief(from, from_name, sizeof from_name);
    return stria__fail(STRIA_ERR_DTYPE,
                       "copy: no conversion from %s to %s: strings, void, dates, durations and "
                       "records convert to their own kind, size and unit only; view the bytes as "
                       "another dtype instead",
                       from_name, to_name);
}

/* Strings change their byte order character by character, dates and durations as a whole. */
static void make_string(struct conversion *out, stria_dtype to, stria_dtype from)
{
    const bool swap = to.swapped != from.swapped;
    out->out_item = out->in_item = swap && to.kind == STRIA_UNICODE ? 4 : to.itemsize;
    out->parts = to.itemsize ? to.itemsize / out->out_item : 1;
    if (swap) stria__route_swap(out, to);
}

/*
 * Signs of floats may be changed before or after a conversion, since rounding is symmetric. Those
 * of integers may not: the negative of a limit wraps in one type and fits in another.
 */
static void make_number(struct conversion *out, const stria_view *dst, const stria_view *src,
                        bool wrap)
{
    const stria_dtype to = dst->dtype, from = src->dtype;
    const stria_kind to_kind = (stria_kind)to.kind, from_kind = (stria_kind)from.kind;
    uint32_t before = to_kind == STRIA_BOOL ? 0 : src->flags, after = dst->flags;
    if (!stria_dtype_is_complex(to)) before &= ~(uint32_t)STRIA_CONJ;
    const bool alike =
        to_kind == from_kind || (is_float(to) && is_float(from) &&
                                 stria_dtype_is_complex(to) == stria_dtype_is_complex(from));
    if (alike) {
        before ^= after;
        after = 0;
    }
    out->out_item = to.itemsize;
    out->in_item = from.itemsize;
    out->parts = 1;
    if (from.swapped) stria__route_swap(out, from);
    if (before) stria__route_signs(out, from_kind, before);
    stria__route(out, to_kind, from_kind, wrap);
    if (after) stria__route_signs(out, to_kind, after);
    if (to.swapped) stria__route_swap(out, to);
    /* Two swaps cancel. */
    if (out->count == 2 && to.swapped && from.swapped && to.itemsize == from.itemsize)
        out->count = 0;
}

/* Every step but the last writes to one of two scratch rows in turn. */
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

/* Runs one step over rows that are so and si bytes apart; in one call where there are no gaps. */
static void step_rows(const struct conversion_step *step, char *out, int64_t so, const char *in,
                      int64_t si, int64_t in_item, int64_t n, int64_t rows)
{
    if (so == n * step->size && si == n * in_item) {
        n *= rows;
        rows = 1;
    }
    for (int64_t j = 0; j < rows; j++)
        step->row(out + j * so, in + j * si, n * step->per);
}

/*
 * Takes the steps of `most` rows together. Never inlined, so that its buffers are not on the stack
 * below those of run_row.
 */
__attribute__((noinline)) static void convert_together(const struct conversion *how, char *out,
                                                       int64_t so, const char *in, int64_t si,
                                                       int64_t n, int64_t rows, int64_t most)
{
    _Alignas(LINE) char scratch[2][SCRATCH];
    for (int64_t j = 0, m; j < rows; j += m) {
        const char *from = in + j * si;
        int64_t step_in = si, item = how->in_item;
        m = rows - j < most ? rows - j : most;
        for (int i = 0; i < how->count; i++) {
            const struct conversion_step *step = &how->steps[i];
            const bool last = i == how->count - 1;
            char *const to = last ? out + j * so : scratch[i % 2];
            const int64_t step_out = last ? so : n * step->size;
            step_rows(step, to, step_out, from, step_in, item, n, m);
            from = to;
            step_in = step_out;
            item = step->size;
        }
    }
}

void stria__convert_rows(const struct conversion *how, char *out, int64_t so, const char *in,
                         int64_t si, int64_t n, int64_t rows)
{
    if (how->row == run_row && how->count == 1) {
        step_rows(&how->steps[0], out, so, in, si, how->in_item, n, rows);
        return;
    }
    const bool together = rows > 1 && how->row == run_row;
    const int64_t most = together ? SCRATCH / 2 / how->widest / n : 0;
    if (most >= 2) {
        convert_together(how, out, so, in, si, n, rows, most);
        return;
    }
    for (int64_t j = 0; j < rows; j++)
        how->row(how, out + j * so, in + j * si, n);
}

/* Computes the bytes of an item in the widest scratch row; at least 1. */
static int32_t widest_step(const struct conversion *how)
{
    int32_t widest = 1;
    for (int i = 0; i < how->count - 1; i++)
        if (how->steps[i].size > widest) widest = how->steps[i].size;
    return widest;
}

stria_status stria__convert(struct conversion *out, const stria_view *dst, const stria_view *src,
                            const stria_exec *exec)
{
    const stria_dtype to = dst->dtype, from = src->dtype;
    out->count = 0;
    if (is_number(to) && is_number(from)) {
        make_number(out, dst, src, exec && (exec->hints & STRIA_CAST_WRAP));
    } else {
        stria_dtype native = to;
        native.swapped = from.swapped;
        if (!stria_dtype_equal(native, from)) return refuse(to, from);
        make_string(out, to, from);
    }
    out->row = out->count ? run_row : NULL;
    out->widest = widest_step(out);
    return STRIA_OK;
}
