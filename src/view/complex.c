/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Complex views as real ones and back, and the two lazy bits. An element of a view is
 * neg(conj(stored)), as its bits say. So the real part inherits neg, and the imaginary part
 * inherits neg and is negated once more where conj is set.
 */
#include "stria/complex.h"

#include "view/view.h"

static stria_status require_complex(const stria_view *a, const char *op)
{
    if (stria_dtype_is_complex(a->dtype)) return STRIA_OK;
    return stria__fail(STRIA_ERR_DTYPE, "%s: %s is not complex; c64 and c128 are", op,
                       stria__dtype_text(a->dtype).text);
}

/* Views one half of every item, by the same strides. */
static void half(stria_view *out, const stria_view *a, int64_t offset)
{
    view_copy(out, a);
    out->dtype = stria_dtype_real(a->dtype);
    out->flags &= ~(uint32_t)STRIA_CONJ;
    if (offset && !is_empty(out->ndim, out->shape)) out->data += offset;
}

stria_status stria_real(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "real"));
    half(out, a, 0);
    return STRIA_OK;
}

stria_status stria_imag(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "imag"));
    STRIA_TRY(require_complex(a, "imag"));
    const bool conjugated = a->flags & STRIA_CONJ;
    half(out, a, a->dtype.itemsize / 2);
    if (conjugated) out->flags ^= STRIA_NEG;
    return STRIA_OK;
}

stria_status stria_view_as_real(stria_view *out, const stria_view *a)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "view_as_real"));
    STRIA_TRY(require_complex(a, "view_as_real"));
    STRIA_TRY(stria__check_more_dims(&draft.from, 1, "view_as_real"));
    if (a->flags & STRIA_CONJ)
        return stria__fail(STRIA_ERR_DTYPE,
                           "view_as_real: the view is lazily conjugated, so its imaginary parts "
                           "are not stored; resolve_conj it first, or take real and imag");
    STRIA_TRY(stria__check_replaced(&draft.from, a->ndim, 2, 1, "view_as_real"));
    const stria_dtype dtype = stria_dtype_real(a->dtype);
    layout_start(&draft.to, &draft.from);
    layout_put(&draft.to, draft.to.ndim++, 2, dtype.itemsize);
    view_finish(&draft, out, a);
    out->dtype = dtype;
    return STRIA_OK;
}

stria_status stria_view_as_complex(stria_view *out, const stria_view *a)
{
    struct draft draft;
    STRIA_TRY(view_begin(&draft, out, a, "view_as_complex"));
    if (a->dtype.kind != STRIA_F32 && a->dtype.kind != STRIA_F64)
        return stria__fail(STRIA_ERR_DTYPE, "view_as_complex: %s is not f32 or f64",
                           stria__dtype_text(a->dtype).text);
    stria_dtype dtype = stria_dtype_of(a->dtype.kind == STRIA_F32 ? STRIA_C64 : STRIA_C128);
    dtype.swapped = a->dtype.swapped;
    const int last = a->ndim - 1;
    if (last < 0 || a->shape[last] != 2)
        return stria__fail(STRIA_ERR_SHAPE,
                           "view_as_complex: the last dim of shape %s must have size 2, for real "
                           "and imaginary part",
                           stria__dims_text(a->ndim, a->shape).text);
    if (a->strides[last] != a->dtype.itemsize && !is_empty(a->ndim, a->shape))
        return stria__fail(STRIA_ERR_STRIDE,
                           "view_as_complex: the two parts lie %lld bytes apart and would have to "
                           "lie %d apart; contiguous() first copies %lld bytes",
                           (long long)a->strides[last], (int)a->dtype.itemsize,
                           (long long)stria__nbytes(&draft.from));
    draft.to.ndim = last;
    layout_keep(&draft.to, 0, &draft.from, 0, last);
    view_finish(&draft, out, a);
    out->dtype = dtype;
    return STRIA_OK;
}

stria_status stria_conj(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "conj"));
    view_copy(out, a);
    if (stria_dtype_is_complex(out->dtype)) out->flags ^= STRIA_CONJ;
    return STRIA_OK;
}

stria_status stria_neg_view(stria_view *out, const stria_view *a)
{
    STRIA_TRY(view_check(out, a, "neg"));
    if (a->dtype.kind == STRIA_BOOL || a->dtype.kind >= STRIA_BYTES)
        return stria__fail(STRIA_ERR_DTYPE, "neg: only numbers have negatives");
    view_copy(out, a);
    out->flags ^= STRIA_NEG;
    return STRIA_OK;
}
