/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One instruction set level. CMake compiles this file once per level with that level's flags and
 * STRIA_ISA set to its name; the only symbol that comes out is the table at the end. Everything is
 * static, and of other folders only public constants are included, so that no function built with
 * these flags can be called by code that runs on a lesser machine.
 */
#include "kernels.h"

#include <string.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NEVER_INLINE  __attribute__((noinline))

#if defined STRIA_ISA_AVX512
#include "vec_avx512.h"
#elif defined STRIA_ISA_AVX2
#include "vec_avx2.h"
#elif defined STRIA_ISA_BASE
#include "vec_sse2.h"
#elif defined STRIA_ISA_NEON
#include "vec_neon.h"
#else
#include "vec_scalar.h"
#endif

#ifdef __clang__
#define UNROLL       _Pragma("clang loop unroll(full)")
#define NOT_UNROLLED _Pragma("clang loop unroll(disable)")
#else
#define UNROLL       _Pragma("GCC unroll 16")
#define NOT_UNROLLED _Pragma("GCC unroll 1")
#endif

#define NAME3_(a, b, c)    a##b##c
#define NAME3(a, b, c)     NAME3_(a, b, c)
#define NAME4_(a, b, c, d) a##b##c##d
#define NAME4(a, b, c, d)  NAME4_(a, b, c, d)

#if defined HAVE_V64
#define WIDEST 64
#elif defined HAVE_V32
#define WIDEST 32
#elif defined HAVE_V16
#define WIDEST 16
#endif
#define WIDE(name) NAME3(name, _, WIDEST)
#define WV(op)     NAME4(v, WIDEST, _, op)

/* Bytes of the source that are fetched ahead of those in use. */
enum { FAR = 8 << 10 };

/* Bytes of longer rows, of which a line at a time is fetched, not all of it. */
enum { WHOLE = 1 << 10 };

/*
 * Bytes that the stages of a transposition have for each line of a source row, and how many lines
 * of a row they are for at most. Two stages for so many fit into a first-level cache.
 */
enum { STAGE = ROWS_MOST * LINE, LINES_MOST = 2 };

#include "rows_at.h"

#include "lines.inc"
#include "rows.inc"
#include "fill.inc"
#include "repeat.inc"

#ifdef HAVE_V16
#define WIDTH    16
#define TEMPLATE "tile.inc"
#include "each_size.inc"
#undef WIDTH
#endif
#ifdef HAVE_V32
#define WIDTH    32
#define TEMPLATE "tile.inc"
#include "each_size.inc"
#undef WIDTH
#endif
#ifdef HAVE_V64
#define WIDTH    64
#define TEMPLATE "tile.inc"
#include "each_size.inc"
#undef WIDTH
#endif

#define TEMPLATE "strided.inc"
#include "each_size.inc"
#define TEMPLATE "transpose.inc"
#include "each_size.inc"

#include "stage.inc"

#include "gather.inc"
#include "interleave.inc"
#include "scatter.inc"

typedef uint8_t item_1;
typedef uint16_t item_2;
typedef uint32_t item_4;
typedef uint64_t item_8;
typedef struct item_16 {
    uint64_t half[2];
} item_16;
#include "count.inc"
#include "find.inc"
#define TEMPLATE "mask.inc"
#include "each_size.inc"

#include "index.inc"

#include "convert.inc"

#define TABLE_(isa) stria__kernels_##isa
#define TABLE(isa)  TABLE_(isa)
#define TEXT_(a)    #a
#define TEXT(a)     TEXT_(a)
#define BY_SIZE(f)  f##_1, f##_2, f##_4, f##_8, f##_16

extern const struct stria_kernels TABLE(STRIA_ISA);
const struct stria_kernels TABLE(STRIA_ISA) = {
    .isa = TEXT(STRIA_ISA),
    .copy = copy_row,
    .stream = stream_row,
    .stream_converted = stream_converted,
    .fence = v_fence,
    .strided = {BY_SIZE(strided), rows},
    .fill = fill,
    .fill_word = fill_word,
    .repeat_each = repeat_each,
    .gather = gather,
    .scatter = scatter,
    .interleave = interleave,
    .transpose = {BY_SIZE(transpose), transpose_any},
    .unstage = unstage,
    .choose = {BY_SIZE(choose)},
    .change = {BY_SIZE(change)},
    .compress = {BY_SIZE(compress)},
    .expand = {BY_SIZE(expand)},
    .count = count,
    .find = find,
    .survey_indices = survey_indices,
    .locate = locate,
    .convert = &convert_kernels,
};
