/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks indices, and walks over them as numbers or byte offsets. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine/dispatch.h"
#include "ops/index/indexed.h"

enum { NUMBER_TEXT = 24, INDEX = sizeof(int64_t), BLOCK = 1024 };

/* ---- what indices count ---------------------------------------------------------------------- */

/*
 * Prepares the division of numbers below 2^31 by n <= 2^31 as a product and a shift: with 2^(l-1) <
 * n <= 2^l and the factor 2^(31+l) / n, rounded up, a quotient is too large by less than 1 / n.
 */
static void find_factor(struct located_dim *dim)
{
    int l = 0;
    while (INT64_C(1) << l < dim->n)
        l++;
    const uint64_t n = (uint64_t)dim->n;
    dim->shift = 31 + l;
    dim->factor = ((UINT64_C(1) << dim->shift) + n - 1) / n;
}

/* Counts all elements; if they are one dim in memory, indices are only scaled. */
static stria_status count_all(struct counted *out, const stria_view *a)
{
    stria_plan nest;
    STRIA_TRY(stria_plan_make(&nest, 1, &a, STRIA_PLAN_KEEP_ORDER));
    out->located.size = stria_numel(a);
    if (nest.ndim == 1) {
        out->scale = nest.dims[0].s[0];
        return STRIA_OK;
    }
    out->located.ndim = nest.ndim;
    for (int d = 0; d < nest.ndim; d++) {
        struct located_dim *const dim = &out->located.dims[d];
        *dim = (struct located_dim){.n = nest.dims[d].n, .s = nest.dims[d].s[0]};
        if (d + 1 < nest.ndim && out->located.size <= INT64_C(1) << 31) find_factor(dim);
    }
    return STRIA_OK;
}

stria_status stria__count_items(struct counted *out, const stria_view *a, int dim,
                                stria_index_mode mode)
{
    out->mode = mode;
    out->dim = dim;
    out->scale = 1;
    out->located.ndim = 0;
    out->located.beyond = mode == STRIA_INDEX_WRAP   ? WRAP_BEYOND
                          : mode == STRIA_INDEX_CLIP ? CLIP_BEYOND
                                                     : NONE_BEYOND;
    if (dim < 0) return count_all(out, a);
    out->located.size = a->shape[dim];
    /* Without elements a stride may be anything, and its product with an index could overflow. */
    out->scale = is_empty(a->ndim, a->shape) ? 0 : a->strides[dim];
    return STRIA_OK;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static stria_status refuse_text(const char *culprit, const struct counted *counted, const char *why,
                                const char *op)
{
    const long long size = counted->located.size;
    if (counted->dim < 0)
        return stria__fail(STRIA_ERR_INDEX, "%s: index %s is out of range for %lld elements", op,
                           culprit, size);
    return stria__fail(STRIA_ERR_INDEX, "%s: index %s is out of range for dim %d of size %lld%s",
                       op, culprit, counted->dim, size, why);
}

static stria_status refuse_index(int64_t culprit, const struct counted *counted, const char *op)
{
    char text[NUMBER_TEXT];
    const bool strict = counted->mode == STRIA_INDEX_STRICT;
    (void)snprintf(text, sizeof text, "%" PRId64, culprit);
    return refuse_text(text, counted, strict && culprit < 0 ? "; it may not be negative here" : "",
                       op);
}

static uint64_t index_at(const char *indices, int64_t i)
{
    uint64_t index;
    memcpy(&index, indices + i * INDEX, sizeof index);
    return index;
}

/*
 * Returns the place of the first index to refuse among n adjacent ones with these flags, or n.
 * Modes other than RAISE and STRICT can wrap or clamp any index, unless the dim is empty.
 */
static int64_t find_refused(unsigned found, const char *indices, int64_t n,
                            const struct counted *counted)
{
    const int64_t size = counted->located.size;
    const uint64_t wrap = counted->mode == STRIA_INDEX_STRICT ? 0 : (uint64_t)size;
    int64_t i = 0;
    if (counted->located.beyond != NONE_BEYOND) return size == 0 ? 0 : n;
    if (!(found & (INDEX_ABOVE | (wrap ? INDEX_BELOW : INDEX_NEGATIVE)))) return n;
    while (i < n && index_at(indices, i) + wrap < (uint64_t)size + wrap)
        i++;
    return i;
}

stria_status stria__check_indices(const stria_view *indices, const struct counted *counted,
                                  const char *op)
{
    const int64_t n = stria_numel(indices);
    const unsigned found =
        stria__kernels()->survey_indices(NULL, indices->data, n, counted->located.size);
    const int64_t i = find_refused(found, indices->data, n, counted);
    return i < n ? refuse_index((int64_t)index_at(indices->data, i), counted, op) : STRIA_OK;
}

stria_status stria__check_huge(const stria_view *indices, const struct counted *counted,
                               const char *op)
{
    const int64_t n = stria_numel(indices);
    for (int64_t i = 0; i < n; i++) {
        char text[NUMBER_TEXT];
        if (index_at(indices->data, i) <= INT64_MAX) continue;
        (void)snprintf(text, sizeof text, "%" PRIu64, index_at(indices->data, i));
        return refuse_text(text, counted, "", op);
    }
    return STRIA_OK;
}

/* ---- walks ----------------------------------------------------------------------------------- */

/* Indices of a block: n[1] rows of n[0], s bytes apart. */
struct index_block {
    const char *at;
    int64_t n[2], s[2];
};

/*
 * Prefetches as many bytes as were read, since a full block often follows. The elements lie
 * elsewhere in memory, so that the next indices would be waited for (1 Mi into 4 Mi f64, Zen 4).
 */
static void prefetch_after(const char *at, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += LINE)
        __builtin_prefetch((const char *)((uintptr_t)at + (uintptr_t)(bytes + i)));
}

/* Reads indices once and makes numbers of them; false if one is refused. */
static bool read_numbers(int64_t *numbers, struct index_block b, const struct counted *counted)
{
    const struct stria_kernels *const kernels = stria__kernels();
    const int64_t all = b.n[0] * b.n[1], size = counted->located.size;
    unsigned found = 0;
    if (b.s[1] == b.n[0] * b.s[0]) {
        b.n[0] = all;
        b.n[1] = 1;
    }
    for (int64_t j = 0; j < b.n[1]; j++) {
        const char *const row = b.at + j * b.s[1];
        int64_t *const to = numbers + j * b.n[0];
        if (b.s[0] == INDEX) found |= kernels->survey_indices(to, row, b.n[0], size);
        for (int64_t i = 0; b.s[0] != INDEX && i < b.n[0]; i++)
            memcpy(&to[i], row + i * b.s[0], INDEX);
    }
    if (b.s[0] == INDEX && all > BLOCK / 2) prefetch_after(b.at, all * INDEX);
    if (b.s[0] != INDEX) found = kernels->survey_indices(NULL, (const char *)numbers, all, size);
    if (find_refused(found, (const char *)numbers, all, counted) < all) return false;
    if (found & (INDEX_NEGATIVE | INDEX_ABOVE) || counted->located.ndim > 0)
        for (int64_t i = 0; i < all; i += LOCATED)
            kernels->locate(numbers + i, least(all - i, LOCATED), &counted->located);
    return true;
}

/*
 * Walks block by block. Blocks are pieces of a row, or whole rows, so that the order of the
 * elements stays. Along a dim of one index there is nothing more to read.
 */
stria_status stria__walk_indices(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct index_walk *const w = arg;
    const bool one[] = {d[0].s[2] == 0, d[1].s[2] == 0};
    const int along = one[0] && !one[1];
    int64_t numbers[BLOCK], most[] = {d[0].n, d[1].n};
    if (!one[0]) most[0] = least(d[0].n, BLOCK);
    if (most[0] < d[0].n)
        most[1] = 1;
    else if (!one[1])
        most[1] = least(d[1].n, BLOCK / (one[0] ? 1 : most[0]));
    for (int64_t j = 0; j < d[1].n; j += most[1])
        for (int64_t i = 0; i < d[0].n; i += most[0]) {
            stria_dim part[] = {d[0], d[1]};
            char *at[3];
            for (int k = 0; k < 3; k++)
                at[k] = ptr[k] + j * d[1].s[k] + i * d[0].s[k];
            part[0].n = least(most[0], d[0].n - i);
            part[1].n = least(most[1], d[1].n - j);
            const struct index_block block = {
                at[2],
                {one[along] ? 1 : part[along].n, one[!along] ? 1 : part[!along].n},
                {d[along].s[2], d[!along].s[2]}};
            if (!read_numbers(numbers, block, w->counted)) return STRIA_ERR_INDEX;
            at[2] = (char *)numbers;
            part[along].s[2] = one[along] ? 0 : INDEX;
            part[!along].s[2] = one[!along] ? 0 : block.n[0] * INDEX;
            STRIA_TRY(w->loop(at, part, w->arg));
        }
    return STRIA_OK;
}

stria_status stria__refuse_walked(const stria_view *indices, const struct counted *counted,
                                  const char *op)
{
    STRIA_TRY(stria__check_indices(indices, counted, op));
    return stria__fail(STRIA_ERR_INDEX, "%s: indices changed while they were read", op);
}
