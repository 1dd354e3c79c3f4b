/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of one level (level.h) that move items of any dtype, and the table of all families.
 */
#include "level.h"

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

typedef uint8_t item_1;
typedef uint16_t item_2;
typedef uint32_t item_4;
typedef uint64_t item_8;
typedef struct item_16 {
    uint64_t half[2];
} item_16;

#include "steps.h"
#define TEMPLATE "strided.inc"
#include "each_size.inc"

static void strided_any(const struct strided *t)
{
    switch (t->item) {
    case 1: strided_1(t); break;
    case 2: strided_2(t); break;
    case 4: strided_4(t); break;
    case 8: strided_8(t); break;
    default: rows(t); break;
    }
}

/* Copies n items of `item` bytes that lie so bytes apart in the output, and si in the input. */
static void strided_items(char *out, int64_t so, const char *in, int64_t si, int64_t n,
                          int64_t item)
{
    if (n > 0)
        strided_any(&(struct strided){
            .out = out, .in = in, .n = {n, 1}, .so = {so, 0}, .si = {si, 0}, .item = item});
}

#ifdef HAVE_V16
#include "lines_walk.inc"
#endif
#define TEMPLATE "transpose.inc"
#include "each_size.inc"

#include "stage.inc"

#include "gather.inc"
#include "interleave.inc"
#include "pattern.h"
#include "pattern.inc"
#include "scatter.inc"

#include "count.inc"
#include "find.inc"
#define TEMPLATE "mask.inc"
#include "each_size.inc"

#include "index.inc"

#include "stream_converted.inc"

#define TEXT_(a)   #a
#define TEXT(a)    TEXT_(a)
#define BY_SIZE(f) f##_1, f##_2, f##_4, f##_8, f##_16

extern const struct convert_kernels TABLE(stria__cast_);
extern const struct stria_kernels TABLE(stria__kernels_);

const struct stria_kernels TABLE(stria__kernels_) = {
    .isa = TEXT(STRIA_ISA),
    .level = NAME2(LEVEL_, STRIA_ISA),
    .copy = copy_row,
    .copy_far = copy_far,
    .stream = stream_row,
    .stream_converted = stream_converted,
    .fence = v_fence,
    .strided = {BY_SIZE(strided), rows},
    .streams_steps = streams_steps,
    .fill = fill,
    .fill_word = fill_word,
    .repeat_each = repeat_each,
    .gather = gather,
    .scatter = scatter,
    .interleave = interleave,
#ifdef HAVE_SHUFFLE
    .pattern = pattern,
    .pattern_width = WIDEST,
    .pattern_chunk = PATTERN_CHUNK,
#endif
    .transpose = {BY_SIZE(transpose), transpose_any},
#ifdef HAVE_V16
    .turn_tile = {turn_tile_1, turn_tile_2, turn_tile_4, turn_tile_8},
#endif
    .unstage = unstage,
    .compress = {BY_SIZE(compress)},
    .expand = {BY_SIZE(expand)},
    .count = count,
    .find = find,
    .survey_indices = survey_indices,
    .locate = locate,
    .convert = &TABLE(stria__cast_),
};
