/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace: the diagonal is a view, and its sum a reduction. */
#include "dtype.h"
#include "stria/reduce.h"
#include "stria/window.h"

#include "status.h"
#include "view/view.h"

stria_status stria_trace(stria_array *out, const stria_view *a)
{
    stria_view diagonal;
    STRIA_TRY(view_check(out, a, "trace"));
    if (a->ndim != 2)
        return stria__fail(
            STRIA_ERR_SHAPE,
            "trace: shape %s has %d dims, a matrix has 2; take the diagonal of two of "
            "them and sum that",
            stria__dims_text(a->ndim, a->shape).text, (int)a->ndim);
    if (a->dtype.kind > STRIA_C128) {
        char name[64];
        stria__dtype_brief(a->dtype, name, sizeof name);
        return stria__fail(STRIA_ERR_DTYPE, "trace: items of %s have no sum", name);
    }
    STRIA_TRY(stria_diagonal(&diagonal, a, 0, 0, 1));
    return stria_reduce_dims_new(out, STRIA_SUM, &diagonal, STRIA_ALL_DIMS, NULL, NULL, NULL);
}
