/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: sums and extremes in windows, and arrays that go on beyond their
 * edges. */
#include <string.h>

#include "lang/rows/rows.h"
#include "stria/complex.h"
#include "stria/window.h"

/* Arguments 2 and 3, the mode, once it is read, and the value beyond the edges. */
#define PADDING (&(stria_window_options){.mode = (stria_pad_mode)INT(2), .value = ARRAY(3)})

/* Reads argument i: one number for all of n dims, or one for each, from `least` to `most`. */
static stria_status read_each(struct invocation *c, int i, int n, int64_t least, int64_t most,
                              int64_t *out)
{
    const struct arg *const given = &c->args[i];
    if (given->count != 1 && given->count != n)
        return REFUSE(SHAPE, "%.*s: %lld numbers for windows of %d dims", NAME,
                      (long long)given->count, n);
    for (int d = 0; d < n; d++) {
        out[d] = given->ints[given->count == 1 ? 0 : d];
        if (out[d] < least || out[d] > most)
            return REFUSE(ARGUMENT, "%.*s: %lld along dim %d", NAME, (long long)out[d], d);
    }
    return STRIA_OK;
}

static stria_status read_pad_mode(struct invocation *c)
{
    return stria__call_choice(
        c, 2, "valid|constant|edge|reflect|symmetric|wrap",
        "mode '%.40s': there are valid, constant, edge, reflect, symmetric, wrap");
}

/* Reads widths as numpy.pad takes them: one number for all, a pair for all dims, or a pair for each
 * dim. */
static stria_status widths_of(struct invocation *c, const stria_view *given, int64_t *before,
                              int64_t *after)
{
    stria_view widths;
    const int64_t shape[] = {A->ndim, 2};
    STRIA_TRY(stria_broadcast_to(&widths, given, 2, shape));
    for (int64_t d = 0; d < A->ndim; d++) {
        STRIA_TRY(stria_get_i64(&before[d], &widths, 2, (const int64_t[]){d, 0}));
        STRIA_TRY(stria_get_i64(&after[d], &widths, 2, (const int64_t[]){d, 1}));
    }
    return STRIA_OK;
}

stria_status stria__row_pad(struct invocation *c)
{
    int64_t before[STRIA_MAX_NDIM], after[STRIA_MAX_NDIM];
    STRIA_TRY(read_pad_mode(c));
    STRIA_TRY(widths_of(c, ARRAY(1), before, after));
    return stria_pad_new(NEW, A, A->ndim, before, after, PADDING, EXEC);
}

/* Pads as PyTorch does: pairs begin at the last dim, and the modes replicate and circular have its
 * names. */
stria_status stria__row_pad_torch(struct invocation *c)
{
    int64_t before[STRIA_MAX_NDIM] = {0}, after[STRIA_MAX_NDIM] = {0};
    const struct arg *const pairs = &c->args[1];
    const char **const name = &c->args[2].text;
    if (strcmp(*name, "replicate") == 0) *name = "edge";
    if (strcmp(*name, "circular") == 0) *name = "wrap";
    STRIA_TRY(read_pad_mode(c));
    if (pairs->count % 2 || pairs->count > 2 * A->ndim)
        return REFUSE(SHAPE, "pad: %lld numbers for %d dims", (long long)pairs->count,
                      (int)A->ndim);
    for (int64_t i = 0; i < pairs->count / 2; i++) {
        before[A->ndim - 1 - i] = pairs->ints[2 * i];
        after[A->ndim - 1 - i] = pairs->ints[2 * i + 1];
    }
    return stria_pad_new(NEW, A, A->ndim, before, after, PADDING, EXEC);
}

/* Reduces windows; one size serves all dims. */
stria_status stria__row_window_reduce(struct invocation *c, stria_reduction op)
{
    int64_t window[STRIA_MAX_NDIM];
    STRIA_TRY(read_each(c, 1, A->ndim, INT64_MIN, INT64_MAX, window));
    STRIA_TRY(read_pad_mode(c));
    return stria_window_reduce_new(NEW, op, A, A->ndim, window, PADDING, EXEC);
}

/* Reduces windows with steps between them, or between their elements: all dims of a view of them.
 */
stria_status stria__row_window_steps(struct invocation *c, stria_reduction op)
{
    const int n = A->ndim;
    int64_t sizes[STRIA_MAX_NDIM], stride[STRIA_MAX_NDIM], apart[STRIA_MAX_NDIM],
        before[STRIA_MAX_NDIM], after[STRIA_MAX_NDIM], shape[STRIA_MAX_NDIM],
        strides[STRIA_MAX_NDIM];
    int dims[STRIA_MAX_NDIM];
    stria_array padded = {0};
    stria_view windows;
    STRIA_TRY(read_pad_mode(c));
    STRIA_TRY(read_each(c, 1, n, 1, INT32_MAX, sizes));
    STRIA_TRY(read_each(c, 4, n, 1, INT32_MAX, stride));
    STRIA_TRY(read_each(c, 5, n, 1, INT32_MAX, apart));
    if (2 * n > STRIA_MAX_NDIM) return REFUSE(DIM, "%.*s: %d dims are too many", NAME, n);
    for (int d = 0; d < n; d++) {
        const int64_t reach = apart[d] * (sizes[d] - 1) + 1;
        before[d] = reach / 2;
        after[d] = reach - 1 - before[d];
    }
    if (INT(2) != STRIA_PAD_NONE) {
        STRIA_TRY(stria_pad_new(&padded, A, n, before, after, PADDING, EXEC));
        STRIA_TRY(stria__call_hold(c, &ARRAY(0), padded));
    }
    for (int d = 0; d < n; d++) {
        const int64_t left = A->shape[d] - apart[d] * (sizes[d] - 1);
        if (left < 1) return REFUSE(SHAPE, "%.*s: no window fits along dim %d", NAME, d);
        shape[d] = (left - 1) / stride[d] + 1;
        strides[d] = stride[d] * A->strides[d];
        shape[n + d] = sizes[d];
        strides[n + d] = apart[d] * A->strides[d];
        dims[d] = n + d;
    }
    STRIA_TRY(stria_as_strided_from(&windows, A, 2 * n, shape, strides, 0));
    return stria_reduce_dims_new(NEW, op, &windows, n, dims, NULL, EXEC);
}

/* Correlates images; `dims` (0: any) are those of a window. */
stria_status stria__row_conv(struct invocation *c, int dims)
{
    int64_t numbers[3][STRIA_MAX_NDIM];
    const int n = ARRAY(1)->ndim - 2;
    if (dims && n != dims)
        return REFUSE(SHAPE, "%.*s: weight has %d dims, wants %d", NAME, n + 2, dims + 2);
    for (int i = 0; i < 3; i++)
        STRIA_TRY(read_each(c, 3 + i, n, INT64_MIN, INT64_MAX, numbers[i]));
    return stria_conv_new(NEW, A, ARRAY(1),
                          &(stria_conv_options){.count = n,
                                                .stride = numbers[0],
                                                .padding = numbers[1],
                                                .dilation = numbers[2],
                                                .groups = INT(6),
                                                .bias = ARRAY(2)},
                          EXEC);
}

static stria_status line_mode(struct invocation *c)
{
    return stria__call_choice(c, 2, "full|same|valid", "mode '%.40s': there are full, same, valid");
}

stria_status stria__row_convolve(struct invocation *c)
{
    STRIA_TRY(line_mode(c));
    return stria_convolve_new(NEW, A, ARRAY(1), (stria_convolve_mode)INT(2), EXEC);
}

/*
 * Correlates lines as NumPy does: convolves with the second one reversed and conjugated. Where that
 * is the longer, it is the other way round, and the result is reversed and conjugated as well.
 */
static stria_status correlate_lines(struct invocation *c)
{
    const bool exchanged = ARRAY(1)->shape[0] > A->shape[0];
    stria_view turned;
    STRIA_TRY(line_mode(c));
    STRIA_TRY(stria_flip(&turned, exchanged ? A : ARRAY(1), 1, (const int[]){0}));
    STRIA_TRY(stria_conj(&turned, &turned));
    STRIA_TRY(stria_convolve_new(NEW, exchanged ? ARRAY(1) : A, &turned,
                                 (stria_convolve_mode)INT(2), EXEC));
    if (!exchanged) return STRIA_OK;
    STRIA_TRY(stria_flip(VIEW, VIEW, 1, (const int[]){0}));
    return stria_conj(VIEW, VIEW);
}

stria_status stria__row_correlate(struct invocation *c)
{
    const char *const mode = c->args[2].text;
    const bool lines = A->ndim == 1 && ARRAY(1)->ndim == 1;
    if (lines &&
        (!strcmp(mode, "full") || !strcmp(mode, "same") || (c->numpy && !strcmp(mode, "valid"))))
        return correlate_lines(c);
    STRIA_TRY(read_pad_mode(c));
    return stria_correlate_new(NEW, A, ARRAY(1), PADDING, EXEC);
}
