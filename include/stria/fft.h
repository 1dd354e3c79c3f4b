/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms of views of any layout, along any dims, of any length. They are functions of
 * libstria_linalg, which a program links beside libstria (-lstria_linalg); calls by name and text
 * load it.
 *
 * Dtypes. f32, c64 and narrower floats are transformed in f32, everything else in f64; integers and
 * bools in f32, or in f64 with STRIA_PROMOTE_AS_NUMPY in exec->hints. out may be of any dtype to
 * which the result may be cast under STRIA_CAST_SAME_KIND. Real transforms refuse complex input.
 *
 * Bits. A line has the same bits on every instruction set, for every layout, alone or among others,
 * and for any number of threads; NaNs have any payload. Errors grow with the square root of the
 * logarithm of the length: some 2e-16 of the root mean square for 1000 elements in f64.
 *
 * Lengths. Those of factors up to 61 are transformed directly, best those of 2, 3 and 5; others as
 * a convolution of two to four times the length. Tables of up to 16 lengths are kept, 16 MiB of
 * them, until stria_fft_forget.
 *
 * FFTW. Where the environment has STRIA_FFT=fftw, or the file of FFTW's library for f64 there, FFTW
 * is loaded and computes the lines, with its own bits and errors; calls are UNSUPPORTED where it
 * cannot be. Precisions that it lacks are computed here.
 *
 * out may overlap a; a lazy conj or neg bit and either byte order are fine. Errors, before anything
 * is written: ARGUMENT, SHAPE (a length below 1, or out's shape), DIM, DTYPE, READONLY, OVERLAP,
 * MEMORY.
 */
#ifndef STRIA_FFT_H
#define STRIA_FFT_H

#include "array.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* By what results are multiplied, where n is the length, or the product of lengths. */
typedef enum stria_fft_norm {
    STRIA_FFT_BACKWARD = 0, /* inverse transforms by 1 / n */
    STRIA_FFT_ORTHO = 1,    /* all by 1 / sqrt(n) */
    STRIA_FFT_FORWARD = 2   /* others by 1 / n */
} stria_fft_norm;

/*
 * NULL, or all zero, is a transform of the last dim as it is. `count` dims are transformed, at
 * most once each, STRIA_ALL_DIMS for all; where dims is NULL the last ones. sizes, unless it is
 * NULL, are the lengths of the transforms: lines are cut, or zeros added; -1 leaves one as it is.
 * In real transforms the last dim of the list is the one of which a half is kept.
 */
typedef struct stria_fft_options {
    int count;
    const int *dims;
    const int64_t *sizes;
    stria_fft_norm norm;
    uint64_t reserved[2]; /* must be zero */
} stria_fft_options;

/* The sums of a[j] exp(-2 pi i j k / n), and with + in the exponent. numpy.fft.fftn, torch.fft.fftn
 * and so on. */
STRIA_API STRIA_MUST_USE stria_status stria_fft(const stria_view *out, const stria_view *a,
                                                const stria_fft_options *options,
                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_ifft(const stria_view *out, const stria_view *a,
                                                 const stria_fft_options *options,
                                                 const stria_exec *exec);
/* Transforms real numbers: n / 2 + 1 results, since the others are conjugates of these. */
STRIA_API STRIA_MUST_USE stria_status stria_rfft(const stria_view *out, const stria_view *a,
                                                 const stria_fft_options *options,
                                                 const stria_exec *exec);
/* The inverse: n real numbers of n / 2 + 1 complex ones, where n is 2 (a's size - 1) by default. */
STRIA_API STRIA_MUST_USE stria_status stria_irfft(const stria_view *out, const stria_view *a,
                                                  const stria_fft_options *options,
                                                  const stria_exec *exec);
/* Transforms a signal whose spectrum is real, and the inverse: irfft of conj(a) and conj of rfft,
 * with the norms of the other direction. */
STRIA_API STRIA_MUST_USE stria_status stria_hfft(const stria_view *out, const stria_view *a,
                                                 const stria_fft_options *options,
                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE stria_status stria_ihfft(const stria_view *out, const stria_view *a,
                                                  const stria_fft_options *options,
                                                  const stria_exec *exec);

/* Do the same into a new array in C order, without memory where a lies in a meta buffer. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_fft_new(stria_array *out,
                                                                const stria_view *a,
                                                                const stria_fft_options *options,
                                                                const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_ifft_new(stria_array *out,
                                                                 const stria_view *a,
                                                                 const stria_fft_options *options,
                                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_rfft_new(stria_array *out,
                                                                 const stria_view *a,
                                                                 const stria_fft_options *options,
                                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_irfft_new(stria_array *out,
                                                                  const stria_view *a,
                                                                  const stria_fft_options *options,
                                                                  const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_hfft_new(stria_array *out,
                                                                 const stria_view *a,
                                                                 const stria_fft_options *options,
                                                                 const stria_exec *exec);
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_ihfft_new(stria_array *out,
                                                                  const stria_view *a,
                                                                  const stria_fft_options *options,
                                                                  const stria_exec *exec);

/* Says what computes transforms: "stria", or the FFTW that STRIA_FFT names. */
STRIA_API STRIA_MUST_USE stria_status stria_fft_describe(char *text, size_t size, size_t *length);

/* Gives back the tables that are kept and that no call uses. */
STRIA_API void stria_fft_forget(void);

#ifdef __cplusplus
}
#endif

#endif
