/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exports of a compiled peer: a library that copies, wrapped so that compare.py can run it beside
 * others on the same memory. Each peer is one source file and one row in CMakeLists.txt, and is
 * built where its library is found.
 */
#pragma once

#include <stdint.h>

extern "C" {

/* The copy dst[...] = src: the same shape, strides in bytes; the dtypes are "f32", "bf16", "u8",
 * ... */
struct peer_copy {
    void *dst;
    const void *src;
    int32_t ndim, threads;
    const int64_t *shape, *dst_strides, *src_strides;
    const char *dst_dtype, *src_dtype;
};

/* Returns the library and its version as static text. */
const char *peer_name(void);
/* Makes a plan for one copy, to be run many times; NULL if the library has no such copy. */
void *peer_prepare(const struct peer_copy *copy);
void peer_run(void *plan);
void peer_end(void *plan);
}
