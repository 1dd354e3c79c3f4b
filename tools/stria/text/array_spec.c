/* SPDX-License-Identifier: BSD-3-Clause */
#include "array_spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct array_spec array_spec_default(void)
{
    return (struct array_spec){.dtype = stria_dtype_of(STRIA_F32), .bytes = -1};
}

int64_t array_spec_extent(const struct array_spec *spec)
{
    const int64_t item = spec->dtype.itemsize;
    int64_t stride = item, last = 0;
    for (int d = spec->ndim - 1; d >= 0; d--) {
        if (spec->shape[d] <= 0) return spec->offset;
        int64_t reach;
        const int64_t step = spec->strided ? spec->strides[d] : stride;
        if (__builtin_mul_overflow(step, spec->shape[d] - 1, &reach) ||
            (reach > 0 && __builtin_add_overflow(last, reach, &last)) ||
            __builtin_mul_overflow(stride, spec->shape[d], &stride))
            return INT64_MAX;
    }
    int64_t end;
    return __builtin_add_overflow(last, item, &end) ||
                   __builtin_add_overflow(end, spec->offset, &end)
               ? INT64_MAX
               : end;
}

int64_t array_spec_bytes(const struct array_spec *spec)
{
    if (spec->bytes >= 0) return spec->bytes;
    const int64_t reach = array_spec_extent(spec);
    return reach > 0 ? reach : 0;
}

/* An empty array may be described far from its memory, as PyTorch's slices are: it stays inside. */
static int64_t offset_within(const struct array_spec *spec, int64_t bytes)
{
    bool empty = false;
    for (int d = 0; d < spec->ndim; d++)
        empty |= spec->shape[d] == 0;
    if (!empty) return spec->offset;
    return spec->offset < 0 ? 0 : spec->offset > bytes ? bytes : spec->offset;
}

static stria_status place(stria_array *out, const struct array_spec *spec)
{
    STRIA_TRY(stria_view_make(&out->view, out->owned, spec->dtype, spec->ndim, spec->shape,
                              spec->strided ? spec->strides : NULL,
                              offset_within(spec, stria_buffer_size(out->owned))));
    if (spec->conj && stria_dtype_is_complex(spec->dtype)) out->view.flags |= STRIA_CONJ;
    if (spec->neg) out->view.flags |= STRIA_NEG;
    return STRIA_OK;
}

stria_status array_spec_make(stria_array *out, const struct array_spec *spec, stria_buffer *buffer,
                             struct failure *failure)
{
    *out = (stria_array){.owned = stria_buffer_retain(buffer)};
    stria_status status = STRIA_OK;
    if (!buffer) status = stria_buffer_meta(&out->owned, array_spec_bytes(spec));
    if (status == STRIA_OK) {
        status = place(out, spec);
        if (status == STRIA_OK) return STRIA_OK;
        stria_buffer_release(out->owned);
    }
    *out = (stria_array){0};
    return stria__fail_library(failure, status, NO_PLACE);
}

int read_integers(int64_t *out, int room, const char *text)
{
    const char *blank = " \t";
    const char open = *text, close = open == '(' ? ')' : open == '[' ? ']' : 0;
    int count = 0;
    if (close) text++;
    text += strspn(text, blank);
    while (*text && *text != close) {
        char *end;
        errno = 0;
        const long long value = strtoll(text, &end, 10);
        if (end == text || errno || count == room) return -1;
        out[count++] = value;
        text = end + strspn(end, blank);
        if (*text != ',') break;
        text += 1 + strspn(text + 1, blank);
    }
    if (close && *text++ != close) return -1;
    return *text ? -1 : count;
}
