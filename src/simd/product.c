/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix products of one level (level.h), in the compiler's own vectors: product.inc by type.
 */
#include "product.h"

#include "convert_level.h"

#if defined WIDEST
#define BYTES WIDEST
#else
#define BYTES 16 /* the compiler makes scalar code of it where there are no vectors */
#endif

/* As many rows of C are summed at once as leave registers for B and for products. */
#if defined HAVE_V64 || defined STRIA_ISA_NEON
enum { ROWS = 8 };
#elif defined HAVE_V32
enum { ROWS = 6 };
#else
enum { ROWS = 4 };
#endif
enum { VECTORS = 2, VECTOR_ROWS = 4 };

/*
 * Load and store the first `items` items of 4 or 8 bytes of a vector, 1 or more; the others are 0,
 * and left.
 */
#if defined HAVE_V64
#define SOME(v) ((v64)(v))
enum { LOADS_PART = 1 };
static ALWAYS_INLINE v64 load_some(const char *p, int item, int64_t items)
{
    return item == 4 ? _mm512_maskz_loadu_epi32((__mmask16)((1U << items) - 1), p)
                     : _mm512_maskz_loadu_epi64((__mmask8)((1U << items) - 1), p);
}
static ALWAYS_INLINE void store_some(char *p, v64 v, int item, int64_t items)
{
    if (item == 4)
        _mm512_mask_storeu_epi32(p, (__mmask16)((1U << items) - 1), v);
    else
        _mm512_mask_storeu_epi64(p, (__mmask8)((1U << items) - 1), v);
}
#elif defined HAVE_V32
#define SOME(v) ((v32)(v))
enum { LOADS_PART = 1 };
static const int32_t ones[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
static ALWAYS_INLINE v32 load_some(const char *p, int item, int64_t items)
{
    const v32 set = v32_load((const char *)&ones[8 - items * (item / 4)]);
    return _mm256_maskload_epi32((const int *)(const void *)p, set);
}
static ALWAYS_INLINE void store_some(char *p, v32 v, int item, int64_t items)
{
    const v32 set = v32_load((const char *)&ones[8 - items * (item / 4)]);
    _mm256_maskstore_epi32((int *)(void *)p, set, v);
}
#else
#define SOME(v) ((some)(v))
enum { LOADS_PART = 0 }; /* not fast */
typedef uint8_t some __attribute__((vector_size(BYTES)));
static ALWAYS_INLINE some load_some(const char *p, int item, int64_t items)
{
    some v = {0};
    memcpy(&v, p, (size_t)(items * item));
    return v;
}
static ALWAYS_INLINE void store_some(char *p, some v, int item, int64_t items)
{
    memcpy(p, &v, (size_t)(items * item));
}
#endif

#define T f32
#include "product.inc"
#define T f64
#include "product.inc"
#define T u32
#include "product.inc"
#define T u64
#include "product.inc"

#if defined HAVE_VF
#define FUSES
static ALWAYS_INLINE vec_f32 fuse_f32(vec_f32 sum, vec_f32 a, float b)
{
    return (vec_f32)VF_OP(fmadd_ps)((vf)a, vf_all(b), (vf)sum);
}
static ALWAYS_INLINE vec_f32 fuse_two_f32(vec_f32 sum, vec_f32 a, vec_f32 b)
{
    return (vec_f32)VF_OP(fmadd_ps)((vf)a, (vf)b, (vf)sum);
}
static ALWAYS_INLINE vec_f64 fuse_two_f64(vec_f64 sum, vec_f64 a, vec_f64 b)
{
    return (vec_f64)VF_OP(fmadd_pd)(a, b, sum);
}
static ALWAYS_INLINE vec_f64 fuse_f64(vec_f64 sum, vec_f64 a, double b)
{
    return (vec_f64)VF_OP(fmadd_pd)(a, VF_OP(set1_pd)(b), sum);
}
#elif defined STRIA_ISA_NEON
#define FUSES
static ALWAYS_INLINE vec_f32 fuse_f32(vec_f32 sum, vec_f32 a, float b)
{
    return (vec_f32)vfmaq_n_f32((float32x4_t)sum, (float32x4_t)a, b);
}
static ALWAYS_INLINE vec_f32 fuse_two_f32(vec_f32 sum, vec_f32 a, vec_f32 b)
{
    return (vec_f32)vfmaq_f32((float32x4_t)sum, (float32x4_t)a, (float32x4_t)b);
}
static ALWAYS_INLINE vec_f64 fuse_two_f64(vec_f64 sum, vec_f64 a, vec_f64 b)
{
    return (vec_f64)vfmaq_f64((float64x2_t)sum, (float64x2_t)a, (float64x2_t)b);
}
static ALWAYS_INLINE vec_f64 fuse_f64(vec_f64 sum, vec_f64 a, double b)
{
    return (vec_f64)vfmaq_n_f64((float64x2_t)sum, (float64x2_t)a, b);
}
#endif

#ifdef FUSES
#define FUSED
#define T f32
#include "product.inc"
#define T f64
#include "product.inc"
#undef FUSED
#endif

extern const struct product_kernels TABLE(stria__product_);
const struct product_kernels TABLE(stria__product_) = {
    .tile_rows = ROWS,
    .tile_row = VECTORS * BYTES,
    .multiply = {multiply_f32, multiply_f64, multiply_u32, multiply_u64},
#ifdef FUSES
    .fused = {multiply_fused_f32, multiply_fused_f64},
    .rows = {rows_fused_f32, rows_fused_f64},
    .columns = {columns_of_vector_fused_f32, columns_of_vector_fused_f64},
#endif
};
