/* SPDX-License-Identifier: BSD-3-Clause */
/* A view in one line. */
#include <stdio.h>

#include "stria/format.h"
#include "view/view.h"

static const char *order_of(const stria_view *a)
{
    if (stria_is_contiguous(a, STRIA_ORDER_C)) return ", C order";
    if (stria_is_contiguous(a, STRIA_ORDER_F)) return ", F order";
    return stria_is_contiguous(a, STRIA_ORDER_K) ? ", dense in another order" : "";
}

static const char *memory_of(const stria_view *a)
{
    if (!a->buffer) return ", foreign memory";
    return view_is_meta(a) ? ", meta" : "";
}

stria_status stria_describe(char *text, size_t size, size_t *length, const stria_view *a)
{
    if (!text && size > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "describe: text is NULL, with a size of %zu", size);
    STRIA_TRY(stria__check_view(a, "describe", "the view"));
    size_t name = 0;
    STRIA_TRY(stria_dtype_format(text, size, &name, a->dtype));
    const size_t used = name < size ? name : size;
    const int n = (int)name + snprintf(used < size ? text + used : NULL, size - used,
                                       " %s, strides %s bytes%s%s%s%s%s%s",
                                       stria__dims_text(a->ndim, a->shape).text,
                                       stria__dims_text(a->ndim, a->strides).text, order_of(a),
                                       a->flags & STRIA_CONJ ? ", conjugated" : "",
                                       a->flags & STRIA_NEG ? ", negated" : "",
                                       stria_is_writable(a) ? "" : ", read-only",
                                       stria_is_aligned(a) ? "" : ", unaligned", memory_of(a));
    if (length) *length = (size_t)n;
    return STRIA_OK;
}
