/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash of the elements of a view, whatever its strides. */
#ifndef STRIA_HASH_H
#define STRIA_HASH_H

#include "view.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stria_hash128 {
    uint64_t high, low;
} stria_hash128;

/*
 * Computes XXH3-128 (seed 0) of the items in C order of their indices, each as its stored bytes.
 * Equal content of one dtype gives equal hashes, whatever the strides, the machine and the number
 * of threads. Stored bytes of another byte order are other bytes: what one file holds has one hash
 * on every machine, native arrays of equal numbers have two. dtype and shape are not part of the
 * hash. The call allocates nothing, except up to 1 MiB while it reads a large view whose items lie
 * far apart; where that memory cannot be had it takes longer.
 */
STRIA_API STRIA_MUST_USE stria_status stria_hash(stria_hash128 *out, const stria_view *a,
                                                 const stria_exec *exec);

/*
 * Writes 32 hexadecimal digits, the high half first. text receives at most size bytes, terminated,
 * and may be NULL where size is 0 (ARGUMENT otherwise); *length, which may be NULL, becomes 32.
 */
STRIA_API stria_status stria_hash_format(char *text, size_t size, size_t *length,
                                         stria_hash128 hash);

#ifdef __cplusplus
}
#endif

#endif
