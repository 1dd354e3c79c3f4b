/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Views: plain values that describe memory and own nothing; here what they are, how they are made
 * and asked, and the ops everybody uses. axes.h, broadcast.h, complex.h, overlap.h, reinterpret.h,
 * split.h and window.h have the others. A view costs nanoseconds, allocates nothing and moves no
 * bytes. Copy it freely; it never changes after it was made and is valid for as long as the memory
 * it describes.
 *
 * Rules that hold for every function below
 * - out is written only on success; out may be the input itself.
 * - Strides and offsets are in BYTES, of any sign and value; sizes are in elements.
 * - dims count from 0; negative dims count from the end, as in PyTorch and NumPy.
 * - Views share the memory, the buffer and the rights of their input. Rights only ever shrink.
 * - No view reaches outside its buffer: sums and products of sizes, strides and offsets are
 * checked.
 * - Errors: DIM for a dim that is out of range or repeated, the others as named.
 * - Every function of the library that takes views refuses what is none before it does anything
 *   else: NULL, a cleared view ({0}, or after stria_array_release), another ndim than 0 .. 64 and
 *   elements without an address (ARGUMENT), a dtype whose kind, item size, byte order and record do
 *   not belong together (DTYPE). Functions that report no status answer 0, false or nothing where a
 *   view is NULL or has no such ndim. Shape, strides and addresses are taken on trust: only the
 *   functions of this library make views whose bounds were checked.
 */
#ifndef STRIA_VIEW_H
#define STRIA_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"
#include "dtype.h"
#include "geometry.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of stria_view.flags. */
enum {
    STRIA_READONLY = 1, /* no write through this view or any view made from it */
    STRIA_CONJ = 2,     /* the elements are the conjugates of what memory holds */
    STRIA_NEG = 4,      /* the elements are the negatives of what memory holds */
    STRIA_WEAK = 8      /* a scalar that gives way in promotion: stria_weak in elementwise.h */
};

/*
 * Bits 8 .. 15 of stria_view.flags are the class that a host language gives the view, 0 for none;
 * numpy.ndarray.view(type). Views and copies of a view inherit it. It changes the results of three
 * functions: stria_index and stria_index_arrays_new (MATRIX), and stria_view_field (RECARRAY);
 * stria_view_as_class brings the results of others into the form of their class. Values from 0x300
 * on are free for other libraries.
 */
enum {
    STRIA_CLASS_MASK = 0xff00,
    STRIA_CLASS_MATRIX = 0x100,  /* numpy.matrix: 2 dims */
    STRIA_CLASS_RECARRAY = 0x200 /* numpy.recarray */
};

typedef struct stria_view {
    char *data;           /* address of element [0, ..., 0] */
    stria_buffer *buffer; /* borrowed: bounds and rights of the memory; NULL for foreign memory */
    stria_dtype dtype;
    uint32_t flags;
    int32_t ndim;                    /* 0 .. STRIA_MAX_NDIM */
    int64_t shape[STRIA_MAX_NDIM];   /* only the first ndim entries are ever read or written */
    int64_t strides[STRIA_MAX_NDIM]; /* bytes; ignored where the size is 1 */
} stria_view;

/* ---- construction ------------------------------------------------------------------------- */

/*
 * Makes a view of buffer whose element [0, ..., 0] lies offset bytes from its start. strides NULL
 * means C order. numpy.ndarray(shape, dtype, buffer, offset, strides), with every bound checked:
 * SHAPE (negative size, ndim outside 0..64), OVERFLOW, BOUNDS (a reachable element lies outside),
 * DTYPE (kind, item size and byte order that do not belong together). A view of a read-only buffer
 * is read-only.
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_make(stria_view *out, stria_buffer *buffer,
                                                      stria_dtype dtype, int ndim,
                                                      const int64_t *shape, const int64_t *strides,
                                                      int64_t offset);

/*
 * Makes a view of foreign memory whose bounds only the caller knows; data is element [0, ..., 0].
 * Sizes and strides are checked for overflow. Views derived from it stay within its own extent.
 * flags: 0 or STRIA_READONLY.
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_foreign(stria_view *out, void *data,
                                                         stria_dtype dtype, int ndim,
                                                         const int64_t *shape,
                                                         const int64_t *strides, uint32_t flags);

/* Returns the same view without the right to write, which cannot be regained. */
STRIA_API STRIA_MUST_USE stria_status stria_view_readonly(stria_view *out, const stria_view *a);

/* ---- questions ---------------------------------------------------------------------------- */

STRIA_API int64_t stria_numel(const stria_view *a);  /* product of the sizes, 1 for 0 dims */
STRIA_API int64_t stria_nbytes(const stria_view *a); /* numel x item size, at most 2^63 - 1 */
/*
 * Returns the byte offset of element [0, ..., 0] from the start of the buffer; 0 for foreign
 * memory.
 */
STRIA_API int64_t stria_offset(const stria_view *a);
/*
 * Tells whether the view is dense in that order; sizes of 1 match any stride.
 * torch.Tensor.is_contiguous. A: dense in C or F order; K and PRESERVE: dense in any order of the
 * dims, torch's non-overlapping and dense.
 */
STRIA_API bool stria_is_contiguous(const stria_view *a, stria_order order);
/* Tells whether every element lies at a multiple of its alignment; numpy.ndarray.flags.aligned. */
STRIA_API bool stria_is_aligned(const stria_view *a);
/*
 * Computes the offset in items, as torch.Tensor.storage_offset() counts it. STRIDE when it is not a
 * whole number of items.
 */
STRIA_API STRIA_MUST_USE stria_status stria_storage_offset(int64_t *out, const stria_view *a);
/*
 * Views all of a's memory as bytes, torch.Tensor.untyped_storage(); of foreign memory, what a
 * covers.
 */
STRIA_API STRIA_MUST_USE stria_status stria_storage(stria_view *out, const stria_view *a);
/* Returns how many bytes of memory a keeps alive: its whole buffer; 0 for foreign memory. */
STRIA_API int64_t stria_retained_bytes(const stria_view *a);
/* Tells whether a is anything but the whole of its memory once, dense in some order of its dims. */
STRIA_API bool stria_is_view(const stria_view *a);
/* Tells whether a may be written: neither the view nor its buffer is read-only. */
STRIA_API bool stria_is_writable(const stria_view *a);
/* Tells whether memory, dtype, flags, shape, and strides where they matter are the same. */
STRIA_API bool stria_same_view(const stria_view *a, const stria_view *b);

/* ---- order of dims ------------------------------------------------------------------------ */

/* Permutes the dims: dim i of out is a's dim dims[i]; torch.permute, numpy.transpose. */
STRIA_API STRIA_MUST_USE stria_status stria_permute(stria_view *out, const stria_view *a, int count,
                                                    const int *dims);
/* Swaps two dims; torch.transpose, swapaxes. A 0-d view accepts dims 0 and -1. */
STRIA_API STRIA_MUST_USE stria_status stria_transpose(stria_view *out, const stria_view *a,
                                                      int dim0, int dim1);
/* Reverses the order of all dims; numpy.ndarray.T. */
STRIA_API STRIA_MUST_USE stria_status stria_reverse_dims(stria_view *out, const stria_view *a);
/* Swaps the last two dims; 0-d views stay, 1-d ones are refused (SHAPE); torch.Tensor.mT. */
STRIA_API STRIA_MUST_USE stria_status stria_matrix_transpose(stria_view *out, const stria_view *a);

/* ---- shape -------------------------------------------------------------------------------- */

/*
 * Views the same elements in C order under another shape; one size may be -1.
 * torch.Tensor.view(shape), numpy.reshape(copy=False). The call succeeds exactly when strides for
 * that shape exist; otherwise STRIDE, with the dims that cannot merge. SHAPE when the number of
 * elements differs.
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_shape(stria_view *out, const stria_view *a,
                                                       int ndim, const int64_t *shape);
/* Views a under the shape of b; torch.Tensor.view_as. out may be b. */
STRIA_API STRIA_MUST_USE stria_status stria_view_as(stria_view *out, const stria_view *a,
                                                    const stria_view *b);
/*
 * Does as stria_view_shape with the elements numbered in that order in both shapes: C, F, or A (F
 * when a is dense in F order only). numpy.reshape(order=, copy=False). ARGUMENT for another order.
 */
STRIA_API STRIA_MUST_USE stria_status stria_view_shape_order(stria_view *out, const stria_view *a,
                                                             int ndim, const int64_t *shape,
                                                             stria_order order);
/*
 * Views all elements, adjacent in memory and numbered in that order (C, F, A or K), as one dim.
 * numpy.ravel(order=), torch.ravel; STRIDE unless a is dense in that order.
 */
STRIA_API STRIA_MUST_USE stria_status stria_ravel(stria_view *out, const stria_view *a,
                                                  stria_order order);
/*
 * Merges dims start_dim .. end_dim (inclusive) into one; torch.flatten, refused (STRIDE) if it must
 * copy.
 */
STRIA_API STRIA_MUST_USE stria_status stria_flatten(stria_view *out, const stria_view *a,
                                                    int start_dim, int end_dim);
/* Splits dim into `count` sizes, of which one may be -1; torch.unflatten. */
STRIA_API STRIA_MUST_USE stria_status stria_unflatten(stria_view *out, const stria_view *a, int dim,
                                                      int count, const int64_t *sizes);
/* Drops every dim of size 1; torch.squeeze(). */
STRIA_API STRIA_MUST_USE stria_status stria_squeeze(stria_view *out, const stria_view *a);
/*
 * Drops the listed dims. If strict, another size than 1 is an error (SHAPE) as in numpy.squeeze;
 * otherwise such dims stay, as in torch.squeeze(dim).
 */
STRIA_API STRIA_MUST_USE stria_status stria_squeeze_dims(stria_view *out, const stria_view *a,
                                                         int count, const int *dims, bool strict);
/* Inserts a dim of size 1 before dim (-ndim-1 .. ndim); torch.unsqueeze, numpy.expand_dims. */
STRIA_API STRIA_MUST_USE stria_status stria_unsqueeze(stria_view *out, const stria_view *a,
                                                      int dim);

/* ---- indexing ----------------------------------------------------------------------------- */

/*
 * Computes a[items...] exactly as NumPy's basic indexing does; every result is a view, also one of
 * 0 dims. Steps may have either sign; an empty slice does not move the data pointer. INDEX: out of
 * bounds, a step of 0, too many items or two ellipses. If a is a matrix (STRIA_CLASS_MATRIX), a
 * result of 1 dim is a row, or a column where items[1] is an index, and one of 0 dims has no class,
 * as in numpy.matrix.
 */
STRIA_API STRIA_MUST_USE stria_status stria_index(stria_view *out, const stria_view *a, int count,
                                                  const stria_index_item *items);
/* Selects element `index` of dim, which is dropped; torch.select. INDEX outside -size .. size-1. */
STRIA_API STRIA_MUST_USE stria_status stria_select(stria_view *out, const stria_view *a, int dim,
                                                   int64_t index);
/* Takes start .. start+length of dim, which must lie inside it (INDEX); torch.narrow. */
STRIA_API STRIA_MUST_USE stria_status stria_narrow(stria_view *out, const stria_view *a, int dim,
                                                   int64_t start, int64_t length);
/*
 * Takes Python's start:stop:step of one dim, with STRIA_NONE where one is omitted; the step is not
 * 0 (INDEX).
 */
STRIA_API STRIA_MUST_USE stria_status stria_slice(stria_view *out, const stria_view *a, int dim,
                                                  int64_t start, int64_t stop, int64_t step);

#ifdef __cplusplus
}
#endif

#endif
