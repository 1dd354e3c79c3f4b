/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of an array again and again, until another shape is full: copies of a repeated view.
 */
#include "ops/composed/composed.h"
#include "stria/array.h"
#include "stria/axes.h"
#include "stria/broadcast.h"
#include "stria/join.h"

static stria_status resize_cyclic(stria_array *made, const stria_view *a, int ndim,
                                  const int64_t *shape)
{
    static const char op[] = "resize_cyclic";
    stria_view whole, rest, each, some;
    OWNED_ARRAY(flat);
    STRIA_TRY(stria__check_view(a, op, "a"));
    STRIA_TRY(stria__make_of(made, a, ndim, shape));
    const int64_t n = stria_numel(&made->view), m = stria_numel(a);
    if (view_is_meta(a) || n == 0) return STRIA_OK;
    if (m == 0) return stria__fill_zero(&made->view);
    STRIA_TRY(stria_reshape(&flat, a, 1, &m, STRIA_COPY_IF_NEEDED, NULL, NULL));
    STRIA_TRY(stria_view_shape(&rest, &made->view, 1, &n));
    STRIA_TRY(stria_narrow(&whole, &rest, 0, 0, n - n % m));
    STRIA_TRY(stria_narrow(&rest, &rest, 0, n - n % m, n % m));
    STRIA_TRY(stria_narrow(&some, &flat.view, 0, 0, n % m));
    STRIA_TRY(stria_view_shape(&whole, &whole, 2, (const int64_t[]){n / m, m}));
    STRIA_TRY(stria_expand(&each, &flat.view, 2, whole.shape));
    STRIA_TRY(stria_copy(&whole, &each, NULL));
    return stria_copy(&rest, &some, NULL);
}

stria_status stria_resize_cyclic(const stria_view *out, const stria_view *a, const stria_exec *exec)
{
    STRIA_TRY(stria__check_view(out, "resize_cyclic", "out"));
    COMPOSED_INTO("resize_cyclic", resize_cyclic(&made, a, out->ndim, out->shape));
}

stria_status stria_resize_cyclic_new(stria_array *out, const stria_view *a, int ndim,
                                     const int64_t *shape, const stria_exec *exec)
{
    COMPOSED_NEW("resize_cyclic", resize_cyclic(&made, a, ndim, shape));
}
