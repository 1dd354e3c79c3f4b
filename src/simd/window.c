/* SPDX-License-Identifier: BSD-3-Clause */
/* The window kernels of one level (level.h). */
#include "window.h"

#include "convert_level.h"
#include "map_layout.h"
#include "number.h"

#if WIDEST > 32
enum { WINDOW_BYTES = 32 }; /* longer vectors meet two lines each, as windows are shifted */
#elif defined WIDEST
enum { WINDOW_BYTES = WIDEST };
#else
enum { WINDOW_BYTES = 8 };
#endif

/*
 * Several vectors, so that additions do not wait for each other, and of two rows as many as there
 * are registers for: loads that cross lines take longer than the arithmetic, and serve both rows.
 * Sums begin at -0, which changes none.
 */
#ifdef HAVE_V64
enum { VECTORS = 8, VECTORS_OF_TWO = 8 };
#else
enum { VECTORS = 8, VECTORS_OF_TWO = 4 };
#endif

#define WEIGHTED(T, NUMBER)                                                                        \
    typedef NUMBER vector_##T __attribute__((vector_size(WINDOW_BYTES)));                          \
    static ALWAYS_INLINE void add_##T(vector_##T *sum, const char *from, NUMBER weight,            \
                                      const int vectors)                                           \
    {                                                                                              \
        UNROLL                                                                                     \
        for (int v = 0; v < vectors; v++) {                                                        \
            vector_##T x;                                                                          \
            memcpy(&x, from + v * WINDOW_BYTES, sizeof x);                                         \
            sum[v] += x * weight;                                                                  \
        }                                                                                          \
    }                                                                                              \
    static ALWAYS_INLINE void some_##T(char *out, int64_t out_row, const char *in,                 \
                                       const struct taps *t, const int rows, const int vectors)    \
    {                                                                                              \
        const NUMBER *const w = t->weight;                                                         \
        const int64_t n = t->count, apart = rows > 1 ? t->apart : n;                               \
        vector_##T sum[2][VECTORS];                                                                \
        UNROLL                                                                                     \
        for (int v = 0; v < rows * vectors; v++)                                                   \
            sum[v / vectors][v % vectors] = -(vector_##T){0};                                      \
        for (int64_t k = 0; k < apart; k++)                                                        \
            add_##T(sum[0], in + t->offset[k], w[k], vectors);                                     \
        for (int64_t k = apart; k < n; k++) {                                                      \
            add_##T(sum[0], in + t->offset[k], w[k], vectors);                                     \
            add_##T(sum[1], in + t->offset[k], w[k - apart], vectors);                             \
        }                                                                                          \
        for (int64_t k = n - apart; rows > 1 && k < n; k++)                                        \
            add_##T(sum[1], in + t->offset[k] + t->row, w[k], vectors);                            \
        UNROLL                                                                                     \
        for (int v = 0; v < rows * vectors; v++)                                                   \
            memcpy(out + v / vectors * out_row + v % vectors * WINDOW_BYTES,                       \
                   &sum[v / vectors][v % vectors], WINDOW_BYTES);                                  \
    }                                                                                              \
    static void weighted_##T(char *out, const char *in, const struct taps *t, int64_t n)           \
    {                                                                                              \
        const NUMBER *const w = t->weight;                                                         \
        const int64_t bytes = n * (int64_t)sizeof(NUMBER);                                         \
        int64_t i = 0;                                                                             \
        for (; i + VECTORS * WINDOW_BYTES <= bytes; i += VECTORS * WINDOW_BYTES)                   \
            some_##T(out + i, 0, in + i, t, 1, VECTORS);                                           \
        for (; i + WINDOW_BYTES <= bytes; i += WINDOW_BYTES)                                       \
            some_##T(out + i, 0, in + i, t, 1, 1);                                                 \
        for (; i < bytes; i += (int64_t)sizeof(NUMBER)) {                                          \
            NUMBER x, sum = 0;                                                                     \
            for (int64_t k = 0; k < t->count; k++) {                                               \
                memcpy(&x, in + i + t->offset[k], sizeof x);                                       \
                sum = k ? sum + x * w[k] : x * w[k];                                               \
            }                                                                                      \
            memcpy(out + i, &sum, sizeof sum);                                                     \
        }                                                                                          \
    }                                                                                              \
    static void two_weighted_##T(char *out, int64_t out_row, const char *in, const struct taps *t, \
                                 int64_t n)                                                        \
    {                                                                                              \
        enum { STEP = VECTORS_OF_TWO * WINDOW_BYTES };                                             \
        const int64_t bytes = n * (int64_t)sizeof(NUMBER), whole = bytes / STEP * STEP;            \
        for (int64_t i = 0; i < whole; i += STEP)                                                  \
            some_##T(out + i, out_row, in + i, t, 2, VECTORS_OF_TWO);                              \
        n -= whole / (int64_t)sizeof(NUMBER);                                                      \
        weighted_##T(out + whole, in + whole, t, n);                                               \
        weighted_##T(out + whole + out_row, in + whole + t->row, t, n);                            \
    }

WEIGHTED(u32, uint32_t)
WEIGHTED(u64, uint64_t)
WEIGHTED(f32, float)
WEIGHTED(f64, double)

#define SUM_CASE(T, count)                                                                         \
    case count:                                                                                    \
        sums_##T((void *)out, (const void *)in, weight, n, count);                                 \
        break;
#define SUMS(T, NUMBER)                                                                            \
    static ALWAYS_INLINE void sums_##T(NUMBER *out, const NUMBER *const *in, const NUMBER *w,      \
                                       int64_t n, const int count)                                 \
    {                                                                                              \
        NUMBER weight[SUM_TERMS];                                                                  \
        const NUMBER *x[SUM_TERMS];                                                                \
        UNROLL                                                                                     \
        for (int k = 0; k < count; k++) {                                                          \
            weight[k] = w[k];                                                                      \
            x[k] = in[k];                                                                          \
        }                                                                                          \
        INDEPENDENT                                                                                \
        for (int64_t i = 0; i < n; i++) {                                                          \
            NUMBER sum = weight[0] * x[0][i];                                                      \
            UNROLL                                                                                 \
            for (int k = 1; k < count; k++)                                                        \
                sum += weight[k] * x[k][i];                                                        \
            out[i] = sum;                                                                          \
        }                                                                                          \
    }                                                                                              \
    static void sum_##T(char *out, const char *const *in, const void *weight, int count,           \
                        int64_t n)                                                                 \
    {                                                                                              \
        switch (count) {                                                                           \
            SUM_CASE(T, 2)                                                                         \
            SUM_CASE(T, 3)                                                                         \
            SUM_CASE(T, 4)                                                                         \
            SUM_CASE(T, 5)                                                                         \
        default: sums_##T((void *)out, (const void *)in, weight, n, SUM_TERMS);                    \
        }                                                                                          \
    }

SUMS(f32, MEM(f32))
SUMS(f64, MEM(f64))

#define FOR_ALL(name)                                                                              \
    {                                                                                              \
        OF_INTEGERS([STRIA_I32] = name##_u32, )                                                    \
        OF_F32([STRIA_F32] = name##_f32, )[STRIA_I64] = name##_u64, [STRIA_F64] = name##_f64       \
    }

extern const struct window_kernels TABLE(stria__window_);
const struct window_kernels TABLE(stria__window_) = {
    .weighted = FOR_ALL(weighted),
    .two = FOR_ALL(two_weighted),
    .sum = {OF_F32([STRIA_F32] = sum_f32, )[STRIA_F64] = sum_f64}};
