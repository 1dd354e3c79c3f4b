/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random numbers. They are a function of the seed, the stream and the number of the element alone,
 * by the counter-based generator Philox4x32-10: the same on every machine, for any layout, piece by
 * piece or at once, on any number of threads. docs/random.md defines every bit. Not for secrets.
 *
 * Every function writes all elements of out, in C order of the indices: element i gets number
 * r->first + i of the sequence. out may have any layout; no two of its elements may share a byte. r
 * may be NULL: {0}. exec may be NULL. Meta buffers are checked and not written.
 *
 * Errors of all: ARGUMENT, READONLY, DTYPE, OVERLAP (out with itself), OVERFLOW (r->first + the
 * number of elements beyond 2^63 - 1; a bound that does not fit into the dtype of out).
 */
#ifndef STRIA_RANDOM_H
#define STRIA_RANDOM_H

#include "threads.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A place in a sequence. To go on behind an array, add its number of elements to first. */
typedef struct stria_random {
    uint64_t seed;        /* any value; other seeds give independent sequences */
    uint32_t stream;      /* and so do other streams of one seed, for tasks or arrays */
    int64_t first;        /* the number of the first element, from 0 */
    uint64_t reserved[2]; /* must be zero */
} stria_random;

/*
 * Fills with numbers low <= x < high, equally distributed: low + u (high - low), where u has 53
 * bits for f64, 24 for f32, 11 for f16, 8 for bf16. torch.Tensor.uniform_, torch.rand,
 * numpy.random.Generator.uniform. DTYPE for other dtypes; ARGUMENT unless low < high, both and
 * their difference are finite, and a number of the dtype lies between.
 */
STRIA_API STRIA_MUST_USE stria_status stria_random_uniform(const stria_view *out,
                                                           const stria_random *r, double low,
                                                           double high, const stria_exec *exec);

/*
 * Fills with normally distributed numbers: mean + std z, where z is the inverse of the normal
 * distribution function at a uniform number of 32 bits (52 for f64), computed in f64 by ndtri of
 * mathematics.h and rounded once. |z| is at most 6.4 (8.3 for f64). torch.Tensor.normal_,
 * numpy.random.Generator.normal. dtypes as above; ARGUMENT unless mean and std are finite and std
 * is not negative.
 */
STRIA_API STRIA_MUST_USE stria_status stria_random_normal(const stria_view *out,
                                                          const stria_random *r, double mean,
                                                          double std, const stria_exec *exec);

/*
 * Fills with integers low <= x < high, each of them equally likely, without bias.
 * torch.Tensor.random_, torch.randint, numpy.random.Generator.integers. out is of any real dtype
 * but bool, into which low and high - 1 have to fit (OVERFLOW). ARGUMENT unless low < high.
 */
STRIA_API STRIA_MUST_USE stria_status stria_random_integers(const stria_view *out,
                                                            const stria_random *r, int64_t low,
                                                            int64_t high, const stria_exec *exec);

/*
 * Fills with random bits: integers over the whole range of their dtype, or bools. DTYPE for others.
 */
STRIA_API STRIA_MUST_USE stria_status stria_random_bits(const stria_view *out,
                                                        const stria_random *r,
                                                        const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
