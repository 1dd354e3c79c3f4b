/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks every index and adds up where it leads. */
#include "ops/index/offsets.h"

#include <string.h>

#include "status.h"

struct task {
    const struct counted *counted;
    stria_index_mode mode;
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

static void add_row(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct task *task = arg;
    const int64_t size = task->counted->size;
    for (int64_t j = 0; j < d[1].n; j++)
        for (int64_t i = 0; i < d[0].n; i++) {
            char *sum = ptr[0] + j * d[1].s[0] + i * d[0].s[0];
            int64_t index, offset;
            memcpy(&index, ptr[1] + j * d[1].s[1] + i * d[0].s[1], sizeof index);
            const int64_t at = resolve(index, size, task->mode);
            if (at < 0) {
                if (!*task->failed) *task->culprit = index;
                *task->failed = true;
                return;
            }
            memcpy(&offset, sum, sizeof offset);
            offset += offset_of(&task->counted->nest, at);
            memcpy(sum, &offset, sizeof offset);
        }
}

stria_status stria__add_offsets(const stria_view *offsets, const stria_view *index,
                                const struct counted *counted, stria_index_mode mode,
                                const char *op)
{
    bool failed = false;
    int64_t culprit = 0;
    const struct task task = {counted, mode, &failed, &culprit};
    const stria_exec serial = {.threads = 1};
    stria_plan plan;
    STRIA_TRY(
        stria_plan_make(&plan, 2, (const stria_view *[]){offsets, index}, STRIA_PLAN_KEEP_ORDER));
    stria_walk(&plan, add_row, &task, &serial);
    if (!failed) return STRIA_OK;
    if (counted->dim < 0)
        return stria__fail(STRIA_ERR_INDEX, "%s: index %lld is out of range for %lld elements", op,
                           (long long)culprit, (long long)counted->size);
    return stria__fail(STRIA_ERR_INDEX, "%s: index %lld is out of range for dim %d of size %lld%s",
                       op, (long long)culprit, counted->dim, (long long)counted->size,
                       mode == STRIA_INDEX_STRICT && culprit < 0 ? "; it may not be negative here"
                                                                 : "");
}
