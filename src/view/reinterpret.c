/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of the same bytes as items of another dtype. */
#include "stria/reinterpret.h"

#include "view/view.h"

/* Refuses to reinterpret a lazy view: its stored bytes are not its elements, so they can only keep
 * their dtype. */
static stria_status check_reinterpret(const stria_view *a, stria_dtype dtype, const char *op)
{
    STRIA_TRY(stria__check_dtype(dtype, op));
    if (!(a->flags & (STRIA_CONJ | STRIA_NEG)) || stria_dtype_equal(a->dtype, dtype))
        return STRIA_OK;
    const bool conjugated = a->flags & STRIA_CONJ;
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: the view is lazily %s, so its bytes are not its elements; %s it first",
                       op, conjugated ? "conjugated" : "negated",
                       conjugated ? "resolve_conj" : "resolve_neg");
}

/*
 * Divides the bytes along dim d, which must be dense, into items of another size. All other strides
 * and the first byte stay, whatever they are divisible by, as in NumPy. STRIDE, SHAPE.
 */
static stria_status resize_items(struct layout *out, const struct geometry *a, int d,
                                 int64_t itemsize)
{
    const int64_t n = a->shape[d];
    int64_t bytes;
    if (n != 1 && a->strides[d] != a->itemsize && !is_empty(a->ndim, a->shape))
        return stria__fail(
            STRIA_ERR_STRIDE,
            "view: items of %lld bytes become items of %lld along dim %d, whose stride is %lld "
            "bytes and would have to be %lld; contiguous() first copies %lld bytes",
            (long long)a->itemsize, (long long)itemsize, d, (long long)a->strides[d],
            (long long)a->itemsize, (long long)stria__nbytes(a));
    if (mul_overflows(n, a->itemsize, &bytes))
        return stria__fail(STRIA_ERR_OVERFLOW, "view: dim %d has %lld items of %lld bytes", d,
                           (long long)n, (long long)a->itemsize);
    if (itemsize == 0 || bytes % itemsize != 0 ||
        (itemsize < a->itemsize && a->itemsize % itemsize != 0))
        return stria__fail(
            STRIA_ERR_SHAPE,
            "view: %lld items of %lld bytes in dim %d are no whole number of items of %lld bytes%s",
            (long long)n, (long long)a->itemsize, d, (long long)itemsize,
            itemsize > 0 && bytes % itemsize == 0 ? " each" : "");
    STRIA_TRY(stria__check_replaced(a, d, bytes / itemsize, 1, "view"));
    layout_start(out, a);
    layout_put(out, d, bytes / itemsize, itemsize);
    return STRIA_OK;
}

stria_status stria_view_dtype_dim(stria_view *out, const stria_view *a, stria_dtype dtype, int dim)
{
    struct draft draft;
    int d = 0;
    STRIA_TRY(view_begin(&draft, out, a, "view"));
    STRIA_TRY(check_reinterpret(a, dtype, "view"));
    if (a->ndim > 0) STRIA_TRY(stria__wrap_dim(&d, dim, a->ndim, "view"));
    if (dtype.itemsize == a->dtype.itemsize)
        layout_start(&draft.to, &draft.from);
    else if (a->ndim == 0)
        return stria__fail(STRIA_ERR_SHAPE,
                           "view: a view of 0 dims has one item of %d bytes and no dim to hold "
                           "items of %d; unsqueeze it first",
                           (int)a->dtype.itemsize, (int)dtype.itemsize);
    else
        STRIA_TRY(resize_items(&draft.to, &draft.from, d, dtype.itemsize));
    view_finish(&draft, out, a);
    out->dtype = dtype;
    return STRIA_OK;
}

stria_status stria_view_dtype(stria_view *out, const stria_view *a, stria_dtype dtype)
{
    return stria_view_dtype_dim(out, a, dtype, -1);
}

stria_status stria_newbyteorder(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "newbyteorder"));
    if (a->dtype.kind == STRIA_RECORD)
        return stria__fail(STRIA_ERR_DTYPE,
                           "newbyteorder: the fields of a record have byte orders of their own; "
                           "view it as what stria_record_swap makes of its dtype");
    return stria_view_dtype(out, a, stria_dtype_swap(a->dtype));
}

stria_status stria_getfield(stria_view *out, const stria_view *a, stria_dtype dtype, int64_t offset)
{
    STRIA_TRY(view_check(out, a, "getfield"));
    STRIA_TRY(check_reinterpret(a, dtype, "getfield"));
    const int64_t room = (int64_t)a->dtype.itemsize - dtype.itemsize;
    if (offset < 0 || offset > room)
        return stria__fail(STRIA_ERR_BOUNDS,
                           "getfield: %d bytes at offset %lld are not within an item of %d bytes",
                           (int)dtype.itemsize, (long long)offset, (int)a->dtype.itemsize);
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "getfield"));
    layout_start(&draft.to, &draft.from);
    draft.to.offset = offset;
    view_finish(&draft, out, a);
    out->dtype = dtype;
    return STRIA_OK;
}
