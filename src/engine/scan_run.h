/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans along one dim of views of any layout. */
#ifndef STRIA_SRC_ENGINE_SCAN_H
#define STRIA_SRC_ENGINE_SCAN_H

#include "conversion.h"
#include "simd/map.h"
#include "simd/scan.h"

/* A checked scan: out and a have one shape, which is not empty. */
struct scan_call {
    const stria_view *out, *a; /* They are exactly the same elements, or share no byte. */
    int dim;
    /* NULL: the function `next` makes each result from the one before it and the element. */
    scan_kernel *kernel;
    map_loop *next;
    stria_dtype takes; /* Native dtype that the kernel reads and writes. */
    double cycles;
};

void stria__scan(const struct scan_call *call, const stria_exec *exec);

#endif
