/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The check of the views that public functions are given. A view is a plain struct: besides the
 * views that the library made there are cleared ones ({0}, or after stria_array_release), and views
 * that a caller filled in by hand.
 */
#include <stdio.h>

#include "view/view.h"

/* A zero-initialised or released view has no address, no buffer and no dtype. */
static bool is_cleared(const stria_view *a)
{
    return !a->data && !a->buffer && a->dtype.kind == STRIA_BOOL && a->dtype.itemsize == 0;
}

/* A view without elements, or with elements of 0 bytes, needs no address. */
static bool has_bytes(const stria_view *a)
{
    return a->dtype.itemsize > 0 && !is_empty(a->ndim, a->shape);
}

stria_status stria__check_any_view(const stria_view *a, const char *op, const char *what)
{
    if (!a) return stria__fail(STRIA_ERR_ARGUMENT, "%s: %s is NULL", op, what);
    if (a->ndim < 0 || a->ndim > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %s has ndim %d, not 0 to %d: it was never made",
                           op, what, (int)a->ndim, STRIA_MAX_NDIM);
    if (is_cleared(a))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: %s is a cleared view: it was never made, or its array was released",
                           op, what);
    if (!stria__dtype_is_valid(a->dtype))
        return stria__fail(
            STRIA_ERR_DTYPE,
            "%s: %s has kind %d with an item size of %d bytes%s%s, which is no dtype", op, what,
            (int)a->dtype.kind, (int)a->dtype.itemsize, a->dtype.swapped ? ", swapped" : "",
            a->dtype.record ? ", with a record" : "");
    if (!a->data && has_bytes(a))
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "%s: %s of shape %s and %d bytes an item has no data", op, what,
                           stria__dims_text(a->ndim, a->shape).text, (int)a->dtype.itemsize);
    return STRIA_OK;
}

stria_status stria__check_views(int n, const stria_view *const *views, const char *op,
                                const char *what)
{
    for (int i = 0; i < n; i++) {
        char name[32];
        if (view_is_usual(views[i])) continue;
        (void)snprintf(name, sizeof name, "%s %d", what, i);
        STRIA_TRY(stria__check_any_view(views[i], op, name));
    }
    return STRIA_OK;
}
