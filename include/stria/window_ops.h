/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows: what is computed of the elements around each element, and arrays that go on beyond their
 * edges. docs/windows.md shows them.
 *
 * Window. It has as many dims as a, which count says, and window[d] elements along dim d, 1 or more
 * (SHAPE). The result at index i is computed of the elements i - window / 2 .. of a, so that an odd
 * window lies around its element, as in scipy.ndimage.
 *
 * Edges. Beyond a lies what the mode says, by NumPy's names of numpy.pad; with STRIA_PAD_NONE there
 * is nothing: the window only goes where it fits (SHAPE where it fits nowhere), and out has
 * shape[d] - window[d] + 1 elements along dim d. With other modes it has the shape of a. value is a
 * 0-d view of what lies beyond with STRIA_PAD_CONSTANT, which has to cast to the dtype of the
 * result under same_kind rules; NULL means 0.
 *
 * Dtypes. Floats of 2 bytes are computed in f32 and rounded once, other floats as they are,
 * integers in 32 or 64 bits, and wrap. out may have any dtype to which the result casts under
 * same_kind rules.
 *
 * Any strides and alignment, lazy bits, either byte order. out may overlap a and the weights in any
 * way; with STRIA_NO_OVERLAP that is refused (OVERLAP). The bits are the same for any layout,
 * instruction set and number of threads. Memory is read once; blocks of it stay in the caches.
 *
 * Errors. Everything is checked before anything is written. ARGUMENT: NULL, what is no view, an
 * unknown mode or reduction, a bad exec. SHAPE, READONLY, OVERLAP: out. DTYPE. MEMORY: scratch.
 */
#ifndef STRIA_WINDOW_OPS_H
#define STRIA_WINDOW_OPS_H

#include "array.h"
#include "reduce.h"
#include "threads.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stria_pad_mode {
    STRIA_PAD_NONE = 0,
    STRIA_PAD_CONSTANT = 1,  /* value value | a b c d | value value */
    STRIA_PAD_EDGE = 2,      /*         a a | a b c d | d d */
    STRIA_PAD_REFLECT = 3,   /*         c b | a b c d | c b; scipy.ndimage calls it mirror */
    STRIA_PAD_SYMMETRIC = 4, /*         b a | a b c d | d c; scipy.ndimage calls it reflect */
    STRIA_PAD_WRAP = 5       /*         c d | a b c d | a b */
} stria_pad_mode;

#define STRIA_PAD_MODES 6 /* how many this header has; a newer library may have more */
/* Beyond the edges; NULL means all zeros, that is STRIA_PAD_NONE. */
typedef struct stria_window_options {
    stria_pad_mode mode;
    const stria_view *value; /* 0-d, with STRIA_PAD_CONSTANT; NULL: 0 */
    uint64_t reserved[2];    /* must be zero */
} stria_window_options;

/*
 * Copies a with before[d] elements in front of each dim d of `count`, all of them, and what out has
 * room for behind it; a negative number leaves elements out. Converts as stria_copy does. Any
 * dtype. numpy.pad, torch.nn.functional.pad. SHAPE: another number of dims, an edge of no elements
 * that goes on. options NULL: zeros.
 */
STRIA_API STRIA_MUST_USE stria_status stria_pad(const stria_view *out, const stria_view *a,
                                                int count, const int64_t *before,
                                                const stria_window_options *options,
                                                const stria_exec *exec);
/* Does the same into a new array with after[d] elements behind dim d. OVERFLOW. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_pad_new(stria_array *out, const stria_view *a, int count, const int64_t *before,
              const int64_t *after, const stria_window_options *options, const stria_exec *exec);

/*
 * Computes the sums of the elements in a window of the shape of weights, each times its weight,
 * added in C order of the weights. Weights of 0 are skipped: what lies there does not count, not
 * even NaN. The dtype is that of a * weights; weights are real numbers. scipy.ndimage.correlate,
 * numpy.correlate. Stencils of differential equations, FIR filters and blurs are such sums.
 */
STRIA_API STRIA_MUST_USE stria_status stria_correlate(const stria_view *out, const stria_view *a,
                                                      const stria_view *weights,
                                                      const stria_window_options *options,
                                                      const stria_exec *exec);
/* Does the same into a new array. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status
stria_correlate_new(stria_array *out, const stria_view *a, const stria_view *weights,
                    const stria_window_options *options, const stria_exec *exec);

/*
 * Computes the sum, mean, maximum or minimum (op: STRIA_SUM, STRIA_MEAN, STRIA_MAX, STRIA_MIN) of
 * the elements in each window, in one dim after the other, the last one first. Sums and means have
 * the dtype of a, means of integers f64; NaN wins in maxima and minima. The time for a maximum
 * grows with the logarithm of the window. scipy.ndimage.uniform_filter, maximum_filter and
 * minimum_filter; torch.nn.functional.avg_pool2d and max_pool2d with a stride of 1.
 */
STRIA_API STRIA_MUST_USE stria_status stria_window_reduce(const stria_view *out, stria_reduction op,
                                                          const stria_view *a, int count,
                                                          const int64_t *window,
                                                          const stria_window_options *options,
                                                          const stria_exec *exec);
/* Does the same into a new array. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_window_reduce_new(
    stria_array *out, stria_reduction op, const stria_view *a, int count, const int64_t *window,
    const stria_window_options *options, const stria_exec *exec);

/* ---- convolutions --------------------------------------------------------------------------- */

/* How windows go over images; NULL means all zeros. */
typedef struct stria_conv_options {
    int count;             /* numbers in each list: one for all dims of a window, or one for each */
    const int64_t *stride; /* steps from window to window; NULL: 1 */
    const int64_t *padding;  /* zeros before and behind each dim; NULL: none */
    const int64_t *dilation; /* steps from element to element in a window; NULL: 1 */
    int64_t groups;          /* of channels, each with weights of its own; 0: one */
    const stria_view *bias;  /* what is added to each channel of the result; NULL: nothing */
    uint64_t reserved[2];    /* must be zero */
} stria_conv_options;

/*
 * Correlates images (images, channels, 1 to 5 dims) with weights (channels of the result, channels
 * of a group, dims of a window): each element is the sum of a window of all channels of its group,
 * times weights. Without the dim of images a is one image, and so is out. It is a contraction of
 * contract.h, with its dtypes, bits, threads and errors; windows are not copied as a whole.
 * torch.nn.functional.conv1d, conv2d, conv3d. SHAPE: channels that do not fit together, a window
 * that does not fit, another number of options; ARGUMENT: an option that is too small.
 */
STRIA_API STRIA_MUST_USE stria_status stria_conv(const stria_view *out, const stria_view *a,
                                                 const stria_view *weights,
                                                 const stria_conv_options *options,
                                                 const stria_exec *exec);
/* Does the same into a new array. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_conv_new(stria_array *out,
                                                                 const stria_view *a,
                                                                 const stria_view *weights,
                                                                 const stria_conv_options *options,
                                                                 const stria_exec *exec);

/* Which places of the shorter line there are along the longer one; NumPy's names. */
typedef enum stria_convolve_mode {
    STRIA_CONVOLVE_FULL = 0,  /* all where they have an element in common */
    STRIA_CONVOLVE_SAME = 1,  /* as many as the longer one has elements, in the middle */
    STRIA_CONVOLVE_VALID = 2, /* those where the shorter one lies within the longer one */
} stria_convolve_mode;

#define STRIA_CONVOLVE_MODES 3 /* how many this header has; a newer library may have more */

/*
 * Convolves two lines of one dim, of numbers, complex ones too: element k of the whole is the sum
 * of a[i] * b[k - i]. It is stria_correlate with the shorter line reversed, so that zeros in it do
 * not count. numpy.convolve. SHAPE: another number of dims, no elements.
 */
STRIA_API STRIA_MUST_USE stria_status stria_convolve(const stria_view *out, const stria_view *a,
                                                     const stria_view *b, stria_convolve_mode mode,
                                                     const stria_exec *exec);
/* Does the same into a new array. */
STRIA_API STRIA_MUST_USE STRIA_FILLS stria_status stria_convolve_new(stria_array *out,
                                                                     const stria_view *a,
                                                                     const stria_view *b,
                                                                     stria_convolve_mode mode,
                                                                     const stria_exec *exec);

#ifdef __cplusplus
}
#endif

#endif
