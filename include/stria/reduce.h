/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions: the elements of a along some of its dims combined into one. What holds for all of
 * them stands here; what each one computes stands at its function. docs/reductions.md has the order
 * of sums and what differs from the peers.
 *
 * Dims. `count` of them, in any order, negative ones from the end, each at most once; none reduce
 * nothing, and STRIA_ALL_DIMS in the place of their number all, when dims is not read. A 0-d view
 * has dims 0 and -1. numpy's axis=None, an int or a tuple; torch's dim=.
 *
 * Shapes. out has the dims of a that are not reduced, or all of them with size 1 where they are
 * reduced (keepdims). It is never broadcast. Any strides and alignment of a, lazy conj and neg
 * bits, either byte order; where a view lies in a meta buffer everything is checked and nothing is
 * computed.
 *
 * Dtypes. What a reduction gives is told by stria_reduction_dtype; out may be of any dtype to which
 * that may be cast under STRIA_CAST_SAME_KIND. Floats are combined in f64 and rounded once, to
 * out's dtype; integers are combined in 64 bits and wrap.
 *
 * Results have the same bits for any strides of a and out, on every instruction set, for any number
 * of threads, and for a row alone as for the same row of a matrix, except for the sign and payload
 * of NaN: the order in which elements are combined is a function of their number alone.
 *
 * Aliasing. out may overlap a in any way: the result is as if a had been copied first. With
 * STRIA_NO_OVERLAP in exec->hints that is refused (OVERLAP). No two elements of out may share a
 * byte.
 *
 * Errors. Everything is checked before anything is written. ARGUMENT: NULL, what is no view, an
 * unknown reduction, a bad exec. DIM: dims. SHAPE: out's, and elements of a maximum or minimum of
 * which there are none. READONLY, OVERLAP (out with itself): out. DTYPE: there is no such
 * reduction, or its result may not be cast. MEMORY: a temporary for overlapping operands.
 */
#ifndef STRIA_REDUCE_H
#define STRIA_REDUCE_H

#include "array.h"
#include "promote.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The reductions, one row each: NAME(constant, name, option). stria_NAME has a parameter more where
 * the option is not plain: ddof or p. The constant is its number, for stria_reduce_dims.
 */
#define STRIA_REDUCTION_LIST(NAME)                                                                 \
    NAME(STRIA_SUM, sum, plain)                                                                    \
    NAME(STRIA_PROD, prod, plain)                                                                  \
    NAME(STRIA_MEAN, mean, plain)                                                                  \
    NAME(STRIA_VAR, var, ddof)                                                                     \
    NAME(STRIA_STD, std, ddof)                                                                     \
    NAME(STRIA_MAX, max, plain)                                                                    \
    NAME(STRIA_MIN, min, plain)                                                                    \
    NAME(STRIA_ARGMAX, argmax, plain)                                                              \
    NAME(STRIA_ARGMIN, argmin, plain)                                                              \
    NAME(STRIA_ALL, all, plain)                                                                    \
    NAME(STRIA_ANY, any, plain)                                                                    \
    NAME(STRIA_COUNT_NONZERO, count_nonzero, plain)                                                \
    NAME(STRIA_BITS_AND, bits_and, plain)                                                          \
    NAME(STRIA_BITS_OR, bits_or, plain)                                                            \
    NAME(STRIA_BITS_XOR, bits_xor, plain)                                                          \
    NAME(STRIA_PTP, ptp, plain)                                                                    \
    NAME(STRIA_NORM, norm, p)                                                                      \
    NAME(STRIA_LOGSUMEXP, logsumexp, plain)                                                        \
    NAME(STRIA_NANSUM, nansum, plain)                                                              \
    NAME(STRIA_NANPROD, nanprod, plain)                                                            \
    NAME(STRIA_NANMEAN, nanmean, plain)                                                            \
    NAME(STRIA_NANVAR, nanvar, ddof)                                                               \
    NAME(STRIA_NANSTD, nanstd, ddof)                                                               \
    NAME(STRIA_NANMAX, nanmax, plain)                                                              \
    NAME(STRIA_NANMIN, nanmin, plain)

typedef enum stria_reduction {
    STRIA_SUM = 0,
    STRIA_PROD = 1,
    STRIA_MEAN = 2,
    STRIA_VAR = 3,
    STRIA_STD = 4,
    STRIA_MAX = 5,
    STRIA_MIN = 6,
    STRIA_ARGMAX = 7,
    STRIA_ARGMIN = 8,
    STRIA_ALL = 9,
    STRIA_ANY = 10,
    STRIA_COUNT_NONZERO = 11,
    STRIA_BITS_AND = 12,
    STRIA_BITS_OR = 13,
    STRIA_BITS_XOR = 14,
    STRIA_PTP = 15,
    STRIA_NORM = 16,
    STRIA_LOGSUMEXP = 17,
    STRIA_NANSUM = 18,
    STRIA_NANPROD = 19,
    STRIA_NANMEAN = 20,
    STRIA_NANVAR = 21,
    STRIA_NANSTD = 22,
    STRIA_NANMAX = 23,
    STRIA_NANMIN = 24
} stria_reduction;

#define STRIA_REDUCTIONS    25 /* how many this header has; a newer library may have more */
#define STRIA_ONE_MORE(...) +1
STRIA_ASSERT(each_reduction_has_a_number,
             STRIA_REDUCTIONS == 0 STRIA_REDUCTION_LIST(STRIA_ONE_MORE));
#undef STRIA_ONE_MORE

enum { STRIA_ALL_DIMS = -1 };

/*
 * Options of a reduction; NULL means all zeros. Views are borrowed for the call.
 *
 * mask: of bool, broadcasts to a; elements where it is false do not count, and may be
 * anything. An all-true mask changes no bit. maximum, minimum and ptp want an initial with it;
 * argmax and argmin take none (ARGUMENT). numpy's where=.
 *
 * initial: a 0-d view, weak or not, of what a sum, product, maximum or minimum begins with: it is
 * combined with the result before that is rounded to out's dtype. It must cast to the result's
 * dtype under same_kind rules, and an integer fit (ARGUMENT); a weak integer must only fit. A
 * maximum of no elements is it.
 *
 * dtype: what elements are cast to first, as stria_copy does, and the dtype of the result; of sums,
 * products, means, var, std and their nan-skipping kin, the last ones floats (DTYPE). numpy's and
 * torch's dtype=.
 */
typedef struct stria_reduce_options {
    bool keepdims; /* reduced dims of a new array stay, with size 1 */
    double ddof;   /* var and std divide the squares by the number of elements less this */
    double p;      /* the ord of norm */
    const stria_view *mask, *initial; /* NULL: none */
    const stria_dtype *dtype;         /* NULL: the usual one */
    uint64_t reserved[2];             /* must be zero */
} stria_reduce_options;

/* Returns how many reductions there are; they are numbered from 0. */
STRIA_API int stria_reduction_count(void);
/* The name of a reduction ("sum", "count_nonzero", ...): static text; NULL for an unknown one. */
STRIA_API const char *stria_reduction_name(stria_reduction op);

/* ---- reductions ----------------------------------------------------------------------------- */

/*
 * Sums; torch.sum, numpy.sum. Floats of every size are added in f64 by a tree of fixed shape, so
 * that the error is below that of one rounding of out's dtype unless terms cancel; for f64 it grows
 * with the logarithm of their number. Bool and integers give i64, by NumPy's rule
 * (STRIA_PROMOTE_AS_NUMPY) u64 where they are unsigned. Of no elements +0, which also is the sum of
 * negative zeros. Complex numbers are summed by parts.
 */
STRIA_API STRIA_MUST_USE stria_status stria_sum(const stria_view *out, const stria_view *a,
                                                int count, const int *dims, const stria_exec *exec);
/*
 * Products, in the same order and dtypes; torch.prod, numpy.prod. Of no elements 1. Those of
 * complex numbers are made in c128, each as stria_multiply makes it.
 */
STRIA_API STRIA_MUST_USE stria_status stria_prod(const stria_view *out, const stria_view *a,
                                                 int count, const int *dims,
                                                 const stria_exec *exec);
/*
 * Means: the sum in f64, divided by the number of elements, then rounded to out's dtype;
 * torch.mean, numpy.mean. Of bool and integers, which are added in f64 here, f64. Of no elements
 * NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_mean(const stria_view *out, const stria_view *a,
                                                 int count, const int *dims,
                                                 const stria_exec *exec);
/*
 * Variances and standard deviations: the mean of the squares of the deviations from the mean,
 * divided by the number of elements less ddof, 0 or more (ARGUMENT). Never negative, and NaN where
 * that number is not above 0. numpy.var and std, whose default is 0; torch.var and std, whose
 * default, a correction, is 1. Dtypes as those of the mean. The elements are visited twice. The
 * variance of complex numbers is real, that of their real parts and that of their imaginary parts
 * together.
 */
STRIA_API STRIA_MUST_USE stria_status stria_var(const stria_view *out, const stria_view *a,
                                                int count, const int *dims, double ddof,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_std(const stria_view *out, const stria_view *a,
                                                int count, const int *dims, double ddof,
                                                const stria_exec *exec);
/*
 * Maxima and minima; torch.amax and amin, numpy.max and min. NaN where an element is NaN, and -0 is
 * below +0. Of no elements refused (SHAPE). Complex numbers are refused (DTYPE): they have no
 * order.
 */
STRIA_API STRIA_MUST_USE stria_status stria_max(const stria_view *out, const stria_view *a,
                                                int count, const int *dims, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_min(const stria_view *out, const stria_view *a,
                                                int count, const int *dims, const stria_exec *exec);
/*
 * Finds where the first maximum or minimum is: an i64 that counts the reduced elements in C order
 * of the reduced dims, along one dim its index; torch.argmax and argmin, numpy.argmax and argmin,
 * which take one dim or all. The first NaN where there is one; -0 and +0 are equal. Of no elements
 * refused (SHAPE); complex numbers are refused (DTYPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_argmax(const stria_view *out, const stria_view *a,
                                                   int count, const int *dims,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_argmin(const stria_view *out, const stria_view *a,
                                                   int count, const int *dims,
                                                   const stria_exec *exec);
/*
 * Tells whether all elements, or any, are not zero: a bool; torch.all and any, numpy.all and any.
 * NaN is not zero, and neither is a complex number with a part that is not. Elements after the one
 * that decides are read only as far as its block goes. Of no elements true, and false.
 */
STRIA_API STRIA_MUST_USE stria_status stria_all(const stria_view *out, const stria_view *a,
                                                int count, const int *dims, const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_any(const stria_view *out, const stria_view *a,
                                                int count, const int *dims, const stria_exec *exec);
/* Counts the elements that are not zero: an i64; torch.count_nonzero, numpy.count_nonzero. */
STRIA_API STRIA_MUST_USE stria_status stria_count_nonzero(const stria_view *out,
                                                          const stria_view *a, int count,
                                                          const int *dims, const stria_exec *exec);

/*
 * The bits of integers or bools combined by and, or, exclusive or; numpy.bitwise_and.reduce and so
 * on. Dtype as a's. Of no elements all bits set (true), and 0. Floats are refused (DTYPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_bits_and(const stria_view *out, const stria_view *a,
                                                     int count, const int *dims,
                                                     const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_bits_or(const stria_view *out, const stria_view *a,
                                                    int count, const int *dims,
                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_bits_xor(const stria_view *out, const stria_view *a,
                                                     int count, const int *dims,
                                                     const stria_exec *exec);
/*
 * The largest less the smallest element, in a's dtype: signed integers wrap; numpy.ptp. NaN where
 * an element is. Of no elements refused (SHAPE), of bool too (DTYPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_ptp(const stria_view *out, const stria_view *a,
                                                int count, const int *dims, const stria_exec *exec);
/*
 * Norms of vectors: p = 2 the root of the sum of squares, 1 the sum of magnitudes, inf and -inf the
 * largest and smallest magnitude, 0 how many elements are not zero, else sum(|x|**p)**(1/p);
 * torch.linalg.vector_norm, numpy.linalg.norm. In f64, rounded once; no square overflows where the
 * norm does not. Dtype as of means, of complex numbers real. Of no elements 0; with p = inf and
 * -inf refused (SHAPE).
 */
STRIA_API STRIA_MUST_USE stria_status stria_norm(const stria_view *out, const stria_view *a,
                                                 int count, const int *dims, double p,
                                                 const stria_exec *exec);
/*
 * log(sum(exp(a))) in f64 or c128 without overflow; torch.logsumexp, scipy.special.logsumexp. Dtype
 * as of means. Of no elements -inf. Of complex numbers the angle is one from -pi to pi.
 */
STRIA_API STRIA_MUST_USE stria_status stria_logsumexp(const stria_view *out, const stria_view *a,
                                                      int count, const int *dims,
                                                      const stria_exec *exec);
/*
 * Reduces without the NaN among the elements; numpy.nansum and so on, torch.nansum, nanmean. Where
 * all are NaN the sum is 0, the product 1, the others NaN. Integers have none; of complex numbers,
 * which have no maxima and minima (DTYPE), those are left out of which either part is NaN.
 */
STRIA_API STRIA_MUST_USE stria_status stria_nansum(const stria_view *out, const stria_view *a,
                                                   int count, const int *dims,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_nanprod(const stria_view *out, const stria_view *a,
                                                    int count, const int *dims,
                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_nanmean(const stria_view *out, const stria_view *a,
                                                    int count, const int *dims,
                                                    const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_nanvar(const stria_view *out, const stria_view *a,
                                                   int count, const int *dims, double ddof,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_nanstd(const stria_view *out, const stria_view *a,
                                                   int count, const int *dims, double ddof,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_nanmax(const stria_view *out, const stria_view *a,
                                                   int count, const int *dims,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_nanmin(const stria_view *out, const stria_view *a,
                                                   int count, const int *dims,
                                                   const stria_exec *exec);

/*
 * Into new arrays by name, as stria_reduce_dims_new makes them: stria_sum_new(&out, &a, count,
 * dims, keepdims, exec) and so on; ddof and p stand before keepdims. They are made from the rows
 * above.
 */
#define STRIA_NEW_plain
#define STRIA_NEW_ddof double ddof,
#define STRIA_NEW_p    double p,
#define STRIA_REDUCTION_NEW(constant, name, option)                                                \
    STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_##name##_new(                          \
        stria_array *out, const stria_view *a, int count, const int *dims,                         \
        STRIA_NEW_##option bool keepdims, const stria_exec *exec);
STRIA_REDUCTION_LIST(STRIA_REDUCTION_NEW)
#undef STRIA_REDUCTION_NEW
#undef STRIA_NEW_plain
#undef STRIA_NEW_ddof
#undef STRIA_NEW_p

/* ---- of two arrays, and two of one ----------------------------------------------------------- */

/*
 * Dot products along dims of the shape to which a and b broadcast: sum(conj(a) * b);
 * torch.linalg.vecdot, numpy.vecdot. Products of floats are made and added in f64, those of
 * integers in 64 bits, where they wrap; of bools it is whether any pair is true. The result has the
 * dtype to which a and b promote. OVERLAP is as elsewhere; BROADCAST: shapes.
 */
STRIA_API STRIA_MUST_USE stria_status stria_vecdot(const stria_view *out, const stria_view *a,
                                                   const stria_view *b, int count, const int *dims,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_vecdot_new(stria_array *out,
                                                                   const stria_view *a,
                                                                   const stria_view *b, int count,
                                                                   const int *dims, bool keepdims,
                                                                   const stria_exec *exec);
/*
 * Weighted means: sum(a * weights) / sum(weights), in f64; numpy.average. weights broadcast to a
 * (BROADCAST). The dtype is that of a mean of what a and weights promote to. Where weights sum to 0
 * it is what the division gives, NaN or an infinity; numpy refuses that.
 */
STRIA_API STRIA_MUST_USE stria_status stria_average(const stria_view *out, const stria_view *a,
                                                    const stria_view *weights, int count,
                                                    const int *dims, const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_average_new(stria_array *out, const stria_view *a, const stria_view *weights, int count,
                  const int *dims, bool keepdims, const stria_exec *exec);
/*
 * Computes both in one pass over a, with the bits of each; torch.aminmax, var_mean (as with a
 * variance alone, more elements of one output than the caches hold are read twice). Nothing is
 * written unless both can be. The two outputs share no byte (OVERLAP).
 */
STRIA_API STRIA_MUST_USE stria_status stria_minmax(const stria_view *out_least,
                                                   const stria_view *out_most, const stria_view *a,
                                                   int count, const int *dims,
                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_mean_var(const stria_view *out_mean,
                                                     const stria_view *out_var, const stria_view *a,
                                                     int count, const int *dims, double ddof,
                                                     const stria_exec *exec);

/* Do the same into new arrays, both or none. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_minmax_new(stria_array *out_least,
                                                                   stria_array *out_most,
                                                                   const stria_view *a, int count,
                                                                   const int *dims, bool keepdims,
                                                                   const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_mean_var_new(stria_array *out_mean, stria_array *out_var, const stria_view *a, int count,
                   const int *dims, double ddof, bool keepdims, const stria_exec *exec);

/* ---- any reduction -------------------------------------------------------------------------- */

/* The call by number; options may be NULL. */
STRIA_API STRIA_MUST_USE stria_status stria_reduce_dims(const stria_view *out, stria_reduction op,
                                                        const stria_view *a, int count,
                                                        const int *dims,
                                                        const stria_reduce_options *options,
                                                        const stria_exec *exec);
/*
 * Into a new array in C order, of the dtype that stria_reduction_dtype tells; keepdims: reduced
 * dims stay, with size 1. Without memory where a lies in a meta buffer. *out is owned by the caller
 * and written only on success. MEMORY.
 */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_reduce_dims_new(stria_array *out, stria_reduction op, const stria_view *a, int count,
                      const int *dims, const stria_reduce_options *options, const stria_exec *exec);
/*
 * Tells how stria_reduce_dims would run, as "rows in place, 256 x 4096 elements at a time, 1
 * thread", for people to read; it changes with versions and machines and is empty where nothing is
 * computed. text receives at most size bytes, terminated. Errors as those of stria_reduce_dims;
 * ARGUMENT too where text is NULL or size is 0.
 */
STRIA_API STRIA_MUST_USE stria_status
stria_reduce_dims_explain(char *text, size_t size, size_t *length, const stria_view *out,
                          stria_reduction op, const stria_view *a, int count, const int *dims,
                          const stria_reduce_options *options, const stria_exec *exec);
/*
 * The dtype of a reduction's result, in native byte order. ARGUMENT for an unknown reduction or
 * rule, DTYPE where there is none.
 */
STRIA_API STRIA_MUST_USE stria_status stria_reduction_dtype(stria_dtype *out, stria_reduction op,
                                                            stria_dtype dtype,
                                                            stria_promotion rule);

/* ---- the trace ------------------------------------------------------------------------------ */

/*
 * Computes the sum of the main diagonal of a 2-d view, as stria_sum does, into a view of 0 dims or
 * as a new array, owned by the caller: i64 of bool and integers, else a's dtype in native byte
 * order. torch.trace. SHAPE when a does not have 2 dims, DTYPE for strings, void and records,
 * MEMORY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_trace(const stria_view *out, const stria_view *a,
                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_trace_new(stria_array *out,
                                                                  const stria_view *a,
                                                                  const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
