/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans along one dim of views of any layout. */
#ifndef STRIA_SRC_ENGINE_SCAN_H
#define STRIA_SRC_ENGINE_SCAN_H

#include "conversion.h"
#include "simd/map.h"
#include "simd/scan.h"

/* A scan that was checked: out and a have one shape, which is not empty. */
struct scan_call {
    const stria_view *out, *a; /* exactly the same elements, or without a byte in common */
    int dim;
    scan_kernel *kernel; /* NULL: each element is next of the result before it and itself */
    map_loop *next;
    stria_dtype takes; /* what the kernel reads and writes, native */
    double cycles;
};

void stria__scan(const struct scan_call *call, const stria_exec *exec);

#endif
