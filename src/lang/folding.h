/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reduction, a scan, a median or a sort as it was called: for showing it, and for running it once
 * more.
 */
#ifndef STRIA_LANG_FOLDING_H
#define STRIA_LANG_FOLDING_H

#include "function.h"
#include "stria/reduce.h"
#include "stria/scan.h"

enum folding_kind {
    FOLDING_REDUCES,
    FOLDING_SCANS,
    FOLDING_MEDIAN,
    FOLDING_SORTS,
    FOLDING_ARGSORTS
};

struct folding {
    enum folding_kind kind;
    stria_reduction reduction; /* REDUCES */
    stria_scan scan;           /* SCANS */
    stria_promotion rule;
    int count, dims[STRIA_MAX_NDIM]; /* as the library takes them; one of a scan or sort */
    double ddof;
    stria_view from; /* a copy; the memory may be gone, unless all of it is kept */
};

/* "sum", "cumsum", "median": static text. */
const char *stria__folding_name(const struct folding *f);

/* Notes what can be run once more of the array of a call, where somebody asks. */
void stria__folding_keep(struct invocation *call, struct folding what, int count, const int *dims);

/* What was called, of a instead, into memory that is there. */
stria_status stria__folding_run(const struct folding *f, const stria_view *out, const stria_view *a,
                                const stria_exec *exec);

#endif
