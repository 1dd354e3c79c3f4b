/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of the same bytes as items of another dtype. */
#include "stria/reinterpret.h"

#include "view/view.h"

/* The stored bytes of a lazy view are not its elements, so they can only keep their dtype. */
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

static stria_status reinterpret(stria_view *out, const stria_view *a, stria_dtype dtype, int dim)
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
        STRIA_TRY(stria__layout_resize_items(&draft.to, &draft.from, d, dtype.itemsize, "view"));
    view_finish(&draft, out, a);
    out->dtype = dtype;
    return STRIA_OK;
}

stria_status stria_view_dtype(stria_view *out, const stria_view *a, stria_dtype dtype)
{
    return reinterpret(out, a, dtype, -1);
}

stria_status stria_view_dtype_dim(stria_view *out, const stria_view *a, stria_dtype dtype, int dim)
{
    return reinterpret(out, a, dtype, dim);
}

stria_status stria_newbyteorder(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "newbyteorder"));
    if (a->dtype.kind == STRIA_RECORD)
        return stria__fail(STRIA_ERR_DTYPE,
                           "newbyteorder: the fields of a record have byte orders of their own; "
                           "view it as what stria_record_swap makes of its dtype");
    return reinterpret(out, a, stria_dtype_swap(a->dtype), -1);
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
