/* SPDX-License-Identifier: BSD-3-Clause */
/* The scans of one level (level.h): scan.inc included once per dtype. */
#include "scan_side.h"

#include "complex_product.h"

#define NAMED(name) NAME3(name, _, T)

#define IS_FLOAT         1
#define T                f32
#define SUM_OF           double
#define KEY              int32_t
#define KEY_OF_MAGNITUDE INT32_MAX
#define KEY_OF_INFINITY  0x7F800000
#define KEY_OF_NAN       0x7FC00000
#include "scan.inc"
#define IS_FLOAT         1
#define T                f64
#define SUM_OF           double
#define KEY              int64_t
#define KEY_OF_MAGNITUDE INT64_MAX
#define KEY_OF_INFINITY  INT64_C(0x7FF0000000000000)
#define KEY_OF_NAN       INT64_C(0x7FF8000000000000)
#include "scan.inc"
#define IS_FLOAT 0
#define T        i64
#define SUM_OF   uint64_t
#define KEY      int64_t
#include "scan.inc"
#define IS_FLOAT 0
#define T        u64
#define SUM_OF   uint64_t
#define KEY      uint64_t
#include "scan.inc"

static void scan_product_c128(const struct scan_block *b)
{
    mem_c128 *const state = (void *)b->state;
    for (int64_t r = 0; r < b->n; r++) {
        const mem_c128 *const in = (const void *)(b->in + r * b->si);
        mem_c128 *const out = (void *)(b->out + r * b->so);
        for (int64_t c = 0; c < b->lines; c++)
            out[c] = state[c] = b->first + r == 0 ? in[c] : product_c128(state[c], in[c]);
    }
}

#define SCANS_OF(name)                                                                             \
    OF_INTEGERS([STRIA_U64] = scan_##name##_u64, )                                                 \
    OF_F32([STRIA_F32] = scan_##name##_f32, )                                                      \
    [STRIA_I64] = scan_##name##_i64, [STRIA_F64] = scan_##name##_f64

extern const struct scan_kernels TABLE(stria__scans_);
const struct scan_kernels TABLE(stria__scans_) = {
    .of = {[SCAN_SUM] = {SCANS_OF(sum)},
           [SCAN_PRODUCT] = {OF_COMPLEX([STRIA_C128] = scan_product_c128, ) SCANS_OF(product)},
           [SCAN_MAXIMUM] = {SCANS_OF(maximum)},
           [SCAN_MINIMUM] = {SCANS_OF(minimum)}},
};
