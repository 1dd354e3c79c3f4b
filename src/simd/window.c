/* SPDX-License-Identifier: BSD-3-Clause */
/* The window kernels of one level (level.h). */
#include "window.h"

#include "level.h"
#include "number.h"

#if WIDEST > 32
enum { WINDOW_BYTES = 32 }; /* longer vectors meet two lines each, as windows are shifted */
#elif defined WIDEST
enum { WINDOW_BYTES = WIDEST };
#else
enum { WINDOW_BYTES = 8 };
#endif

/* Several vectors, so that additions do not wait for each other. */
#define WEIGHTED(T, NUMBER)                                                                        \
    typedef NUMBER vector_##T __attribute__((vector_size(WINDOW_BYTES)));                          \
    static ALWAYS_INLINE vector_##T load_##T(const char *p)                                        \
    {                                                                                              \
        vector_##T x;                                                                              \
        memcpy(&x, p, sizeof x);                                                                   \
        return x;                                                                                  \
    }                                                                                              \
    static ALWAYS_INLINE void some_##T(char *out, const char *in, const struct taps *t,            \
                                       const int vectors)                                          \
    {                                                                                              \
        const NUMBER *const w = t->weight;                                                         \
        vector_##T sum[8];                                                                         \
        UNROLL                                                                                     \
        for (int v = 0; v < vectors; v++)                                                          \
            sum[v] = load_##T(in + t->offset[0] + v * WINDOW_BYTES) * w[0];                        \
        for (int64_t k = 1; k < t->count; k++) {                                                   \
            const char *const from = in + t->offset[k];                                            \
            UNROLL                                                                                 \
            for (int v = 0; v < vectors; v++)                                                      \
                sum[v] += load_##T(from + v * WINDOW_BYTES) * w[k];                                \
        }                                                                                          \
        UNROLL                                                                                     \
        for (int v = 0; v < vectors; v++)                                                          \
            memcpy(out + v * WINDOW_BYTES, &sum[v], sizeof sum[v]);                                \
    }                                                                                              \
    static void weighted_##T(char *out, const char *in, const struct taps *t, int64_t n)           \
    {                                                                                              \
        const NUMBER *const w = t->weight;                                                         \
        const int64_t bytes = n * (int64_t)sizeof(NUMBER);                                         \
        int64_t i = 0;                                                                             \
        for (; i + 8 * WINDOW_BYTES <= bytes; i += 8 * WINDOW_BYTES)                               \
            some_##T(out + i, in + i, t, 8);                                                       \
        for (; i + WINDOW_BYTES <= bytes; i += WINDOW_BYTES)                                       \
            some_##T(out + i, in + i, t, 1);                                                       \
        for (; i < bytes; i += (int64_t)sizeof(NUMBER)) {                                          \
            NUMBER x, sum = 0;                                                                     \
            for (int64_t k = 0; k < t->count; k++) {                                               \
                memcpy(&x, in + i + t->offset[k], sizeof x);                                       \
                sum = k ? sum + x * w[k] : x * w[k];                                               \
            }                                                                                      \
            memcpy(out + i, &sum, sizeof sum);                                                     \
        }                                                                                          \
    }

WEIGHTED(u32, uint32_t)
WEIGHTED(u64, uint64_t)
WEIGHTED(f32, float)
WEIGHTED(f64, double)

extern const struct window_kernels TABLE(stria__window_);
const struct window_kernels TABLE(stria__window_) = {.weighted = {[STRIA_I32] = weighted_u32,
                                                                  [STRIA_I64] = weighted_u64,
                                                                  [STRIA_F32] = weighted_f32,
                                                                  [STRIA_F64] = weighted_f64}};
