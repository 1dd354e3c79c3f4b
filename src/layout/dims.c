/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dims as callers write them: negative ones count from the end, and a list or set has each dim
 * once. And the layouts that are made of the dims of another one.
 */
#include "integers.h"
#include "layout/layout.h"
#include "status.h"

stria_status stria__refuse_dim(int dim, int ndim, const char *op)
{
    if (ndim == 0)
        return stria__fail(STRIA_ERR_DIM, "%s: dim %d of a view of 0 dims; unsqueeze it first", op,
                           dim);
    return stria__fail(STRIA_ERR_DIM, "%s: dim %d is outside %d .. %d, the view has %d dims", op,
                       dim, -ndim, ndim - 1, ndim);
}

/* Names the first of the dims that is out of range or listed before: DIM. */
static stria_status refuse_dims(int ndim, int count, const int *dims, const char *op)
{
    uint64_t seen = 0;
    for (int i = 0; i < count; i++) {
        int d = 0;
        STRIA_TRY(stria__wrap_dim(&d, dims[i], ndim, op));
        const uint64_t bit = UINT64_C(1) << d;
        if (seen & bit)
            return stria__fail(STRIA_ERR_DIM, "%s: dim %d is listed twice (as %d at place %d)", op,
                               d, dims[i], i);
        seen |= bit;
    }
    return STRIA_OK;
}

/* Writes the wrapped dims in order, if out is not NULL, and as a set. */
static inline stria_status wrap_all(int *out, uint64_t *set, int ndim, int count, const int *dims,
                                    const char *op)
{
    if (count < 0 || (!dims && count > 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d dims at %s", op, count,
                           dims ? "an address" : "NULL");
    if (count > ndim) return refuse_dims(ndim, count, dims, op);
    uint64_t seen = 0;
    bool wrong = false;
    for (int i = 0; i < count; i++) {
        const int d = dims[i] < 0 ? dims[i] + ndim : dims[i];
        const uint64_t bit = UINT64_C(1) << (d & 63);
        wrong |= ((unsigned)d >= (unsigned)ndim) | ((seen & bit) != 0);
        seen |= bit;
        if (out) out[i] = d;
    }
    *set = seen;
    return wrong ? refuse_dims(ndim, count, dims, op) : STRIA_OK;
}

stria_status stria__wrap_dims(int *out, int ndim, int count, const int *dims, const char *op)
{
    uint64_t set;
    return wrap_all(out, &set, ndim, count, dims, op);
}

/* A view of 0 dims is one of 1 here, and a message says what it is. */
static stria_status set_of_none(uint64_t *out, int count, const int *dims, const char *op)
{
    for (int i = 0; dims && i < count; i++)
        if (dims[i] != 0 && dims[i] != -1)
            return stria__fail(STRIA_ERR_DIM, "%s: dim %d is outside -1 .. 0 of a view of 0 dims",
                               op, dims[i]);
    return wrap_all(NULL, out, 1, count, dims, op);
}

stria_status stria__dim_set(uint64_t *out, int ndim, int count, const int *dims, const char *op)
{
    return ndim == 0 ? set_of_none(out, count, dims, op)
                     : wrap_all(NULL, out, ndim, count, dims, op);
}

/* Dims of size 1 removed and inserted; nothing else changes. */

void stria__layout_squeeze(struct layout *out, const struct geometry *a, uint64_t dims)
{
    int at = 0;
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != 1 || !(dims >> d & 1)) layout_put(out, at++, a->shape[d], a->strides[d]);
    out->ndim = at;
}

int64_t stria__unit_stride(const struct geometry *a, int d)
{
    return d < a->ndim ? scaled_stride(a->strides[d], a->shape[d]) : a->itemsize;
}

stria_status stria__check_more_dims(const struct geometry *a, int count, const char *op)
{
    if (count <= STRIA_MAX_NDIM - a->ndim) return STRIA_OK;
    return stria__fail(STRIA_ERR_SHAPE, "%s: %d dims and %d new ones are more than %d", op, a->ndim,
                       count, STRIA_MAX_NDIM);
}

void stria__layout_unsqueeze(struct layout *out, const struct geometry *a, int count, uint64_t dims)
{
    int from = 0;
    out->ndim = a->ndim + count;
    for (int d = 0; d < out->ndim; d++) {
        if (dims >> d & 1) {
            layout_put(out, d, 1, stria__unit_stride(a, from));
        } else {
            layout_put(out, d, a->shape[from], a->strides[from]);
            from++;
        }
    }
}

/* Permutations of dims: sizes and strides move together, and the first element stays. */

stria_status stria__layout_permute(struct layout *out, const struct geometry *a, int ndim,
                                   const int *dims, const char *op)
{
    if (ndim != a->ndim)
        return stria__fail(STRIA_ERR_DIM,
                           "%s: %d dims are listed for a view of %d: every dim must be named once",
                           op, ndim, a->ndim);
    int order[STRIA_MAX_NDIM];
    STRIA_TRY(stria__wrap_dims(order, a->ndim, ndim, dims, op));
    stria__layout_reorder(out, a, order);
    return STRIA_OK;
}

void stria__layout_reorder(struct layout *out, const struct geometry *a, const int *order)
{
    out->ndim = a->ndim;
    for (int d = 0; d < a->ndim; d++)
        layout_put(out, d, a->shape[order[d]], a->strides[order[d]]);
}

void stria__layout_swap(struct layout *out, const struct geometry *a, int i, int j)
{
    layout_start(out, a);
    if (a->ndim == 0) return;
    layout_put(out, i, a->shape[j], a->strides[j]);
    layout_put(out, j, a->shape[i], a->strides[i]);
}

void stria__layout_reverse(struct layout *out, const struct geometry *a)
{
    out->ndim = a->ndim;
    for (int d = 0; d < a->ndim; d++) {
        const int from = a->ndim - 1 - d;
        layout_put(out, d, a->shape[from], a->strides[from]);
    }
}

stria_status stria__moved_order(int *order, int ndim, int count, const int *source,
                                const int *destination, const char *op)
{
    int from[STRIA_MAX_NDIM], to[STRIA_MAX_NDIM];
    STRIA_TRY(stria__wrap_dims(from, ndim, count, source, op));
    STRIA_TRY(stria__wrap_dims(to, ndim, count, destination, op));
    uint64_t taken = 0, placed = 0;
    for (int i = 0; i < count; i++) {
        order[to[i]] = from[i];
        taken |= UINT64_C(1) << from[i];
        placed |= UINT64_C(1) << to[i];
    }
    uint64_t rest = ~taken; /* exactly as many below ndim as places are left */
    for (int place = 0; place < ndim; place++) {
        if (placed >> place & 1) continue;
        order[place] = __builtin_ctzll(rest);
        rest &= rest - 1;
    }
    return STRIA_OK;
}

/* Dims in reverse: they start at the last element, and the stride is negated. */

void stria__layout_flip(struct layout *out, const struct geometry *a, uint64_t dims)
{
    struct layout l = *out; /* a local copy, which writes to sizes and strides cannot change */
    const struct geometry from = *a;
    l.ndim = from.ndim;
    for (int d = 0; d < from.ndim; d++, dims >>= 1) {
        layout_put(&l, d, from.shape[d], from.strides[d]);
        if (dims & 1) layout_reverse_dim(&l, d);
    }
    *out = l;
}

/* The diagonal of two dims: one dim whose stride is the sum of theirs. */

void stria__layout_diagonal(struct layout *out, const struct geometry *a, int64_t offset, int i,
                            int j)
{
    const int64_t n = a->shape[i], m = a->shape[j];
    const int64_t length = offset >= 0 ? least(n, m - offset) : least(n + offset, m);
    int at = 0;
    for (int d = 0; d < a->ndim; d++)
        if (d != i && d != j) layout_put(out, at++, a->shape[d], a->strides[d]);
    layout_put(out, at, length > 0 ? length : 0, added_strides(a->strides[i], a->strides[j]));
    out->ndim = at + 1;
    if (length <= 0) return;
    if (offset >= 0)
        layout_move(out, offset, a->strides[j]);
    else
        layout_move(out, -offset, a->strides[i]);
}

/*
 * Parts of one dim: an element, or every step-th element from a start. An empty part keeps the
 * stride and does not move the first element.
 */

void stria__layout_select(struct layout *out, const struct geometry *a, int d, int64_t index)
{
    out->ndim = a->ndim - 1;
    layout_move(out, index, a->strides[d]);
    layout_keep(out, 0, a, 0, d);
    layout_keep(out, d, a, d + 1, a->ndim);
}

void stria__layout_slice(struct layout *out, const struct geometry *a, int d, struct range range)
{
    const int64_t stride = a->strides[d];
    layout_start(out, a);
    out->shape[d] = range.length;
    if (range.length == 0) return;
    layout_move(out, range.start, stride);
    out->strides[d] = scaled_stride(stride, range.step);
}

stria_status stria__check_index(int64_t index, int64_t size, int dim, const char *op)
{
    if (index >= -size && index < size) return STRIA_OK;
    return stria__fail(STRIA_ERR_INDEX, "%s: index %lld is outside dim %d of size %lld%s", op,
                       (long long)index, dim, (long long)size,
                       size ? "; negative ones count from the end" : ": it has no elements");
}

stria_status stria__check_step(int64_t step, const char *op)
{
    if (step != 0) return STRIA_OK;
    return stria__fail(STRIA_ERR_INDEX, "%s: the step of a slice cannot be 0", op);
}

/*
 * Windows: a dim of n becomes a dim of the (n - size) / step + 1 positions of a window, and one of
 * the elements in it, both over the same addresses. Elements repeat, so their number is checked.
 */

static stria_status refuse_places(int d, const char *op)
{
    return stria__fail(STRIA_ERR_OVERFLOW, "%s: dim %d has 2^63 places for windows of 0", op, d);
}

stria_status stria__layout_unfold(struct layout *out, const struct geometry *a, int d, int64_t size,
                                  int64_t step, const char *op)
{
    const int64_t n = a->ndim > 0 ? a->shape[d] : 1, s = a->ndim > 0 ? a->strides[d] : a->itemsize;
    STRIA_TRY(stria__check_more_dims(a, 1, op));
    if (size < 0 || size > n)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: a window of %lld does not fit in dim %d of size "
                           "%lld",
                           op, (long long)size, d, (long long)n);
    if (step <= 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: step %lld must be at least 1", op,
                           (long long)step);
    int64_t places;
    if (add_overflows((n - size) / step, 1, &places)) return refuse_places(d, op);
    STRIA_TRY(stria__check_replaced(a, d, places, size, op));
    layout_start(out, a);
    if (a->ndim > 0) layout_put(out, d, places, scaled_stride(s, step));
    layout_put(out, out->ndim++, size, s);
    return STRIA_OK;
}

/* Computes the sizes that are left of a's dims: SHAPE when a window does not fit. */
static stria_status slide(int64_t *places, const struct geometry *a, int count,
                          const int64_t *window, const int *dims, const char *op)
{
    for (int d = 0; d < a->ndim; d++)
        places[d] = a->shape[d];
    for (int i = 0; i < count; i++) {
        const int d = dims[i];
        if (window[i] < 0 || window[i] > places[d])
            return stria__fail(STRIA_ERR_SHAPE,
                               "%s: window[%d] = %lld does not fit in dim %d, "
                               "where %lld places are left",
                               op, i, (long long)window[i], d, (long long)places[d]);
        if (add_overflows(places[d] - window[i], 1, &places[d])) return refuse_places(d, op);
    }
    return STRIA_OK;
}

stria_status stria__layout_slide(struct layout *out, const struct geometry *a, int count,
                                 const int64_t *window, const int *dims, const char *op)
{
    int64_t shape[STRIA_MAX_NDIM];
    STRIA_TRY(stria__check_more_dims(a, count, op));
    STRIA_TRY(slide(shape, a, count, window, dims, op));
    for (int i = 0; i < count; i++)
        shape[a->ndim + i] = window[i];
    STRIA_TRY(stria__check_shape(a->ndim + count, shape, op));
    out->ndim = a->ndim + count;
    for (int d = 0; d < out->ndim; d++)
        layout_put(out, d, shape[d], a->strides[d < a->ndim ? d : dims[d - a->ndim]]);
    return STRIA_OK;
}
