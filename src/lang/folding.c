/* SPDX-License-Identifier: BSD-3-Clause */
#include "folding.h"

#include "stria/order_statistics.h"
#include "stria/sort.h"

const char *stria__folding_name(const struct folding *f)
{
    switch (f->kind) {
    case FOLDING_REDUCES: return stria_reduction_name(f->reduction);
    case FOLDING_SCANS: return stria_scan_name(f->scan);
    case FOLDING_SORTS: return "sort";
    case FOLDING_ARGSORTS: return "argsort";
    default: return "median";
    }
}

void stria__folding_keep(struct invocation *c, struct folding what, int count, const int *dims)
{
    struct folding *const f = c->tells ? stria__pool_take(c->pool, sizeof *f) : NULL;
    if (!f) return; /* nobody asks, or there is no memory: it cannot be run again, which is all */
    *f = what;
    f->count = count;
    f->from = *c->self;
    for (int i = 0; i < count && i < STRIA_MAX_NDIM; i++)
        f->dims[i] = dims[i];
    c->folding = f;
}

stria_status stria__folding_run(const struct folding *f, const stria_view *out, const stria_view *a,
                                const stria_exec *exec)
{
    const stria_reduce_options options = {.ddof = f->ddof};
    stria_exec how = *exec;
    if (f->rule == STRIA_PROMOTE_NUMPY) how.hints |= STRIA_PROMOTE_AS_NUMPY;
    if (f->kind == FOLDING_SCANS) return stria_scan_dim(f->scan, out, a, f->dims[0], NULL, &how);
    if (f->kind == FOLDING_MEDIAN) return stria_median(out, a, f->count, f->dims, &how);
    if (f->kind == FOLDING_SORTS) return stria_sort(out, a, f->dims[0], false, &how);
    if (f->kind == FOLDING_ARGSORTS) return stria_argsort(out, a, f->dims[0], false, &how);
    return stria_reduce_dims(f->reduction, out, a, f->count, f->dims, &options, &how);
}
