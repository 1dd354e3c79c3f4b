/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes numbers at equal distances. */
#include <inttypes.h>
#include <math.h>

#include "view/array.h"
#include "ops/create/generate.h"
#include "ops/make.h"
#include "ops/value/element.h"
#include "stria/broadcast.h"
#include "stria/complex.h"
#include "stria/copy.h"
#include "stria/creation.h"
#include "stria/join.h"
#include "stria/value.h"
#include "stria/window.h"
#include "plan/threads.h"

/* Makes a 1-d array and fills it; a conversion to dtype that does not exist was refused before. */
static stria_status make_sequence(stria_array *out, stria_dtype dtype, int64_t count,
                                  const struct generator *g, const char *op)
{
    OWNED_ARRAY(made);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", op);
    STRIA_TRY(stria_empty(&made, dtype, 1, &count));
    return stria__deliver(out, &made, stria__generate(&made.view, g, op, NULL));
}

/* ---- integers -------------------------------------------------------------------------------- */

struct integers {
    int64_t start, step;
};

/* Sums may wrap; only a number beyond the last element would. */
static void integer_row(void *row, int64_t first, int64_t n, const void *how)
{
    const struct integers *const s = how;
    int64_t *const out = row;
    const uint64_t at = (uint64_t)s->start + (uint64_t)first * (uint64_t)s->step;
    for (int64_t i = 0; i < n; i++)
        out[i] = (int64_t)(at + (uint64_t)i * (uint64_t)s->step);
}

static uint64_t count_integers(int64_t start, int64_t stop, int64_t step)
{
    if (step > 0 ? stop <= start : stop >= start) return 0;
    const uint64_t apart =
        step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
    return (apart - 1) / magnitude(step) + 1;
}

stria_status stria__check_fits(stria_dtype dtype, int64_t value, const char *op)
{
    char item[16];
    const struct element e = {.negative = value < 0, .magnitude = magnitude(value)};
    if (dtype.kind > STRIA_C128 || stria__element_store(dtype, 0, item, &e)) return STRIA_OK;
    return stria__fail(STRIA_ERR_OVERFLOW,
                       "%s: %" PRId64 " does not fit into %s; take a wider dtype", op, value,
                       stria__dtype_text(dtype).text);
}

stria_status stria_arange_i64(stria_array *out, stria_dtype dtype, int64_t start, int64_t stop,
                              int64_t step, const stria_exec *exec)
{
    TAKES_EXEC(exec, "arange_i64");
    const struct integers how = {start, step};
    const struct generator g = {STRIA_I64, integer_row, &how, 1};
    STRIA_TRY(stria__check_dtype(dtype, "arange"));
    if (step == 0)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "arange: steps of 0 lead nowhere; 1 or -1 are the shortest");
    const uint64_t count = count_integers(start, stop, step);
    if (count > INT64_MAX)
        return stria__fail(STRIA_ERR_OVERFLOW,
                           "arange: %" PRIu64 " elements from %" PRId64 " to %" PRId64
                           " are more than 2^63 - 1",
                           count, start, stop);
    if (count > 0) {
        STRIA_TRY(stria__check_fits(dtype, start, "arange"));
        const uint64_t last = (uint64_t)start + (count - 1) * (uint64_t)step;
        STRIA_TRY(stria__check_fits(dtype, (int64_t)last, "arange"));
    }
    return make_sequence(out, dtype, (int64_t)count, &g, "arange");
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* The numbers start + i * step, except for one element at `odd`. */
struct floats {
    double start, step;
    int64_t odd;
    double value;
    /* If step would underflow to 0, numbers are i / divisor * step; else it is 1. */
    double divisor;
    bool floor;
};

static void float_row(void *row, int64_t first, int64_t n, const void *how)
{
    enum { RUN = 1 << 16 /* Numbers within a run are i32, which vectorize. */ };
    const struct floats *const s = how;
    double *const out = row;
    for (int64_t at = 0; at < n; at += RUN) {
        const int count = (int)least(n - at, RUN);
        const double before = (double)(first + at);
        for (int i = 0; i < count; i++)
            out[at + i] = s->start + (before + i) / s->divisor * s->step;
    }
    if (s->odd >= first && s->odd - first < n) out[s->odd - first] = s->value;
    for (int64_t i = 0; i < n && s->floor; i++)
        out[i] = floor_of(out[i]);
}

/* Counts the elements by NumPy's rule: if the quotient underflows there is one element before
 * stop. */
static double count_floats(double start, double stop, double step)
{
    const double apart = stop - start, quotient = apart / step;
    if (quotient == 0 && apart != 0) return signbit(quotient) ? 0 : 1;
    return quotient > 0 ? -floor_of(-quotient) : quotient != quotient ? quotient : 0;
}

stria_status stria_arange_f64(stria_array *out, stria_dtype dtype, double start, double stop,
                              double step, const stria_exec *exec)
{
    TAKES_EXEC(exec, "arange_f64");
    IN_DEFAULT_FP_MODE;
    const double next = start + step;
    const struct floats how = {start, next - start, 1, next, 1, false};
    const struct generator g = {STRIA_F64, float_row, &how, 4};
    STRIA_TRY(stria__check_dtype(dtype, "arange"));
    const double count = step == 0 ? (double)NAN : count_floats(start, stop, step);
    if (!(count < 0x1p63))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "arange: from %.17g to %.17g in steps of %.17g there is no number of "
                           "elements below 2^63; all of them have to be finite, and the step not 0",
                           start, stop, step);
    return make_sequence(out, dtype, (int64_t)count, &g, "arange");
}

static stria_status check_linspace(const stria_array *out, stria_dtype dtype, int64_t count)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "linspace: out is NULL");
    STRIA_TRY(stria__check_dtype(dtype, "linspace"));
    if (count >= 0) return STRIA_OK;
    return stria__fail(STRIA_ERR_SHAPE, "linspace: %" PRId64 " elements; 0 is the least", count);
}

/* Makes numbers from start to stop in `parts` steps of `step`; if stop is included, the last is
 * exactly it. */
static struct floats spaced(double start, double stop, double step, int64_t parts, bool ends)
{
    const bool underflows = parts > 0 && step == 0;
    return (struct floats){.start = start,
                           .step = parts > 0 && !underflows ? step : stop - start,
                           .odd = ends && parts > 0 ? parts : -1,
                           .value = stop,
                           .divisor = underflows ? (double)parts : 1};
}

stria_status stria_linspace(stria_array *out, stria_dtype dtype, double start, double stop,
                            int64_t count, bool endpoint, const stria_exec *exec)
{
    TAKES_EXEC(exec, "linspace");
    IN_DEFAULT_FP_MODE;
    STRIA_TRY(check_linspace(out, dtype, count));
    const int64_t parts = count - endpoint;
    const double step = parts > 0 ? (stop - start) / (double)parts : 0;
    struct floats how = spaced(start, stop, step, parts, endpoint);
    how.floor = dtype.kind < STRIA_F8E4M3 && dtype.kind != STRIA_BOOL;
    const struct generator g = {STRIA_F64, float_row, &how, 4};
    return make_sequence(out, dtype, count, &g, "linspace");
}

/* Makes real and imaginary parts as sequences of their own, as NumPy does when it divides by a real
 * number. */
static stria_status linspace_parts(const stria_view *out, const double start[2],
                                   const double stop[2], bool endpoint)
{
    const int64_t parts = out->shape[0] - endpoint;
    stria_view both, one;
    STRIA_TRY(stria_view_as_real(&both, out));
    for (int i = 0; i < 2; i++) {
        const double step = parts > 0 ? (stop[i] - start[i]) * (1 / (double)parts) : 0;
        const struct floats how = spaced(start[i], stop[i], step, parts, endpoint);
        const struct generator g = {STRIA_F64, float_row, &how, 4};
        STRIA_TRY(stria_select(&one, &both, 1, i));
        STRIA_TRY(stria__generate(&one, &g, "linspace", NULL));
    }
    return STRIA_OK;
}

stria_status stria_linspace_complex(stria_array *out, stria_dtype dtype, const double start[2],
                                    const double stop[2], int64_t count, bool endpoint,
                                    const stria_exec *exec)
{
    TAKES_EXEC(exec, "linspace_complex");
    IN_DEFAULT_FP_MODE;
    OWNED_ARRAY(made);
    STRIA_TRY(check_linspace(out, dtype, count));
    if (!start || !stop)
        return stria__fail(STRIA_ERR_ARGUMENT, "linspace: %s is NULL", start ? "stop" : "start");
    if (!stria_dtype_is_complex(dtype))
        return stria__fail(STRIA_ERR_DTYPE,
                           "linspace: %s takes no complex numbers; c64 and c128 do",
                           stria__dtype_text(dtype).text);
    STRIA_TRY(stria_empty(&made, dtype, 1, &count));
    return stria__deliver(out, &made, linspace_parts(&made.view, start, stop, endpoint));
}

/* Makes matrices of zeros and ones. */

static stria_status put_ones(const stria_view *matrix, int64_t k)
{
    const bool one = true;
    stria_view diagonal, value;
    STRIA_TRY(stria_diagonal(&diagonal, matrix, k, 0, 1));
    STRIA_TRY(stria_scalar(&value, STRIA_BOOL, &one));
    return stria_copy(&diagonal, &value, NULL);
}

static stria_status check_matrix(const stria_array *out, int64_t rows, int64_t columns,
                                 const char *op)
{
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", op);
    if (rows >= 0 && columns >= 0) return STRIA_OK;
    return stria__fail(STRIA_ERR_SHAPE, "%s: %lld rows of %lld; neither can be negative", op,
                       (long long)rows, (long long)columns);
}

stria_status stria_eye(stria_array *out, stria_dtype dtype, int64_t rows, int64_t columns,
                       int64_t k, const stria_exec *exec)
{
    TAKES_EXEC(exec, "eye");
    OWNED_ARRAY(made);
    STRIA_TRY(check_matrix(out, rows, columns, "eye"));
    STRIA_TRY(stria_zeros(&made, dtype, 2, (const int64_t[]){rows, columns}));
    return stria__deliver(out, &made, put_ones(&made.view, k));
}

stria_status stria_tri(stria_array *out, stria_dtype dtype, int64_t rows, int64_t columns,
                       int64_t k, const stria_exec *exec)
{
    TAKES_EXEC(exec, "tri");
    stria_view ones;
    OWNED_ARRAY(one);
    STRIA_TRY(check_matrix(out, rows, columns, "tri"));
    STRIA_TRY(stria_zeros(&one, dtype, 0, NULL));
    STRIA_TRY(stria_set_bool(&one.view, 0, NULL, true));
    STRIA_TRY(stria_expand(&ones, &one.view, 2, (const int64_t[]){rows, columns}));
    return stria_tril_new(out, &ones, k, NULL);
}
