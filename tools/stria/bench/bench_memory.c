/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_memory.h"

#include "bench_values.h"

stria_status repeated_make(struct repeated *out, const struct array_spec *spec, int64_t pairs,
                           struct failure *failure)
{
    stria_buffer *buffer;
    const int64_t bytes = array_spec_bytes(spec);
    out->step = (bytes + 63) / 64 * 64;
    const stria_status status = stria_buffer_new(&buffer, pairs > 1 ? pairs * out->step : bytes);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    const stria_status placed = array_spec_make(&out->array, spec, buffer, failure);
    stria_buffer_release(buffer);
    out->first = out->array.view.data;
    return placed;
}

void *repeated_data(const struct repeated *r)
{
    return stria_buffer_data(r->array.owned);
}

int64_t repeated_size(const struct repeated *r)
{
    return stria_buffer_size(r->array.owned);
}

static struct array_spec flat_spec(int64_t bytes)
{
    struct array_spec flat = {.dtype = stria_dtype_of(STRIA_U8), .ndim = 1, .bytes = -1};
    flat.shape[0] = bytes;
    return flat;
}

stria_status repeated_flat(struct repeated *out, const struct repeated *beside, int64_t bytes,
                           int64_t pairs, struct failure *failure)
{
    const struct array_spec spec = flat_spec(bytes);
    if (!beside->array.owned || (pairs > 1 ? beside->step : repeated_size(beside)) < bytes) {
        STRIA_TRY(repeated_make(out, &spec, pairs, failure));
        values_fill_bytes(repeated_data(out), repeated_size(out), 3);
        return STRIA_OK;
    }
    STRIA_TRY(array_spec_make(&out->array, &spec, beside->array.owned, failure));
    out->first = out->array.view.data;
    out->step = beside->step;
    return STRIA_OK;
}
