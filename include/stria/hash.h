/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash of what a view contains, whatever its strides. */
#ifndef STRIA_HASH_H
#define STRIA_HASH_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stria_hash128 {
    uint64_t high, low;
} stria_hash128;

/*
 * XXH3-128 (seed 0) of the items in C order of the indices, each as its stored bytes: equal for
 * equal content and dtype, independent of strides, machine and thread count. dtype and shape are
 * not part of it. Allocates nothing, but up to 1 MiB while a large view is read whose items lie far
 * apart; where there is none, that takes longer.
 */
STRIA_API STRIA_MUST_USE stria_status stria_hash(stria_hash128 *out, const stria_view *a);

/* 32 hexadecimal digits, high half first, and a terminating zero. */
STRIA_API void stria_hash_format(stria_hash128 hash, char text[33]);

#ifdef __cplusplus
}
#endif

#endif
