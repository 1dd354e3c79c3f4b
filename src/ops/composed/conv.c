/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Convolutions. Those of images are contractions of a view of all windows with the weights, without
 * a copy of the windows; those of lines are correlations with reversed weights.
 */
#include <stdio.h>

#include "ops/composed/composed.h"
#include "ops/elementwise/operation.h"
#include "stria/axes.h"
#include "stria/complex.h"
#include "stria/contract.h"
#include "stria/value.h"
#include "stria/window.h"
#include "stria/window_ops.h"

/* ---- images --------------------------------------------------------------------------------- */

enum { MOST = 5 /* dims of a window; the letters of subscripts are enough for them */ };

/* A convolution: its operands, and the results of the checks. */
struct conv {
    stria_view a; /* With the dim of images. */
    const stria_view *weights, *bias;
    bool alone;     /* The dim of images was not there. */
    int n;          /* Dims of a window. */
    int64_t groups; /* Groups of channels. */
    int64_t stride[MOST], padding[MOST], dilation[MOST];
    int64_t shape[MOST + 2]; /* Images, channels of the result, places of windows. */
};

/* Reads a list of the options: a number for each dim, or one for all; NULL is the default. */
static stria_status read_list(int64_t *out, int n, int count, const int64_t *list, int64_t fallback,
                              const char *name)
{
    if (list && count != 1 && count != n)
        return stria__fail(STRIA_ERR_SHAPE, "conv: %d numbers of %s for windows of %d dims", count,
                           name, n);
    for (int d = 0; d < n; d++) {
        out[d] = list ? list[count == 1 ? 0 : d] : fallback;
        if (out[d] < fallback || out[d] > INT32_MAX)
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "conv: %s is %lld along dim %d, wants %lld to %d", name,
                               (long long)out[d], d, (long long)fallback, INT32_MAX);
    }
    return STRIA_OK;
}

static stria_status check_channels(const struct conv *c)
{
    const int64_t in = c->a.shape[1], out = c->weights->shape[0], each = c->weights->shape[1];
    if (c->groups < 1 || in % c->groups || out % c->groups || in / c->groups != each)
        return stria__fail(
            STRIA_ERR_SHAPE,
            "conv: %lld channels of a in %lld groups, weights of shape %s, whose dims "
            "0 and 1 are the channels of the result and those of a group",
            (long long)in, (long long)c->groups,
            stria__dims_text(c->weights->ndim, c->weights->shape).text);
    if (c->bias && !view_has_shape(c->bias, 1, &out))
        return stria__fail(STRIA_ERR_SHAPE, "conv: bias of shape %s for %lld channels",
                           stria__dims_text(c->bias->ndim, c->bias->shape).text, (long long)out);
    return STRIA_OK;
}

/* Finds how many windows there are along each dim. */
static stria_status count_windows(struct conv *c)
{
    c->shape[0] = c->a.shape[0];
    c->shape[1] = c->weights->shape[0];
    for (int d = 0; d < c->n; d++) {
        const int64_t n = c->a.shape[d + 2], k = c->weights->shape[d + 2];
        int64_t reach, left;
        if (k < 1)
            return stria__fail(STRIA_ERR_SHAPE, "conv: windows have %lld elements along dim %d",
                               (long long)k, d);
        if (mul_overflows(k - 1, c->dilation[d], &reach) ||
            add_overflows(n, 2 * c->padding[d], &left) || sub_overflows(left, reach, &left))
            return stria__fail(STRIA_ERR_OVERFLOW, "conv: windows overflow 64 bits along dim %d",
                               d);
        if (left < 1)
            return stria__fail(
                STRIA_ERR_SHAPE,
                "conv: a window of %lld elements along dim %d, %lld apart, does not fit in "
                "%lld with a padding of %lld",
                (long long)k, d, (long long)c->dilation[d], (long long)n, (long long)c->padding[d]);
        c->shape[d + 2] = (left - 1) / c->stride[d] + 1;
    }
    return STRIA_OK;
}

static stria_status read_conv(struct conv *c, const stria_view *a, const stria_view *weights,
                              const stria_conv_options *options)
{
    const stria_conv_options o = options ? *options : (stria_conv_options){.count = 0};
    STRIA_TRY(stria__check_view(a, "conv", "a"));
    STRIA_TRY(stria__check_view(weights, "conv", "weights"));
    STRIA_TRY(stria__check_reserved(o.reserved, "options of a convolution"));
    if (o.bias) STRIA_TRY(stria__check_view(o.bias, "conv", "bias"));
    c->n = weights->ndim - 2;
    c->alone = a->ndim == weights->ndim - 1;
    if (c->n < 1 || c->n > MOST || (!c->alone && a->ndim != weights->ndim))
        return stria__fail(
            STRIA_ERR_SHAPE,
            "conv: a has %d dims, weights have %d; both want channels in dim 1 and 1 to "
            "%d dims of a window behind it",
            a->ndim, weights->ndim, MOST);
    if (c->alone)
        STRIA_TRY(stria_unsqueeze(&c->a, a, 0));
    else
        view_copy(&c->a, a);
    c->weights = weights;
    c->bias = o.bias;
    c->groups = o.groups ? o.groups : 1;
    STRIA_TRY(read_list(c->stride, c->n, o.count, o.stride, 1, "stride"));
    STRIA_TRY(read_list(c->padding, c->n, o.count, o.padding, 0, "padding"));
    STRIA_TRY(read_list(c->dilation, c->n, o.count, o.dilation, 1, "dilation"));
    STRIA_TRY(check_channels(c));
    return count_windows(c);
}

/* Returns the stride of n elements that are `step` apart; of one alone any stride is right. */
static int64_t stride_of(int64_t n, int64_t step, int64_t stride)
{
    return n > 1 ? step * stride : stride;
}

/* Views all windows: images, groups, channels, places, elements of a window. */
static stria_status view_windows(stria_view *out, const struct conv *c, const stria_view *a)
{
    int64_t shape[2 * MOST + 3], strides[2 * MOST + 3];
    shape[0] = a->shape[0];
    shape[1] = c->groups;
    shape[2] = c->weights->shape[1];
    strides[0] = a->strides[0];
    strides[1] = stride_of(c->groups, shape[2], a->strides[1]);
    strides[2] = a->strides[1];
    for (int d = 0; d < c->n; d++) {
        shape[3 + d] = c->shape[d + 2];
        strides[3 + d] = stride_of(shape[3 + d], c->stride[d], a->strides[d + 2]);
        shape[3 + c->n + d] = c->weights->shape[d + 2];
        strides[3 + c->n + d] = stride_of(shape[3 + c->n + d], c->dilation[d], a->strides[d + 2]);
    }
    return stria_as_strided_from(out, a, 3 + 2 * c->n, shape, strides, 0);
}

/* Adds up zeros around images, if there is a padding. */
static stria_status pad_images(stria_array *out, const struct conv *c, const stria_exec *exec)
{
    int64_t width[MOST + 2] = {0};
    bool pads = false;
    for (int d = 0; d < c->n; d++) {
        width[d + 2] = c->padding[d];
        pads = pads || width[d + 2] > 0;
    }
    if (pads)
        return stria_pad_new(out, &c->a, c->n + 2, width, width,
                             &(stria_window_options){.mode = STRIA_PAD_CONSTANT}, exec);
    array_share(out, &c->a);
    return STRIA_OK;
}

static stria_status add_bias(const stria_view *out, const struct conv *c, const stria_exec *exec)
{
    stria_view bias;
    view_copy(&bias, c->bias);
    for (int d = 0; d < c->n; d++)
        STRIA_TRY(stria_unsqueeze(&bias, &bias, -1));
    return stria_add(out, out, &bias, exec);
}

static stria_status conv(stria_array *made, const stria_view *a, const stria_view *weights,
                         const stria_conv_options *options, const stria_exec *exec)
{
    static const char places[] = "pqrst", inside[] = "uvwxy";
    struct conv c;
    char text[64];
    stria_view windows, groups, to;
    stria_dtype dtype;
    OWNED_ARRAY(padded);
    STRIA_TRY(read_conv(&c, a, weights, options));
    const stria_view *const operands[] = {&windows, &groups}, *const given[] = {a, weights, c.bias};
    const int64_t parts[] = {c.groups, -1}, one[] = {c.groups, weights->shape[0] / c.groups};
    STRIA_TRY(stria_promote_operands(&dtype, c.bias ? 3 : 2, given, promotion_of(exec)));
    STRIA_TRY(pad_images(&padded, &c, exec));
    STRIA_TRY(view_windows(&windows, &c, &padded.view));
    STRIA_TRY(stria_unflatten(&groups, weights, 0, 2, one));
    STRIA_TRY(stria__empty_like_memory(made, view_nearest(c.bias ? 3 : 2, given), dtype, c.n + 2,
                                       c.shape, STRIA_ORDER_C));
    STRIA_TRY(stria_unflatten(&to, &made->view, 1, 2, c.shape[1] ? parts : one));
    (void)snprintf(text, sizeof text, "ngc%.*s%.*s,goc%.*s->ngo%.*s", c.n, places, c.n, inside, c.n,
                   inside, c.n, places);
    STRIA_TRY(stria_einsum(&to, text, 2, operands, exec));
    if (c.bias) STRIA_TRY(add_bias(&made->view, &c, exec));
    return c.alone ? stria_select(&made->view, &made->view, 0, 0) : STRIA_OK;
}

COMPOSED(conv, (const stria_view *a, const stria_view *weights, const stria_conv_options *options),
         conv(&made, a, weights, options, exec))

/* ---- lines ----------------------------------------------------------------------------------- */

/* Correlates with complex weights: with their real parts, and with their imaginary parts. */
static stria_status correlate_parts(stria_array *made, const stria_view *a,
                                    const stria_view *weights, const stria_exec *exec)
{
    static const double i[] = {0, 1};
    stria_view part, unit;
    OWNED_ARRAYS(real, imaginary);
    STRIA_TRY(stria_real(&part, weights));
    STRIA_TRY(stria_correlate_new(&real, a, &part, NULL, exec));
    STRIA_TRY(stria_imag(&part, weights));
    STRIA_TRY(stria_correlate_new(&imaginary, a, &part, NULL, exec));
    STRIA_TRY(stria_weak(&unit, STRIA_C128, i));
    return stria_addcmul_new(made, &real.view, &imaginary.view, &unit, exec);
}

static stria_status convolve(stria_array *made, const stria_view *a, const stria_view *b,
                             stria_convolve_mode mode, const stria_exec *exec)
{
    static const char op[] = "convolve";
    stria_view weights;
    OWNED_ARRAY(padded);
    STRIA_TRY(stria__check_view(a, op, "a"));
    STRIA_TRY(stria__check_view(b, op, "b"));
    if (a->ndim != 1 || b->ndim != 1 || a->shape[0] < 1 || b->shape[0] < 1)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: a of shape %s, b of shape %s; both want one dim of an "
                           "element or more",
                           op, stria__dims_text(a->ndim, a->shape).text,
                           stria__dims_text(b->ndim, b->shape).text);
    if ((unsigned)mode >= STRIA_CONVOLVE_MODES)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: there is no mode %d", op, (int)mode);
    const bool turned = b->shape[0] > a->shape[0];
    const stria_view *const line = turned ? b : a, *const reversed = turned ? a : b;
    const int64_t k = reversed->shape[0],
                  all = mode == STRIA_CONVOLVE_FULL   ? 2 * k - 2
                        : mode == STRIA_CONVOLVE_SAME ? k - 1
                                                      : 0,
                  before = mode == STRIA_CONVOLVE_SAME ? k / 2 : all / 2, after = all - before;
    STRIA_TRY(stria_flip(&weights, reversed, 1, (const int[]){0}));
    if (all > 0)
        STRIA_TRY(stria_pad_new(&padded, line, 1, &before, &after,
                                &(stria_window_options){.mode = STRIA_PAD_CONSTANT}, exec));
    else
        array_share(&padded, line);
    return stria_dtype_is_complex(weights.dtype)
               ? correlate_parts(made, &padded.view, &weights, exec)
               : stria_correlate_new(made, &padded.view, &weights, NULL, exec);
}

COMPOSED(convolve, (const stria_view *a, const stria_view *b, stria_convolve_mode mode),
         convolve(&made, a, b, mode, exec))
