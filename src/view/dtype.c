/* SPDX-License-Identifier: BSD-3-Clause */
/* The same bytes as items of another dtype. */
#include "view/view.h"

static stria_status refuse_lazy(const stria_view *a, const char *op)
{
    return stria__fail(STRIA_ERR_DTYPE,
                       "%s: the view is lazily %s, so its bytes are not its "
                       "elements; %s it first",
                       op, a->flags & STRIA_CONJ ? "conjugated" : "negated",
                       a->flags & STRIA_CONJ ? "resolve_conj" : "resolve_neg");
}

stria_status stria_view_dtype(stria_view *out, const stria_view *a, stria_dtype dtype)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "view"));
    STRIA_TRY(stria__check_dtype(dtype, "view"));
    if (a->flags & (STRIA_CONJ | STRIA_NEG) && !stria_dtype_equal(a->dtype, dtype))
        return refuse_lazy(a, "view");
    if (dtype.itemsize == a->dtype.itemsize)
        layout_start(&draft.to, &draft.from);
    else if (a->ndim == 0)
        return stria__fail(STRIA_ERR_SHAPE,
                           "view: a view of 0 dims has one item of %d bytes and "
                           "no dim to hold items of %d; unsqueeze it first",
                           (int)a->dtype.itemsize, (int)dtype.itemsize);
    else
        STRIA_TRY(stria__layout_resize_items(&draft.to, &draft.from, a->ndim - 1, dtype.itemsize,
                                             "view"));
    view_finish(&draft, out, a);
    out->dtype = dtype;
    return STRIA_OK;
}
