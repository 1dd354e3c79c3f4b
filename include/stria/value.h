/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Single elements: their addresses, and their values as numbers of C, from and to any dtype,
 * without a copy of the array.
 *
 * An element is named by one index for each dim, so that ndim is that of the view (INDEX); indices
 * from -size .. -1 count from the end. index may be NULL where ndim is 0.
 *
 * Values are those that the view has: byte order, conj and neg bits are applied. What a number does
 * not fit into is refused (OVERFLOW, with the number), and nothing is written:
 * - an integer takes whole numbers within its range; NaN, infinities and fractions do not fit;
 * - a float takes every number, rounded once to nearest even, unless that makes an infinity of what
 *   is finite (of f8e4m3, which has none: what is beyond its largest number); an integer beyond
 *   2^53 may be rounded;
 * - a real number takes complex ones whose imaginary part is 0;
 * - bool takes everything: what is not 0 is true, NaN too. true is 1.
 * Copies (copy.h) convert by a rule without refusals: integers wrap or saturate there.
 *
 * Errors of all: ARGUMENT, INDEX, UNSUPPORTED (a meta buffer, which has no elements).
 */
#ifndef STRIA_VALUE_H
#define STRIA_VALUE_H

#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Finds the address of an element: itemsize bytes, at any alignment, as memory holds them.
 * numpy.ndarray.item and torch.Tensor.data_ptr have it between them. Whether it may be written to
 * is what stria_is_writable tells.
 */
STRIA_API STRIA_MUST_USE stria_status stria_at(void **out, const stria_view *a, int ndim,
                                               const int64_t *index);

/*
 * Read one element; numpy.ndarray.item(*index), torch.Tensor.item. A complex number is two doubles,
 * the real part first. DTYPE where the elements are no numbers, OVERFLOW as above.
 */
STRIA_API STRIA_MUST_USE stria_status stria_get_bool(bool *out, const stria_view *a, int ndim,
                                                     const int64_t *index);
STRIA_API STRIA_MUST_USE stria_status stria_get_i64(int64_t *out, const stria_view *a, int ndim,
                                                    const int64_t *index);
STRIA_API STRIA_MUST_USE stria_status stria_get_u64(uint64_t *out, const stria_view *a, int ndim,
                                                    const int64_t *index);
STRIA_API STRIA_MUST_USE stria_status stria_get_f64(double *out, const stria_view *a, int ndim,
                                                    const int64_t *index);
STRIA_API STRIA_MUST_USE stria_status stria_get_c128(double out[2], const stria_view *a, int ndim,
                                                     const int64_t *index);

/*
 * Write one element; a[index] = value in NumPy and PyTorch. READONLY, DTYPE where the elements are
 * no numbers, OVERFLOW as above.
 */
STRIA_API STRIA_MUST_USE stria_status stria_set_bool(const stria_view *out, int ndim,
                                                     const int64_t *index, bool value);
STRIA_API STRIA_MUST_USE stria_status stria_set_i64(const stria_view *out, int ndim,
                                                    const int64_t *index, int64_t value);
STRIA_API STRIA_MUST_USE stria_status stria_set_u64(const stria_view *out, int ndim,
                                                    const int64_t *index, uint64_t value);
STRIA_API STRIA_MUST_USE stria_status stria_set_f64(const stria_view *out, int ndim,
                                                    const int64_t *index, double value);
STRIA_API STRIA_MUST_USE stria_status stria_set_c128(const stria_view *out, int ndim,
                                                     const int64_t *index, const double value[2]);

/*
 * Makes a read-only 0-d view of the C value at *value, whose dtype is fully that of kind, BOOL ..
 * C128 (c64 and c128 are two floats or doubles, f16 and smaller ones their bits);
 * numpy.asarray(value). *value is borrowed for as long as the view is used. stria_weak is the same
 * for a number that gives way in promotion. ARGUMENT for another kind and for NULL.
 */
STRIA_API STRIA_MUST_USE stria_status stria_scalar(stria_view *out, stria_kind kind,
                                                   const void *value);

#ifdef __cplusplus
}
#endif

#endif
