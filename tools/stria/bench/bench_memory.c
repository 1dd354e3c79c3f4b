/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_memory.h"

#include <string.h>

#include "stria/random.h"

/* ---- pieces ---------------------------------------------------------------------------------- */

int64_t repeated_step(int64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

stria_status pieces_make(stria_buffer **out, int64_t bytes, int64_t pairs, struct failure *failure)
{
    const stria_status status =
        stria_buffer_new(out, pairs > 1 ? pairs * repeated_step(bytes) : bytes);
    return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
}

stria_status repeated_make(struct repeated *out, const struct array_spec *spec,
                           stria_buffer *buffer, int64_t bytes, struct failure *failure)
{
    STRIA_TRY(array_spec_make(&out->array, spec, buffer, failure));
    out->first = out->array.view.data;
    out->step = repeated_step(bytes);
    return STRIA_OK;
}

/* The numbers of the dtype, which is in native order. */
static stria_status fill(const stria_view *a, uint64_t seed)
{
    const stria_random numbers = {.seed = seed};
    const stria_kind kind = (stria_kind)a->dtype.kind;
    const int64_t most = a->dtype.itemsize == 1 ? 127 : 1 << 15;
    if (kind > STRIA_U64) return stria_random_uniform(a, &numbers, -8, 8, NULL);
    if (kind == STRIA_BOOL || kind == STRIA_U8) return stria_random_bits(a, &numbers, NULL);
    return stria_random_integers(a, &numbers, 0, most, NULL);
}

stria_status pieces_fill(stria_buffer *buffer, stria_dtype dtype, uint64_t seed,
                         struct failure *failure)
{
    stria_view all;
    const bool small = dtype.kind == STRIA_F8E4M3 || dtype.kind == STRIA_F8E5M2,
               numbers = dtype.kind <= STRIA_F64 && !small && !dtype.swapped;
    const stria_dtype as = numbers ? dtype : stria_dtype_of(STRIA_U8);
    const int64_t count = stria_buffer_size(buffer) / as.itemsize;
    stria_status status = stria_view_make(&all, buffer, as, 1, &count, NULL, 0);
    if (status == STRIA_OK) status = fill(&all, seed);
    return status == STRIA_OK ? STRIA_OK : stria__fail_library(failure, status, NO_PLACE);
}

stria_status repeated_flat(struct repeated *out, stria_buffer *beside, int64_t piece, int64_t bytes,
                           int64_t pairs, struct failure *failure)
{
    struct array_spec flat = {.dtype = stria_dtype_of(STRIA_U8), .ndim = 1, .bytes = -1};
    flat.shape[0] = bytes;
    if (beside && (pairs > 1 ? repeated_step(piece) : piece) >= bytes)
        return repeated_make(out, &flat, beside, piece, failure);
    stria_buffer *room;
    STRIA_TRY(pieces_make(&room, bytes, pairs, failure));
    stria_status status = pieces_fill(room, flat.dtype, 3, failure);
    if (status == STRIA_OK) status = repeated_make(out, &flat, room, bytes, failure);
    stria_buffer_release(room);
    return status;
}

/* ---- regimes --------------------------------------------------------------------------------- */

static const char *const names[] = {"by size", "hot", "l3", "dram"};

const char *regime_name(enum regime regime)
{
    return names[regime];
}

/* A machine that does not tell its caches is taken for a common one. */
static int64_t or_usual(int64_t bytes, int64_t usual)
{
    return bytes > 0 ? bytes : usual;
}

static int64_t last_level(const struct machine *m)
{
    const int64_t l2 = or_usual(m->l2, 1 << 20);
    return or_usual(m->l3, m->l2 > 0 ? l2 : 32 << 20);
}

static int64_t at_most(int64_t n, int64_t most)
{
    return n < most ? n : most;
}

int64_t regime_pairs(enum regime regime, int64_t touched, int64_t pair,
                     const struct machine *machine)
{
    const int64_t l3 = last_level(machine);
    const int64_t hot = at_most(l3 / 4, REGIME_HOT_MOST);
    if (regime == REGIME_BY_SIZE) regime = touched <= hot ? REGIME_HOT : REGIME_DRAM;
    int64_t pairs = 1;
    if (regime == REGIME_L3) pairs = l3 / 2 / touched;
    if (regime == REGIME_DRAM) pairs = (2 * l3 + touched - 1) / touched;
    pairs = at_most(at_most(pairs, REGIME_MAX_PAIRS), 16 * l3 / pair);
    return pairs < 1 ? 1 : pairs;
}

const char *regime_lies_in(int64_t bytes, const struct machine *machine)
{
    if (bytes <= or_usual(machine->l1d, 32 << 10)) return "L1";
    if (bytes <= or_usual(machine->l2, 1 << 20)) return "L2";
    return bytes <= last_level(machine) ? "L3" : "DRAM";
}
