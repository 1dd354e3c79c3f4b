/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_memory.h"

#include "stria/random.h"

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

/* The numbers of the dtype, which is in native order. */
static stria_status fill(const stria_view *a, uint64_t seed)
{
    const stria_random numbers = {.seed = seed};
    const int64_t most = a->dtype.itemsize == 1 ? 127 : 1 << 15;
    switch (a->dtype.kind) {
    case STRIA_F16:
    case STRIA_BF16:
    case STRIA_F32:
    case STRIA_F64: return stria_random_uniform(a, &numbers, -8, 8, NULL);
    case STRIA_I8:
    case STRIA_I16:
    case STRIA_I32:
    case STRIA_I64:
    case STRIA_U16:
    case STRIA_U32:
    case STRIA_U64: return stria_random_integers(a, &numbers, 0, most, NULL);
    default: return stria_random_bits(a, &numbers, NULL);
    }
}

stria_status repeated_fill(const struct repeated *r, stria_dtype dtype, uint64_t seed,
                           struct failure *failure)
{
    stria_view all;
    const bool small = dtype.kind == STRIA_F8E4M3 || dtype.kind == STRIA_F8E5M2,
               numbers = dtype.kind <= STRIA_F64 && !small && !dtype.swapped;
    const stria_dtype as = numbers ? dtype : stria_dtype_of(STRIA_U8);
    const int64_t count = repeated_size(r) / as.itemsize;
    stria_status status = stria_view_make(&all, r->array.owned, as, 1, &count, NULL, 0);
    if (status == STRIA_OK) status = fill(&all, seed);
    return status == STRIA_OK ? STRIA_OK : stria__fail_library(failure, status, NO_PLACE);
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
        return repeated_fill(out, spec.dtype, 3, failure);
    }
    STRIA_TRY(array_spec_make(&out->array, &spec, beside->array.owned, failure));
    out->first = out->array.view.data;
    out->step = beside->step;
    return STRIA_OK;
}
