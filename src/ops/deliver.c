/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of copies need no more than this of what make.h declares. */
#include "ops/make.h"
#include "view/array.h"

stria_status stria__deliver(stria_array *out, stria_array *made, stria_status status)
{
    if (status != STRIA_OK) {
        stria_array_release(made);
        return status;
    }
    /* Only entries of dims that exist are copied, not the whole kilobyte. */
    view_copy(&out->view, &made->view);
    array_own(out, made->owned);
    made->owned = NULL;
    return STRIA_OK;
}
