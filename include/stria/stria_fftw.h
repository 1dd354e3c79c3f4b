/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of FFTW 3 over views, without a copy: its guru interface takes a size and two strides for
 * every dim, which is what views have. For programs that link FFTW (GPL); Stria does not.
 *
 *     fftw_plan plan;
 *     if (stria_fftw_plan(&plan, &out, &in, 1, (int[]){-1}, FFTW_FORWARD, FFTW_ESTIMATE)) ...
 *     fftw_execute(plan);
 *     fftw_destroy_plan(plan);
 *
 * in and out are both complex and of one shape; or in is real and out, complex, has n / 2 + 1
 * elements along the last of the dims, where in has n (FORWARD); or the other way round (BACKWARD).
 * Nothing is scaled. in may be out, where both are complex. What FFTW says of its flags holds: all
 * but FFTW_ESTIMATE overwrite both while they plan, and a transform to real overwrites its input.
 * The views' memory is to outlive the plan.
 *
 * Statuses, with messages: DTYPE (of other precision, not native, or conj or neg bits), SHAPE,
 * DIM, STRIDE (no whole number of items, or unaligned), READONLY, MEMORY (FFTW has no plan).
 */
#ifndef STRIA_STRIA_FFTW_H
#define STRIA_STRIA_FFTW_H

#include <complex.h>

#include <fftw3.h>

#include "complex.h"
#include "view.h"

/* Casts are C's in here, also for compilers of C++ that are asked to warn of them. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

/* A transform in the units of FFTW: items, `loop` over the other dims. */
struct stria_fftw_dims {
    int rank, loops;
    fftw_iodim64 dim[STRIA_MAX_NDIM], loop[STRIA_MAX_NDIM];
};

/* The views that FFTW may read or write in items of their dtype. */
static inline stria_status stria_fftw_check(const stria_view *a, stria_kind real,
                                            stria_kind complex_kind)
{
    if (!a || !a->data || a->ndim < 0 || a->ndim > STRIA_MAX_NDIM)
        return stria_fail(STRIA_ERR_ARGUMENT, "fftw: a view is NULL or none");
    if ((a->dtype.kind != real && a->dtype.kind != complex_kind) || a->dtype.swapped ||
        (a->flags & (STRIA_CONJ | STRIA_NEG)))
        return stria_fail(STRIA_ERR_DTYPE,
                          "fftw: a view of another precision or byte order, or with "
                          "conj or neg bits");
    if (!stria_is_aligned(a)) return stria_fail(STRIA_ERR_STRIDE, "fftw: a view is not aligned");
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] > 1 && a->strides[d] % a->dtype.itemsize != 0)
            return stria_fail(STRIA_ERR_STRIDE, "fftw: the stride of dim %d is no number of items",
                              d);
    return STRIA_OK;
}

static inline stria_status stria_fftw_dims_of(struct stria_fftw_dims *to, const stria_view *out,
                                              const stria_view *in, int count, const int *dims)
{
    bool transformed[STRIA_MAX_NDIM] = {false};
    const bool halved = out->dtype.kind != in->dtype.kind;
    const stria_view *const real = stria_dtype_is_complex(in->dtype) ? out : in;
    const stria_view *const half = real == in ? out : in;
    to->rank = to->loops = 0;
    if (in->ndim != out->ndim)
        return stria_fail(STRIA_ERR_SHAPE, "fftw: in has %d dims, out has %d", (int)in->ndim,
                          (int)out->ndim);
    if (count < 1 || count > in->ndim || !dims)
        return stria_fail(STRIA_ERR_DIM, "fftw: %d dims to transform of %d", count, (int)in->ndim);
    for (int i = 0; i < count + in->ndim; i++) {
        int d = i < count ? dims[i] : i - count;
        if (i < count && d < 0) d += in->ndim;
        if (i < count && (d < 0 || d >= in->ndim || transformed[d]))
            return stria_fail(STRIA_ERR_DIM, "fftw: dim %d of %d is none, or is given twice",
                              dims[i], (int)in->ndim);
        if (i >= count && transformed[d]) continue;
        const int64_t n = real->shape[d];
        const bool last = halved && i == count - 1;
        if (half->shape[d] != (last ? n / 2 + 1 : n))
            return stria_fail(STRIA_ERR_SHAPE, "fftw: in and out do not fit in dim %d", d);
        transformed[d] = i < count;
        const fftw_iodim64 made = {n, in->strides[d] / in->dtype.itemsize,
                                   out->strides[d] / out->dtype.itemsize};
        if (i < count)
            to->dim[to->rank++] = made;
        else
            to->loop[to->loops++] = made;
    }
    return STRIA_OK;
}

#define STRIA_FFTW_PLAN(name, fftw, real_kind, complex_kind, real)                                 \
    static inline stria_status name(fftw##_plan *plan, const stria_view *out,                      \
                                    const stria_view *in, int count, const int *dims, int sign,    \
                                    unsigned flags)                                                \
    {                                                                                              \
        struct stria_fftw_dims t;                                                                  \
        stria_status status = stria_fftw_check(in, real_kind, complex_kind);                       \
        if (status == STRIA_OK) status = stria_fftw_check(out, real_kind, complex_kind);           \
        if (status != STRIA_OK) return status;                                                     \
        if (!stria_is_writable(out))                                                               \
            return stria_fail(STRIA_ERR_READONLY, "fftw: out is read-only");                       \
        const bool from_real = in->dtype.kind == real_kind;                                        \
        const bool to_real = out->dtype.kind == real_kind;                                         \
        if ((from_real && (to_real || sign != FFTW_FORWARD)) ||                                    \
            (to_real && sign != FFTW_BACKWARD))                                                    \
            return stria_fail(STRIA_ERR_DTYPE, "fftw: a transform from or to real numbers goes "   \
                                               "the other way");                                   \
        status = stria_fftw_dims_of(&t, out, in, count, dims);                                     \
        if (status != STRIA_OK) return status;                                                     \
        void *const x = in->data, *const y = out->data;                                            \
        if (from_real)                                                                             \
            *plan = fftw##_plan_guru64_dft_r2c(t.rank, t.dim, t.loops, t.loop, (real *)x,          \
                                               (fftw##_complex *)y, flags);                        \
        else if (to_real)                                                                          \
            *plan = fftw##_plan_guru64_dft_c2r(t.rank, t.dim, t.loops, t.loop,                     \
                                               (fftw##_complex *)x, (real *)y, flags);             \
        else                                                                                       \
            *plan = fftw##_plan_guru64_dft(t.rank, t.dim, t.loops, t.loop, (fftw##_complex *)x,    \
                                           (fftw##_complex *)y, sign, flags);                      \
        return *plan ? STRIA_OK : stria_fail(STRIA_ERR_MEMORY, "fftw: there is no plan");          \
    }

/* Plans transforms of f64 and c128 (libfftw3), and of f32 and c64 (libfftw3f), over `count` dims.
 */
STRIA_FFTW_PLAN(stria_fftw_plan, fftw, STRIA_F64, STRIA_C128, double)
STRIA_FFTW_PLAN(stria_fftwf_plan, fftwf, STRIA_F32, STRIA_C64, float)

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
