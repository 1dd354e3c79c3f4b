/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes of views. The tag is inherited like the other flags, and the view functions ignore it:
 * they call each other, and a shape that depended on a tag would break their callers. This file
 * gives a view the form that its class demands, for callers who ask for it.
 */
#include "stria/reinterpret.h"
#include "view/view.h"

static stria_status as_matrix(stria_view *out, const stria_view *a)
{
    view_copy(out, a);
    if (out->ndim > 2) STRIA_TRY(stria_squeeze(out, out));
    if (out->ndim > 2)
        return stria__fail(
            STRIA_ERR_SHAPE,
            "matrix: shape %s has more than 2 dims even without those of size 1; a matrix has 2",
            stria__dims_text(a->ndim, a->shape).text);
    while (out->ndim < 2)
        STRIA_TRY(stria_unsqueeze(out, out, 0));
    return STRIA_OK;
}

stria_status stria_view_as_class(stria_view *out, const stria_view *a, uint32_t class_bits)
{
    stria_view formed;
    STRIA_TRY(view_check(out, a, "view"));
    if (class_bits & ~(uint32_t)STRIA_CLASS_MASK)
        return stria__fail(STRIA_ERR_ARGUMENT, "view: class %#x has bits outside %#x",
                           (unsigned)class_bits, (unsigned)STRIA_CLASS_MASK);
    if (class_bits == STRIA_CLASS_MATRIX && a->ndim != 2) {
        STRIA_TRY(as_matrix(&formed, a));
        view_copy(out, &formed);
    } else {
        view_copy(out, a);
    }
    view_set_class(out, class_bits);
    return STRIA_OK;
}

/* Gives a result the form of a matrix; as in numpy.matrix.__getitem__, a second item that is an
 * index asks for a column. */
void stria__index_matrix(stria_view *out, int count, const stria_index_item *items)
{
    if (out->ndim == 0) view_set_class(out, 0);
    if (out->ndim != 1) return;
    const bool column = count > 1 && items[1].kind == STRIA_INDEX_INT;
    const int64_t n = out->shape[0], s = out->strides[0];
    out->ndim = 2;
    out->shape[column] = 1;
    out->shape[!column] = n;
    out->strides[column] = column ? out->dtype.itemsize : scaled_stride(s, n);
    out->strides[!column] = s;
}
