/* SPDX-License-Identifier: BSD-3-Clause */
#include "folding.h"

#include "stria/order_statistics.h"

const char *stria__folding_name(const struct folding *f)
{
    if (f->kind == FOLDING_REDUCES) return stria_reduction_name(f->reduction);
    return f->kind == FOLDING_SCANS ? stria_scan_name(f->scan) : "median";
}

stria_status stria__folding_run(const struct folding *f, const stria_view *out, const stria_view *a,
                                const stria_exec *exec)
{
    const stria_reduce_options options = {.ddof = f->ddof};
    stria_exec how = *exec;
    if (f->rule == STRIA_PROMOTE_NUMPY) how.hints |= STRIA_PROMOTE_AS_NUMPY;
    if (f->kind == FOLDING_SCANS) return stria_scan_dim(f->scan, out, a, f->dims[0], NULL, &how);
    if (f->kind == FOLDING_MEDIAN) return stria_median(out, a, f->count, f->dims, &how);
    return stria_reduce_dims(f->reduction, out, a, f->count, f->dims, &options, &how);
}
