/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fortran's arrays as views, and views as Fortran's pointers: what a C function needs that is
 * called with assumed-shape or assumed-rank arguments (Fortran 2018, bind(C)). A descriptor has the
 * shape and the strides in bytes, of either sign, so that sections, components and transposed
 * actual arguments are views without a copy. Dim i of a view is dim i + 1 of the Fortran array, the
 * first one being dense: a Fortran array is a view in F order.
 *
 * This header is not part of stria.h. It includes the ISO_Fortran_binding header, which each
 * compiler for Fortran has in a form of its own: compile what includes it for the compiler that
 * calls it. The functions are inline and need the library, and that of the Fortran compiler for
 * stria_fortran_allocate alone. bindings/fortran/ has the module `stria` for programs in Fortran.
 */
#ifndef STRIA_FORTRAN_H
#define STRIA_FORTRAN_H

#include <ISO_Fortran_binding.h>

#include "view.h"

/* Casts are C's in here, also for compilers of C++ that are asked to warn of them. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Computes the dtype of a descriptor's elements: integers and reals by their bytes, complex,
 * logical(c_bool), character(n) as bytes, derived types as void of their size. DTYPE for what has
 * no dtype: logical of more than one byte, real(10), real(16), character(kind=4), pointers in C.
 */
static inline stria_status stria_fortran_dtype(stria_dtype *out, const CFI_cdesc_t *array)
{
    const CFI_type_t type = array->type;
    static const struct {
        CFI_type_t type;
        uint8_t kind, itemsize;
    } plain[] = {
        {CFI_type_double, STRIA_F64, 8},
        {CFI_type_float, STRIA_F32, 4},
        {CFI_type_int32_t, STRIA_I32, 4},
        {CFI_type_int64_t, STRIA_I64, 8},
        {CFI_type_double_Complex, STRIA_C128, 16},
        {CFI_type_float_Complex, STRIA_C64, 8},
        {CFI_type_int8_t, STRIA_I8, 1},
        {CFI_type_int16_t, STRIA_I16, 2},
        {CFI_type_Bool, STRIA_BOOL, 1},
    };
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (type == plain[i].type && array->elem_len == plain[i].itemsize) {
            *out = stria_dtype_of((stria_kind)plain[i].kind);
            return STRIA_OK;
        }
    }
    if (type == CFI_type_char || type == CFI_type_struct) {
        return stria_dtype_sized(out, type == CFI_type_char ? STRIA_BYTES : STRIA_VOID,
                                 (int64_t)array->elem_len);
    }
    return stria_fail(
        STRIA_ERR_DTYPE,
        "elements of Fortran's type code %d with %zu bytes have no dtype; of logicals "
        "logical(c_bool) has one",
        (int)type, array->elem_len);
}

/*
 * Makes a view of the array that a descriptor describes. flags is STRIA_READONLY for arguments that
 * are intent(in), else 0. The view borrows the array's memory and is valid as long as the
 * descriptor's array is. ARGUMENT: NULL, an array that is not allocated or a pointer that is not
 * associated; SHAPE: an array of assumed size, a(n, *), whose last extent nobody knows; DTYPE.
 */
static inline stria_status stria_view_fortran(stria_view *out, const CFI_cdesc_t *array,
                                              uint32_t flags)
{
    stria_dtype dtype;
    if (!array) return stria_fail(STRIA_ERR_ARGUMENT, "no array: an argument is absent");
    if (!array->base_addr) { /* the rest of the descriptor means nothing then */
        return stria_fail(STRIA_ERR_ARGUMENT,
                          "the array is not allocated, or the pointer not associated");
    }
    const stria_status status = stria_fortran_dtype(&dtype, array);
    if (status != STRIA_OK) return status;
    for (int i = 0; i < array->rank; i++) {
        if (array->dim[i].extent < 0) {
            return stria_fail(STRIA_ERR_SHAPE,
                              "dim %d of %d is of assumed size, (*), and its extent unknown", i + 1,
                              (int)array->rank);
        }
    }
    /* Elements that a compiler describes lie in memory, so that nothing overflows. */
    out->data = (char *)array->base_addr;
    out->buffer = NULL;
    out->dtype = dtype;
    out->flags = flags;
    out->ndim = array->rank;
    for (int i = 0; i < array->rank; i++) {
        out->shape[i] = array->dim[i].extent;
        out->strides[i] = array->dim[i].sm;
    }
    return STRIA_OK;
}

/* Returns Fortran's type code of a dtype, CFI_type_other for those that Fortran lacks. */
static inline CFI_type_t stria_fortran_type(stria_dtype dtype)
{
    switch ((stria_kind)dtype.kind) {
    case STRIA_BOOL: return CFI_type_Bool;
    case STRIA_I8: return CFI_type_int8_t;
    case STRIA_I16: return CFI_type_int16_t;
    case STRIA_I32: return CFI_type_int32_t;
    case STRIA_I64: return CFI_type_int64_t;
    case STRIA_F32: return CFI_type_float;
    case STRIA_F64: return CFI_type_double;
    case STRIA_C64: return CFI_type_float_Complex;
    case STRIA_C128: return CFI_type_double_Complex;
    case STRIA_BYTES: return CFI_type_char;
    case STRIA_VOID: return CFI_type_struct;
    default: return CFI_type_other;
    }
}

/*
 * Lets a Fortran pointer, which out describes, point at a view, without a copy: for dummy arguments
 * that are pointers of the view's rank, type and size of an element: the length of characters and
 * the bytes of a derived type are compared. Lower bounds are 1. The pointer may write what it
 * points at. DTYPE: another type or size, or one that Fortran lacks, also unsigned, byte-swapped,
 * conj and neg; SHAPE: another rank; READONLY; STRIDE: of gfortran, one that is no whole number of
 * items.
 */
static inline stria_status stria_fortran_point(CFI_cdesc_t *out, const stria_view *a)
{
    if (!out || !a || out->attribute != CFI_attribute_pointer) {
        return stria_fail(STRIA_ERR_ARGUMENT, "a view and a pointer are needed");
    }
    if (out->rank != a->ndim) {
        return stria_fail(STRIA_ERR_SHAPE, "a pointer of rank %d cannot point at a view of %d dims",
                          (int)out->rank, (int)a->ndim);
    }
    if (out->type != stria_fortran_type(a->dtype) || a->dtype.swapped ||
        a->flags & (STRIA_CONJ | STRIA_NEG)) {
        return stria_fail(STRIA_ERR_DTYPE,
                          "the pointer is of another type than the view's elements");
    }
    if (out->elem_len != (size_t)a->dtype.itemsize) {
        return stria_fail(STRIA_ERR_DTYPE,
                          "the pointer is to elements of %zu bytes, the view's have %d",
                          out->elem_len, (int)a->dtype.itemsize);
    }
    if (!stria_is_writable(a)) {
        return stria_fail(STRIA_ERR_READONLY, "a pointer could write what is read-only");
    }
    for (int i = 0; i < a->ndim; i++) {
        if (a->dtype.itemsize > 0 && a->strides[i] % a->dtype.itemsize != 0) {
            return stria_fail(STRIA_ERR_STRIDE,
                              "dim %d has a stride of %lld bytes, no whole number of items of %d",
                              i + 1, (long long)a->strides[i], (int)a->dtype.itemsize);
        }
    }
    out->base_addr = a->data;
    for (int i = 0; i < a->ndim; i++) {
        out->dim[i].lower_bound = 1;
        out->dim[i].extent = (CFI_index_t)a->shape[i];
        out->dim[i].sm = (CFI_index_t)a->strides[i];
    }
    return STRIA_OK;
}

/*
 * Allocates an allocatable array of a shape, after it freed what it had, and views it. ARGUMENT: no
 * allocatable; SHAPE: another rank, negative sizes; OVERFLOW: more bytes than addresses; MEMORY,
 * with the array then unallocated.
 */
static inline stria_status stria_fortran_allocate(CFI_cdesc_t *out, stria_view *view, int ndim,
                                                  const int64_t *shape)
{
    CFI_index_t lower[CFI_MAX_RANK], upper[CFI_MAX_RANK];
    if (!out || out->attribute != CFI_attribute_allocatable) {
        return stria_fail(STRIA_ERR_ARGUMENT, "an allocatable array is needed");
    }
    if (out->rank != ndim) {
        return stria_fail(STRIA_ERR_SHAPE, "an array of rank %d cannot hold %d dims",
                          (int)out->rank, ndim);
    }
    int64_t bytes = (int64_t)out->elem_len;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] < 0) {
            return stria_fail(STRIA_ERR_SHAPE, "dim %d has the size %lld", i + 1,
                              (long long)shape[i]);
        }
        if (shape[i] > 0 && bytes > PTRDIFF_MAX / shape[i]) {
            return stria_fail(STRIA_ERR_OVERFLOW,
                              "dims 1 to %d with elements of %zu bytes exceed the address space",
                              i + 1, out->elem_len);
        }
        bytes *= shape[i] > 0 ? shape[i] : 1;
        lower[i] = 1;
        upper[i] = (CFI_index_t)shape[i];
    }
    if (out->base_addr && CFI_deallocate(out) != CFI_SUCCESS) {
        return stria_fail(STRIA_ERR_ARGUMENT, "the array cannot be freed");
    }
    if (CFI_allocate(out, lower, upper, out->elem_len) != CFI_SUCCESS) {
        return stria_fail(STRIA_ERR_MEMORY, "the array could not be allocated");
    }
    return stria_view_fortran(view, out, 0);
}

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
