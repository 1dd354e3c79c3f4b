/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks indices and computes byte offsets from them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine/dispatch.h"
#include "ops/index/indexed.h"
#include "base/status.h"

enum { NUMBER_TEXT = 24 };

static stria_status refuse(const char *culprit, const struct counted *counted, const char *why,
                           const char *op)
{
    if (counted->dim < 0)
        return stria__fail(STRIA_ERR_INDEX, "%s: index %s is out of range for %lld elements", op,
                           culprit, (long long)counted->size);
    return stria__fail(STRIA_ERR_INDEX, "%s: index %s is out of range for dim %d of size %lld%s",
                       op, culprit, counted->dim, (long long)counted->size, why);
}

static stria_status refuse_index(int64_t culprit, const struct counted *counted,
                                 stria_index_mode mode, const char *op)
{
    char text[NUMBER_TEXT];
    const bool strict = mode == STRIA_INDEX_STRICT;
    (void)snprintf(text, sizeof text, "%" PRId64, culprit);
    return refuse(text, counted, strict && culprit < 0 ? "; it may not be negative here" : "", op);
}

static bool is_plain(unsigned found)
{
    return !(found & (INDEX_NEGATIVE | INDEX_ABOVE));
}

/*
 * Tells whether some of the surveyed indices may have to be refused. Modes other than RAISE and
 * STRICT can wrap or clamp any index, unless the dim is empty.
 */
static bool refuses(unsigned found, const struct counted *counted, stria_index_mode mode)
{
    if (counted->beyond != NONE_BEYOND) return counted->size == 0;
    return found & (INDEX_ABOVE | (mode == STRIA_INDEX_RAISE ? INDEX_BELOW : INDEX_NEGATIVE));
}

/* ---- from indices to bytes ------------------------------------------------------------------- */

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

void stria__count_by(struct counted *counted, stria_index_mode mode)
{
    const stria_plan *const nest = &counted->nest;
    counted->beyond = mode == STRIA_INDEX_WRAP   ? WRAP_BEYOND
                      : mode == STRIA_INDEX_CLIP ? CLIP_BEYOND
                                                 : NONE_BEYOND;
    for (int d = 0; d < nest->ndim; d++) {
        struct located_dim *const dim = &counted->dims[d];
        *dim = (struct located_dim){.n = nest->dims[d].n, .s = nest->dims[d].s[0]};
        if (d + 1 < nest->ndim && counted->size <= INT64_C(1) << 31) find_factor(dim);
    }
}

static void locate(int64_t *offsets, const struct counted *counted, int ndim, const char *indices,
                   int64_t s, int64_t n)
{
    stria__kernels()->locate(offsets, &(struct locate){.indices = indices,
                                                       .s = s,
                                                       .n = n,
                                                       .size = counted->size,
                                                       .beyond = counted->beyond,
                                                       .ndim = ndim,
                                                       .dims = counted->dims});
}

static int64_t block(int64_t n, int64_t from)
{
    return n - from < LOCATED ? n - from : LOCATED;
}

/*
 * Computes offsets from indices, or leaves indices that serve as offsets; false when one was
 * refused.
 */
static bool to_offsets(char **indices, int64_t *s, int64_t n, int64_t *offsets,
                       const struct located *how)
{
    const struct counted *const counted = how->counted;
    const int ndim = counted->nest.ndim == 1 ? 0 : counted->nest.ndim; /* the loop multiplies by the
                                                                          scale */
    if (how->refused) {
        const unsigned found = stria__kernels()->survey_indices(*indices, *s, n, counted->size);
        if (refuses(found, counted, how->mode)) {
            *how->refused = true;
            return false;
        }
        if (ndim == 0 && is_plain(found)) return true;
    }
    locate(offsets, counted, ndim, *indices, *s, n);
    *indices = (char *)offsets;
    *s = sizeof *offsets;
    return true;
}

/*
 * Moves rows of indices that follow each other: offsets for as many as there is room for are
 * computed at once.
 */
static stria_status locate_short_rows(char *const *ptr, const stria_dim *d,
                                      const struct located *how)
{
    int64_t offsets[LOCATED];
    const int64_t n = d[0].n, most = LOCATED / n;
    stria_dim part[2] = {d[0], d[1]};
    for (int64_t j = 0; j < d[1].n; j += most) {
        char *to[3];
        for (int k = 0; k < 3; k++)
            to[k] = ptr[k] + j * d[1].s[k];
        part[1].n = d[1].n - j < most ? d[1].n - j : most;
        part[0].s[2] = d[0].s[2];
        if (!to_offsets(&to[2], &part[0].s[2], n * part[1].n, offsets, how)) return STRIA_OK;
        part[1].s[2] = n * part[0].s[2];
        STRIA_TRY(how->loop(to, part, how->how));
    }
    return STRIA_OK;
}

stria_status stria__locate_rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct located *how = arg;
    if (d[0].s[2] != 0 && d[0].n <= LOCATED / 2 && d[1].s[2] == d[0].n * d[0].s[2]) {
        return locate_short_rows(ptr, d, how);
    }
    int64_t offsets[LOCATED];
    const int turn = d[0].s[2] == 0; /* one index for a row: those of several rows are computed at
                                        once */
    const stria_dim *const along = &d[turn], *const across = &d[!turn];
    stria_dim part[2] = {d[0], d[1]};
    part[!turn].n = turn ? d[0].n : 1;
    for (int64_t j = 0; j < (turn ? 1 : across->n); j++)
        for (int64_t i = 0; i < along->n; i += LOCATED) {
            char *to[3];
            for (int k = 0; k < 3; k++)
                to[k] = ptr[k] + j * across->s[k] + i * along->s[k];
            part[turn].n = block(along->n, i);
            part[turn].s[2] = along->s[2];
            if (!to_offsets(&to[2], &part[turn].s[2], part[turn].n, offsets, how)) return STRIA_OK;
            STRIA_TRY(how->loop(to, part, how->how));
        }
    return STRIA_OK;
}

/* ---- sums of offsets ------------------------------------------------------------------------- */

struct task {
    const struct counted *counted;
    bool first; /* there are no sums yet */
};

static inline void add_one(char *sum, int64_t offset, bool first)
{
    int64_t before = 0;
    if (!first) memcpy(&before, sum, sizeof before);
    before += offset;
    memcpy(sum, &before, sizeof before);
}

/* Adds index * stride. Operands: 0 the sums, 1 the indices. */
static stria_status add_scaled(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct task *task = arg;
    const int64_t n = d[0].n, to = d[0].s[0], from = d[0].s[1];
    const int64_t wrap = task->counted->size, s = task->counted->nest.dims[0].s[0];
    const bool first = task->first;
    for (int64_t j = 0; j < d[1].n; j++) {
        char *const sums = ptr[0] + j * d[1].s[0];
        const char *const indices = ptr[1] + j * d[1].s[1];
        for (int64_t i = 0; i < n; i++) {
            int64_t index;
            memcpy(&index, indices + i * from, sizeof index);
            add_one(sums + i * to, index_within(index + (index < 0 ? wrap : 0), wrap) * s, first);
        }
    }
    return STRIA_OK;
}

/* Adds offsets of any kind. */
static stria_status add_rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct task *task = arg;
    int64_t offsets[LOCATED];
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i += LOCATED) {
            const int64_t n = block(d[0].n, i);
            char *const sums = ptr[0] + j * d[1].s[0] + i * d[0].s[0];
            const char *const indices = ptr[1] + j * d[1].s[1] + i * d[0].s[1];
            locate(offsets, task->counted, task->counted->nest.ndim, indices, d[0].s[1], n);
            for (int64_t k = 0; k < n; k++)
                add_one(sums + k * d[0].s[0], offsets[k], task->first);
        }
    return STRIA_OK;
}

/*
 * Tells whether every offset is the index, plus the size where that is negative, times a single
 * stride.
 */
static bool is_scaled(const struct counted *counted)
{
    return counted->nest.ndim == 1 && counted->beyond == NONE_BEYOND;
}

static uint64_t index_at(const char *indices, int64_t i)
{
    uint64_t index;
    memcpy(&index, indices + i * (int64_t)sizeof index, sizeof index);
    return index;
}

stria_status stria__check_indices(bool *plain, const char *indices, int64_t n,
                                  const struct counted *counted, stria_index_mode mode,
                                  const char *op)
{
    enum { INDEX = sizeof(int64_t) };
    const unsigned found = stria__kernels()->survey_indices(indices, INDEX, n, counted->size);
    *plain = is_plain(found);
    if (n == 0 || !refuses(found, counted, mode)) return STRIA_OK;
    const uint64_t wrap = mode == STRIA_INDEX_STRICT ? 0 : (uint64_t)counted->size,
                   size = (uint64_t)counted->size + wrap;
    for (int64_t i = 0; i < n; i++)
        if (index_at(indices, i) + wrap >= size)
            return refuse_index((int64_t)index_at(indices, i), counted, mode, op);
    return STRIA_OK;
}

stria_status stria__check_huge(const char *indices, int64_t n, const struct counted *counted,
                               const char *op)
{
    for (int64_t i = 0; i < n; i++) {
        char text[NUMBER_TEXT];
        if (index_at(indices, i) <= INT64_MAX) continue;
        (void)snprintf(text, sizeof text, "%" PRIu64, index_at(indices, i));
        return refuse(text, counted, "", op);
    }
    return STRIA_OK;
}

stria_status stria__add_offsets(const stria_view *offsets, bool first, const stria_view *index,
                                const struct counted *counted, stria_index_mode mode,
                                const char *op)
{
    const struct task task = {counted, first};
    const stria_exec serial = {.threads = 1};
    stria_plan plan;
    bool plain;
    STRIA_TRY(
        stria_plan_make(&plan, 2, (const stria_view *[]){offsets, index}, STRIA_PLAN_KEEP_ORDER));
    STRIA_TRY(stria__check_indices(&plain, index->data, stria_numel(index), counted, mode, op));
    return stria_walk(&plan, is_scaled(counted) ? add_scaled : add_rows, &task, &serial);
}
