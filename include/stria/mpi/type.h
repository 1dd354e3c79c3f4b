/* SPDX-License-Identifier: BSD-3-Clause */
/* The datatype of a view, and whether it goes as one or as a dense copy. */
#ifndef STRIA_MPI_TYPE_H
#define STRIA_MPI_TYPE_H

#include <limits.h>
#include <mpi.h>
#include <stdint.h>

#include "../plan.h"
#include "../status.h"
#include "../view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a dense run from which a view goes as a datatype; may be defined before. */
#ifndef STRIA_MPI_RUN_BYTES
#define STRIA_MPI_RUN_BYTES stria_plan_long_run()
#endif

/* Makes a status of MPI's return code. */
static inline stria_status stria_mpi_status(int code)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0;
    if (code == MPI_SUCCESS) return STRIA_OK;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
    text[length] = 0;
    return stria_fail(STRIA_ERR_IO, "MPI: %s", length ? text : "an error without a name");
}

/* Returns MPI's predefined datatype of a dtype, MPI_DATATYPE_NULL where MPI has none. */
static inline MPI_Datatype stria_mpi_element(stria_dtype dtype)
{
    if (dtype.swapped) return MPI_DATATYPE_NULL;
    switch ((stria_kind)dtype.kind) {
    case STRIA_BOOL: return MPI_C_BOOL;
    case STRIA_I8: return MPI_INT8_T;
    case STRIA_I16: return MPI_INT16_T;
    case STRIA_I32: return MPI_INT32_T;
    case STRIA_I64: return MPI_INT64_T;
    case STRIA_U8: return MPI_UINT8_T;
    case STRIA_U16: return MPI_UINT16_T;
    case STRIA_U32: return MPI_UINT32_T;
    case STRIA_U64: return MPI_UINT64_T;
    case STRIA_F32: return MPI_FLOAT;
    case STRIA_F64: return MPI_DOUBLE;
    case STRIA_C64: return MPI_C_FLOAT_COMPLEX;
    case STRIA_C128: return MPI_C_DOUBLE_COMPLEX;
    default: return MPI_DATATYPE_NULL;
    }
}

/*
 * Makes n items of a type that lie stride bytes apart. Before MPI 4 numbers beyond int are nested:
 * blocks of 2^30, and what is left behind them.
 */
static inline stria_status stria_mpi__repeat(MPI_Datatype *out, int64_t n, int64_t stride,
                                             MPI_Datatype type)
{
#if MPI_VERSION >= 4
    return stria_mpi_status(MPI_Type_create_hvector_c(n, 1, stride, type, out));
#else
    const int64_t most = 1 << 30;
    if (n <= most && stride == -1) { /* Open MPI 4.1 takes the bytes before for those behind. */
        MPI_Datatype item = MPI_DATATYPE_NULL;
        stria_status made = stria_mpi_status(MPI_Type_create_resized(type, 0, stride, &item));
        if (made == STRIA_OK) {
            made = stria_mpi_status(MPI_Type_contiguous((int)n, item, out));
            MPI_Type_free(&item);
        }
        return made;
    }
    if (n <= most) {
        return stria_mpi_status(MPI_Type_create_hvector((int)n, 1, (MPI_Aint)stride, type, out));
    }
    MPI_Datatype block = MPI_DATATYPE_NULL, parts[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    const int counts[2] = {1, 1};
    const MPI_Aint at[2] = {0, (MPI_Aint)(n / most * most * stride)};
    stria_status status = stria_mpi__repeat(&block, most, stride, type);
    if (status == STRIA_OK) status = stria_mpi__repeat(&parts[0], n / most, most * stride, block);
    if (status == STRIA_OK) status = stria_mpi__repeat(&parts[1], n % most, stride, type);
    if (status == STRIA_OK) {
        status = stria_mpi_status(MPI_Type_create_struct(2, counts, at, parts, out));
    }
    if (block != MPI_DATATYPE_NULL) MPI_Type_free(&block);
    for (int i = 0; i < 2; i++)
        if (parts[i] != MPI_DATATYPE_NULL) MPI_Type_free(&parts[i]);
    return status;
#endif
}

/* Makes n dense items of itemsize bytes, uncommitted. */
static inline stria_status stria_mpi__dense(MPI_Datatype *out, stria_dtype dtype, int64_t n)
{
    MPI_Datatype element = stria_mpi_element(dtype);
    int64_t size = dtype.itemsize;
    if (element == MPI_DATATYPE_NULL) {
        element = MPI_BYTE;
        n *= size;
        size = 1;
    }
#if MPI_VERSION >= 4
    (void)size;
    return stria_mpi_status(MPI_Type_contiguous_c(n, element, out));
#else
    if (n > INT_MAX) return stria_mpi__repeat(out, n, size, element);
    return stria_mpi_status(MPI_Type_contiguous((int)n, element, out));
#endif
}

/*
 * Makes the datatype of a view's elements in C order, committed, for use at the address a->data
 * with a count of 1: dims that merge are merged, dense ones are contiguous, the others nested
 * hvectors; dtypes that MPI has no name for are bytes. The caller frees it. DTYPE: conj and neg
 * bits, which are not in memory, and items in the other byte order; UNSUPPORTED: meta buffers.
 */
static inline stria_status stria_mpi_type(MPI_Datatype *out, const stria_view *a)
{
    stria_plan plan;
    stria_status status = stria_plan_make(&plan, 1, &a, STRIA_PLAN_KEEP_ORDER);
    if (status != STRIA_OK) return status;
    if (stria_buffer_is_meta(a->buffer)) {
        return stria_fail(STRIA_ERR_UNSUPPORTED, "a meta buffer has no elements to be sent");
    }
    if (a->flags & (STRIA_CONJ | STRIA_NEG) || a->dtype.swapped) {
        return stria_fail(STRIA_ERR_DTYPE,
                          "no datatype has lazy or byte-swapped elements: copy them");
    }
    const int64_t itemsize = a->dtype.itemsize;
    const bool dense = plan.dims[0].s[0] == itemsize || plan.dims[0].n <= 1;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    status = stria_mpi__dense(&type, a->dtype, dense ? plan.dims[0].n : 1);
    for (int i = dense; i < plan.ndim && status == STRIA_OK; i++) {
        MPI_Datatype outer = MPI_DATATYPE_NULL;
        status = stria_mpi__repeat(&outer, plan.dims[i].n, plan.dims[i].s[0], type);
        MPI_Type_free(&type);
        type = outer;
    }
    if (status == STRIA_OK) status = stria_mpi_status(MPI_Type_commit(&type));
    if (status == STRIA_OK)
        *out = type;
    else if (type != MPI_DATATYPE_NULL)
        MPI_Type_free(&type);
    return status;
}

/*
 * Returns the bytes of the runs of which a view's elements, in C order, lie densely in memory: all
 * bytes of a contiguous view, the item size where nothing is dense; 0 where the elements must be
 * copied to be sent, because they are lazy or in the other byte order.
 */
static inline int64_t stria_mpi_run_bytes(const stria_view *a)
{
    stria_plan plan;
    if (a->flags & (STRIA_CONJ | STRIA_NEG) || a->dtype.swapped) return 0;
    if (stria_plan_make(&plan, 1, &a, STRIA_PLAN_KEEP_ORDER) != STRIA_OK) return 0;
    const bool dense = plan.dims[0].s[0] == a->dtype.itemsize || plan.dims[0].n <= 1;
    return dense ? plan.dims[0].n * a->dtype.itemsize : a->dtype.itemsize;
}

/* Tells whether a view goes as a datatype: it is dense as a whole, or in long runs. */
static inline bool stria_mpi__goes_as_type(const stria_view *a)
{
    const int64_t run = stria_mpi_run_bytes(a);
    return run >= STRIA_MPI_RUN_BYTES || (run > 0 && run == stria_nbytes(a));
}

#ifdef __cplusplus
}
#endif

#endif
