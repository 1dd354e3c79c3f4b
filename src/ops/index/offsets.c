/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks every index and adds up where it leads. */
#include "ops/index/offsets.h"

#include <string.h>

#include "status.h"

struct task {
    const struct counted *counted;
    stria_index_mode mode;
    bool first; /* the sums hold nothing yet */
    bool *failed;
    int64_t *culprit;
};

/* The index within 0 .. size-1, or -1 when it is refused. size > 0 unless it is refused anyway. */
static int64_t resolve(int64_t index, int64_t size, stria_index_mode mode)
{
    switch (mode) {
    case STRIA_INDEX_WRAP:
        if (size == 0) return -1;
        index %= size;
        return index < 0 ? index + size : index;
    case STRIA_INDEX_CLIP: return index >= size ? size - 1 : index < 0 && size ? 0 : index;
    case STRIA_INDEX_RAISE:
        if (index < 0) index += size;
        break;
    case STRIA_INDEX_STRICT: break;
    }
    return index >= 0 && index < size ? index : -1;
}

static int64_t offset_of(const stria_plan *nest, int64_t index)
{
    int64_t offset = 0;
    for (int d = 0; d + 1 < nest->ndim; d++) {
        offset += index % nest->dims[d].n * nest->dims[d].s[0];
        index /= nest->dims[d].n;
    }
    return offset + index * nest->dims[nest->ndim - 1].s[0];
}

static void add_one(char *sum, int64_t offset, bool first)
{
    int64_t before = 0;
    if (!first) memcpy(&before, sum, sizeof before);
    before += offset;
    memcpy(sum, &before, sizeof before);
}

/* One by one, to the first index that is refused. */
static void add_row(char *sums, const char *indices, const stria_dim *d, const struct task *task)
{
    const int64_t size = task->counted->size;
    for (int64_t i = 0; i < d->n; i++) {
        int64_t index;
        memcpy(&index, indices + i * d->s[1], sizeof index);
        const int64_t at = resolve(index, size, task->mode);
        if (at < 0) {
            if (!*task->failed) *task->culprit = index;
            *task->failed = true;
            return;
        }
        add_one(sums + i * d->s[0], offset_of(&task->counted->nest, at), task->first);
    }
}

/* Where none is refused, and each is so many bytes. */
static void add_scaled(char *const *ptr, const stria_dim *d, const void *arg)
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
            add_one(sums + i * to, (index + (index < 0 ? wrap : 0)) * s, first);
        }
    }
}

static void add_rows(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct task *task = arg;
    for (int64_t j = 0; j < d[1].n && !*task->failed; j++)
        add_row(ptr[0] + j * d[1].s[0], ptr[1] + j * d[1].s[1], &d[0], task);
}

static stria_status refuse(int64_t culprit, const struct counted *counted, stria_index_mode mode,
                           const char *op)
{
    if (counted->dim < 0)
        return stria__fail(STRIA_ERR_INDEX, "%s: index %lld is out of range for %lld elements", op,
                           (long long)culprit, (long long)counted->size);
    return stria__fail(STRIA_ERR_INDEX, "%s: index %lld is out of range for dim %d of size %lld%s",
                       op, (long long)culprit, counted->dim, (long long)counted->size,
                       mode == STRIA_INDEX_STRICT && culprit < 0 ? "; it may not be negative here"
                                                                 : "");
}

bool stria__is_scaled(const struct counted *counted, stria_index_mode mode)
{
    return counted->nest.ndim == 1 && (mode == STRIA_INDEX_RAISE || mode == STRIA_INDEX_STRICT);
}

static uint64_t index_at(const char *indices, int64_t i)
{
    uint64_t index;
    memcpy(&index, indices + i * (int64_t)sizeof index, sizeof index);
    return index;
}

stria_status stria__check_indices(const char *indices, int64_t n, const struct counted *counted,
                                  stria_index_mode mode, const char *op)
{
    const uint64_t wrap = mode == STRIA_INDEX_RAISE ? (uint64_t)counted->size : 0,
                   size = (uint64_t)counted->size + wrap;
    bool refused = false;
    for (int64_t i = 0; i < n; i++)
        refused |= index_at(indices, i) + wrap >= size;
    for (int64_t i = 0; refused && i < n; i++)
        if (index_at(indices, i) + wrap >= size)
            return refuse((int64_t)index_at(indices, i), counted, mode, op);
    return STRIA_OK;
}

stria_status stria__add_offsets(const stria_view *offsets, bool first, const stria_view *index,
                                const struct counted *counted, stria_index_mode mode,
                                const char *op)
{
    bool failed = false;
    int64_t culprit = 0;
    const struct task task = {counted, mode, first, &failed, &culprit};
    const stria_exec serial = {.threads = 1};
    stria_plan plan;
    STRIA_TRY(
        stria_plan_make(&plan, 2, (const stria_view *[]){offsets, index}, STRIA_PLAN_KEEP_ORDER));
    if (stria__is_scaled(counted, mode)) {
        STRIA_TRY(stria__check_indices(index->data, stria_numel(index), counted, mode, op));
        stria_walk(&plan, add_scaled, &task, &serial);
        return STRIA_OK;
    }
    stria_walk(&plan, add_rows, &task, &serial);
    return failed ? refuse(culprit, counted, mode, op) : STRIA_OK;
}
