/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stride algorithm: when are the elements of a view, in C order, a view of another shape?
 *
 * Neighbouring dims i, i+1 act as one when stride[i] = stride[i+1] * size[i+1]; dims of size 1 act
 * as one with anything. So the old dims fall into runs, each a single arithmetic progression, from
 * the right to the left. A view exists iff the new sizes, also taken from the right, multiply up
 * to exactly the length of every run: then a new dim lies inside one run, and its stride is the
 * run's innermost stride times the new sizes to its right within the run. This is exact for any
 * strides, 0 and negative ones and overlapping windows included: a new dim across two runs would
 * have to step evenly through a place where the addresses do not.
 *
 * New dims of size 1 get the stride that the run would continue with, as in PyTorch.
 */
#include "layout/layout.h"
#include "base/status.h"

/* Gives an empty view another shape; it has no addresses to keep: the same shape keeps its strides,
 * others become dense. */
static bool reshape_empty(struct layout *out, const struct geometry *a, int ndim,
                          const int64_t *shape)
{
    const size_t bytes = (size_t)ndim * sizeof *shape;
    if (ndim == a->ndim && memcmp(shape, a->shape, bytes) == 0) {
        layout_start(out, a);
        return true;
    }
    int64_t dense = a->itemsize;
    out->ndim = ndim;
    for (int d = ndim - 1; d >= 0; d--) {
        layout_put(out, d, shape[d], dense);
        if (shape[d] > 0) dense = scaled_stride(dense, shape[d]);
    }
    return true;
}

/*
 * Tells whether old dim d - 1 continues the run of `length` elements `step` apart that ends at dim
 * d.
 */
static bool run_goes_on(const struct geometry *a, int d, int64_t length, int64_t step)
{
    int64_t next;
    if (d == 0) return false;
    if (a->shape[d - 1] == 1) return true;
    return !mul_overflows(length, step, &next) && a->strides[d - 1] == next;
}

static struct mismatch mismatch_left_of(const struct geometry *a, int d, int new_dim)
{
    struct mismatch mismatch = {.outer = d - 1, .inner = d, .new_dim = new_dim};
    while (mismatch.inner < a->ndim - 1 && a->shape[mismatch.inner] == 1)
        mismatch.inner++;
    return mismatch;
}

/*
 * Fills new dims 0 .. last with the rest of a run, of which `filled` elements are in dims to their
 * right.
 */
static void fill_outermost(struct layout *out, int last, const int64_t *shape, int64_t step,
                           int64_t filled)
{
    for (int d = last; d >= 0; d--) {
        const int64_t size = shape[d];
        layout_put(out, d, size, scaled_stride(step, filled));
        filled *= size;
    }
}

bool stria__layout_reshape(struct layout *out, const struct geometry *a, struct elements elements,
                           int ndim, const int64_t *shape, struct mismatch *mismatch)
{
    if (elements.numel == 0) return reshape_empty(out, a, ndim, shape);
    if (elements.even) {
        out->ndim = ndim;
        fill_outermost(out, ndim - 1, shape, a->ndim ? a->strides[a->ndim - 1] : a->itemsize, 1);
        return true;
    }
    int64_t strides[STRIA_MAX_NDIM];
    int at = ndim - 1; /* The next new dim. */
    int64_t length = 1, filled = 1;
    int64_t step = a->strides[a->ndim - 1];
    for (int d = a->ndim - 1; d >= 0; d--) {
        length *= a->shape[d];
        if (run_goes_on(a, d, length, step)) continue;
        if (d == 0) break; /* The outermost run has all the sizes that are left. */
        for (; at >= 0 && (filled < length || shape[at] == 1); at--) {
            strides[at] = scaled_stride(step, filled);
            filled *= shape[at];
        }
        if (filled != length) {
            *mismatch = mismatch_left_of(a, d, at + 1);
            return false;
        }
        step = a->strides[d - 1];
        length = filled = 1;
    }
    out->ndim = ndim;
    for (int d = ndim - 1; d > at; d--)
        layout_put(out, d, shape[d], strides[d]);
    fill_outermost(out, at, shape, step, filled);
    return true;
}

/* Computes the product of the known sizes, and the place of the unknown one: SHAPE, OVERFLOW. */
static stria_status multiply_up(int64_t *product, int *unknown, int ndim, const int64_t *shape,
                                const char *op)
{
    int64_t nonzero = 1; /* The product without sizes of 0, for which the strides must fit. */
    bool zero = false;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] > 0) {
            if (mul_overflows(nonzero, shape[d], &nonzero))
                return stria__refuse_numel(ndim, shape, op);
        } else if (shape[d] == 0) {
            zero = true;
        } else if (shape[d] != -1) {
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: shape[%d] = %lld is negative; only -1 stands "
                               "for a size to infer",
                               op, d, (long long)shape[d]);
        } else if (*unknown >= 0) {
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: shape %s has -1 at dims %d and %d; only one "
                               "size can be inferred",
                               op, stria__dims_text(ndim, shape).text, *unknown, d);
        } else {
            *unknown = d;
        }
    }
    *product = zero ? 0 : nonzero;
    return STRIA_OK;
}

static stria_status refuse_size(int64_t numel, int64_t product, int unknown, int ndim,
                                const int64_t *shape, const char *op)
{
    if (unknown >= 0 && product == 0)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: the -1 in shape %s cannot be inferred: beside a "
                           "size of 0 any size would do for %lld elements",
                           op, stria__dims_text(ndim, shape).text, (long long)numel);
    return stria__fail(STRIA_ERR_SHAPE,
                       "%s: shape %s does not hold %lld elements; its sizes "
                       "multiply up to %lld%s",
                       op, stria__dims_text(ndim, shape).text, (long long)numel, (long long)product,
                       unknown >= 0 ? ", which does not divide them" : "");
}

stria_status stria__resolve_any_shape(const int64_t **out, int64_t *room, int64_t numel, int ndim,
                                      const int64_t *shape, const char *op)
{
    int64_t product = 0;
    int unknown = -1;
    STRIA_TRY(multiply_up(&product, &unknown, ndim, shape, op));
    if (unknown < 0 ? numel != product : product == 0 || numel % product != 0)
        return refuse_size(numel, product, unknown, ndim, shape, op);
    *out = shape;
    if (unknown < 0) return STRIA_OK;
    for (int d = 0; d < ndim; d++)
        room[d] = d == unknown ? numel / product : shape[d];
    *out = room;
    return STRIA_OK;
}

/* Reverses a list: reshaping with the first dim fastest reverses the dims of both shapes. */

static void reverse(int64_t *out, int n, const int64_t *values)
{
    for (int i = 0; i < n; i++)
        out[i] = values[n - 1 - i];
}

static void reverse_in_place(int n, int64_t *values)
{
    for (int i = 0; i < n / 2; i++) {
        const int64_t value = values[i];
        values[i] = values[n - 1 - i];
        values[n - 1 - i] = value;
    }
}

bool stria__layout_reshape_fortran(struct layout *out, const struct geometry *a, int ndim,
                                   const int64_t *shape, struct mismatch *mismatch)
{
    int64_t sizes[STRIA_MAX_NDIM], strides[STRIA_MAX_NDIM], reversed[STRIA_MAX_NDIM];
    const struct geometry mirrored = {a->ndim, sizes, strides, a->itemsize};
    reverse(sizes, a->ndim, a->shape);
    reverse(strides, a->ndim, a->strides);
    reverse(reversed, ndim, shape);
    if (!stria__layout_reshape(out, &mirrored, stria__elements(&mirrored), ndim, reversed,
                               mismatch)) {
        *mismatch = (struct mismatch){.outer = a->ndim - 1 - mismatch->outer,
                                      .inner = a->ndim - 1 - mismatch->inner,
                                      .new_dim = ndim - 1 - mismatch->new_dim};
        return false;
    }
    reverse_in_place(ndim, out->shape);
    reverse_in_place(ndim, out->strides);
    return true;
}
