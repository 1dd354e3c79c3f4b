/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of one instruction set level: plain functions over at most two dims, which never fail
 * and never allocate. Each family is compiled once per level and exports one table of them
 * (level.h); src/dispatch.c chooses a level once. Offsets and strides are in bytes, of any sign;
 * addresses need no alignment unless a comment says so; source and destination never overlap.
 */
#ifndef STRIA_SIMD_KERNELS_H
#define STRIA_SIMD_KERNELS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "convert.h"
#include "stria/plan.h"
#include "tuning.h"

struct op_kernels;     /* map.h */
struct reduce_kernels; /* reduce.h */
struct fold_table;     /* fold.h */
struct random_kernels; /* random.h */

/* Item sizes that have kernels of their own. For any other size the kernels are given the size. */
enum size_class { SIZE_1, SIZE_2, SIZE_4, SIZE_8, SIZE_16, SIZE_ANY, SIZE_CLASSES };

enum {
    PLANES = 8,      /* most planes that are interleaved at once */
    LANE = 16,       /* bytes of a source row that a transposition reads at a time */
    SPREAD = 16,     /* largest distance between scattered items, in bytes */
    STEPS_MOST = 4,   /* items from one to the next that are gathered from whole lines */
    UNROLLED_ROW = 8 /* items: strided copies of shorter rows have unrolled loops */
};

/*
 * Element (i, j), 0 <= i < n[0], 0 <= j < n[1], lies at out + i * so[0] + j * so[1] and at in + i *
 * si[0] + j * si[1]. Items have `item` bytes.
 */
struct strided {
    char *out;
    const char *in;
    int64_t n[2], so[2], si[2];
    int64_t item;
    bool stream; /* store whole lines non-temporally */
    bool clear;  /* fills that stream may zero lines, see stria__cpu_clears_lines */
    bool fetch;  /* the source comes from memory: prefetch items that are far apart */
    bool gaps;   /* so does the output, whose gaps keep their bytes: prefetch it too */
    /*
     * If `tail` is not 0, these are streamed rows of whole lines, at least 2, whose last `tail` <
     * LINE bytes are read, as part of a whole line, `tail_at` bytes from the beginning of the row.
     */
    int64_t tail, tail_at;
    /*
     * Kernels documented to continue call this, which advances out and in; they end when it returns
     * false or is NULL.
     */
    bool (*next)(struct strided *t);
    void *walk; /* argument of next */
};

enum { ROWS_MOST = 128 }; /* most source rows that are read side by side */

/*
 * The bytes of a transposition's buffer for each line of a source row, and for how many lines of a
 * row there is room at most. Two buffers of so many fit in a first-level cache.
 */
enum {
    ROWS_STAGE = ROWS_MOST * LINE,
    LINES_MOST = 2,
    TRANSPOSE_STAGE = 2 * LINES_MOST * ROWS_STAGE
};

/* Rows of `bytes`, at in + at[i] for 0 <= i < n, that will be read soon and are prefetched. */
struct rows_ahead {
    const char *in;
    const int64_t *at;
    int64_t n, bytes;
};

/*
 * The loop order of a transposition whose operands lie in the caches, but not in the first-level
 * one: `columns` bytes of source columns at a time, LANE or a multiple of it; 0: along source rows.
 * If the destination rows of so many columns fall onto few sets of the first-level cache, `few` of
 * these bytes at a time, LANE or a multiple of it; 0 otherwise. They are visited over `height`
 * source rows, which make LINE bytes or a multiple of it in the output, or over all rows if that is
 * 0.
 */
struct column_slabs {
    int64_t columns, few, height;
};

/*
 * A block of a transposition: element (p, q), 0 <= p < np, 0 <= q < nq, lies at
 * out + out_at[p] + q * item and at in + in_at[q] + p * item. Rows of the source are dense in p,
 * rows of the destination are dense in q, and the rows may lie anywhere.
 */
struct transpose {
    char *out;
    const char *in;
    const int64_t *out_at, *in_at;
    int64_t np, nq;
    int64_t item;
    /*
     * out_at[p] is p * out_pitch and in_at[q] is q * in_pitch. Except for SIZE_ANY the tables may
     * then be missing, unless stream, fetch or collide is set.
     */
    bool even;
    bool in_even;                /* the second of these; it may be left out, but is faster */
    int64_t out_pitch, in_pitch; /* distances of rows for even and in_even */
    bool scratch;                /* the source comes from memory, the output is scratch memory: */
    int64_t lines_ahead;         /* so many lines are then prefetched before they are read */
    bool stream;  /* out + out_at[p] is aligned to LINE for every p: store non-temporally */
    bool fetch;   /* the source comes from memory: prefetch it */
    bool pair;    /* stream two adjacent lines at once where that is possible */
    int64_t rows; /* when streaming: source rows to read side by side, at most ROWS_MOST, */
                  /* because they are far apart; 0 for no more than fill a line or two */
    /* TRANSPOSE_STAGE bytes, aligned to LINE, for rows, and for fetch with collide; NULL: none. */
    char *stage;
    int64_t two_line_rows; /* of at most so many rows two lines each are read at once */
    const char *next;      /* address of the next block's `in`, to be prefetched too; or NULL */
    struct column_slabs slabs;
    bool collide; /* neighbouring rows of the source fall onto few sets of the first-level cache */
    /* If the source is a buffer of adjacent rows of a LINE: rows to prefetch meanwhile, or NULL. */
    const struct rows_ahead *ahead;
};

/*
 * `lines` lines of each of some rows: of memory that is prefetched, or of scratch at `in`, that go
 * to memory at `out`.
 */
struct lines_of_rows {
    char *out;
    const char *in;
    int64_t lines, rows, in_pitch, out_pitch;
};

/*
 * A line of each of nq source rows, which becomes LINE / item rows of nq items in scratch; nq is a
 * multiple of LINE / item, at most ROWS_MOST. What else goes to and fro between the caches and
 * memory is done meanwhile, a few lines at a time.
 */
struct turned_tile {
    char *out;
    const char *in;
    int64_t out_pitch, pitch, nq;
    char *stage;       /* ROWS_STAGE bytes, aligned to LINE */
    const char *ahead; /* as many source rows, as far apart, whose lines are prefetched; or NULL */
    const struct lines_of_rows *later; /* so many more, which are prefetched, too */
    int count;
    struct lines_of_rows stored; /* what is stored non-temporally, aligned to LINE */
};

/* Repeats an item of 1, 2, 4 or 8 bytes in a word; false for any other size. */
static inline bool stria__repeat_item(uint64_t *word, const void *item, int64_t size)
{
    uint8_t b;
    uint16_t h;
    uint32_t w;
    switch (size) {
    case 1:
        memcpy(&b, item, 1);
        *word = b * UINT64_C(0x0101010101010101);
        return true;
    case 2:
        memcpy(&h, item, 2);
        *word = h * UINT64_C(0x0001000100010001);
        return true;
    case 4:
        memcpy(&w, item, 4);
        *word = w * UINT64_C(0x0000000100000001);
        return true;
    case 8: memcpy(word, item, 8); return true;
    default: return false;
    }
}

/*
 * Rows of a transposition that are collected in a buffer until they fill lines. Row p, 0 <= p < np,
 * belongs at out + out_at[p]; in the buffer it lies at rows + at[p], where at[p] is p * pitch plus
 * the offset of its first byte in a line of the output. rows and pitch are aligned to LINE; LINE
 * bytes may be read and written behind a row.
 */
struct staged_rows {
    char *out;
    const int64_t *out_at;
    char *rows;
    int64_t pitch;
    int64_t *at; /* then advanced to where the following bytes go */
    int64_t np, bytes;
    bool goes_on; /* bytes were collected before, and those of the same line are still in the buffer
                   */
    bool ends;    /* nothing follows; must be set when bytes is less than LINE */
    const char *next; /* rows of `run` bytes that will be read next, or NULL */
    const int64_t *next_at;
    int64_t nq, run;
};

/*
 * Repetition of items: item i, 0 <= i < n, at in + i * si goes to out + k * item for every k from
 * starts[i] to starts[i + 1] - 1; starts never falls.
 */
struct repeats {
    char *out;
    const char *in;
    int64_t n, si, item; /* item may be any number of bytes but 0 */
    const int64_t *starts;
};

/* The prefetch for byte `at` of a row: the byte `ahead` of it or, from `end` on, `then`. */
struct read_on {
    uintptr_t end, ahead, then;
};

/*
 * Tells whether the hardware prefetcher follows: rows are long, or the next row begins in the last
 * line of this one or in the line after.
 */
static inline bool stria__goes_on(int64_t bytes, int64_t step, int64_t ahead)
{
    return bytes >= ahead || (step >= 0 && step <= bytes + LINE);
}

static inline bool stria__is_read_on(int64_t bytes, int64_t step)
{
    return stria__goes_on(bytes, step, READ_ON);
}

/*
 * Computes the prefetches within rows of so many bytes that are `step` apart. For short rows with
 * gaps it is the same place of a later row; for others the next row follows the end of this one.
 * The address may be invalid: it is only prefetched.
 */
static inline struct read_on stria__ahead_in(const char *row, int64_t bytes, int64_t step,
                                             int64_t ahead)
{
    const uintptr_t begin = (uintptr_t)row, n = (uintptr_t)bytes, to_next = (uintptr_t)step,
                    far = (uintptr_t)ahead;
    if (stria__goes_on(bytes, step, ahead))
        return (struct read_on){begin + n, far, far + to_next - n};
    return (struct read_on){begin, 0, (1 + far / n) * to_next};
}

static inline struct read_on stria__read_on(const char *row, int64_t bytes, int64_t step)
{
    return stria__ahead_in(row, bytes, step, READ_ON);
}

/*
 * Dense items that are converted through `row`: so many bytes of them become at most STREAMED_MOST
 * bytes of output at a time, in whole lines. For that the row counts `n` items.
 */
struct streamed_piece {
    convert_row *row;
    int64_t n, in_bytes, out_bytes;
    int64_t places; /* of a long row at which pieces are converted by turns, at least 1 */
    struct read_on on;
};

enum { STREAMED_MOST = 1 << 10 };

/* What a survey of indices finds. */
enum {
    INDEX_NEGATIVE = 1,
    INDEX_BELOW = 2, /* less than -size */
    INDEX_ABOVE = 4  /* not less than size; also set for some negative ones where a sum overflows */
};

/*
 * A dim that indices count, fastest first: n elements, s bytes apart. factor and shift divide a
 * number below the size by n, as a product and a shift; factor 0: divide.
 */
struct located_dim {
    int64_t n, s;
    uint64_t factor;
    int shift;
};

enum { LOCATED = 512 };

/* n <= LOCATED indices of i64, s bytes apart, and what they count: size elements in ndim dims. */
struct locate {
    const char *indices;
    int64_t s, n;
    int64_t size;
    enum beyond { NONE_BEYOND, WRAP_BEYOND, CLIP_BEYOND } beyond; /* an index outside -size .. */
                                                                  /*
                                                                   * size - 1 is wrapped or clamped,
                                                                   * the latter to
                                                                   */
                                                                  /* 0 .. size - 1 */
    int ndim;
    const struct located_dim *dims;
};

struct stria_kernels {
    const char *isa;
    /* Copies n dense bytes; best for what the first-level cache holds with the output. */
    void (*copy)(char *out, const char *in, int64_t n);
    /* Copies n dense bytes and prefetches the output. */
    void (*copy_far)(char *out, const char *in, int64_t n);
    /* Copies n dense bytes with non-temporal stores. */
    void (*stream)(char *out, const char *in, int64_t n);
    /* Converts adjacent pieces and stores them non-temporally; out is aligned to LINE. */
    void (*stream_converted)(char *out, const char *in, const struct streamed_piece *piece,
                             int64_t pieces);
    /*
     * Orders non-temporal stores before whatever other threads do next: call it after the last one.
     */
    void (*fence)(void);
    /* Copies elements of any strides; SIZE_ANY copies rows of `item` bytes. */
    void (*strided[SIZE_CLASSES])(const struct strided *t);
    /*
     * Tells whether it streams rows of items at a short constant distance as they lie; without,
     * only SIZE_ANY streams.
     */
    bool (*streams_steps)(const struct strided *t);
    /* Row j becomes n[0] copies of the item at in + j * si[1]; so[0] is the item, si[0] is 0. */
    void (*fill)(const struct strided *t);
    /* Fills n dense bytes with a word of stria__repeat_item, of whose item they are a multiple. */
    void (*fill_word)(char *out, int64_t n, uint64_t word);
    void (*repeat_each)(const struct repeats *t);
    /*
     * Gathers rows of items of 1 to 8 bytes, 1 to LANE - 1 bytes apart; so[0] is the item.
     * Continues.
     */
    void (*gather)(const struct strided *t);
    /*
     * Scatters rows of items of up to LANE bytes, dense (si[0] is the item) or one repeated (0), so
     * that they are so[0] > item bytes apart, SPREAD at most. Continues.
     */
    void (*scatter)(const struct strided *t);
    /*
     * Interleaves n[0] planes, 2 to PLANES, to n[1] records, of items of 1, 2, 4 or 8 bytes: so[0]
     * and si[1] are the item, so[1] is n[0] items. Continues.
     */
    void (*interleave)(const struct strided *t);
    void (*transpose[SIZE_CLASSES])(const struct transpose *t);
    /* For items of 1 to 8 bytes; NULL for others, and where a level has no vectors. */
    void (*turn_tile[SIZE_CLASSES])(const struct turned_tile *t);
    void (*unstage)(const struct staged_rows *t);
    /*
     * Compresses a row of n items to those whose mask is true, adjacent at out and nowhere behind
     * `end`; returns where the next one goes. For sizes with kernels of their own, as below.
     */
    char *(*compress[SIZE_ANY])(char *out, const char *end, const char *in, const char *mask,
                                int64_t n);
    /*
     * Expands adjacent items at `in` to those items of a row of n, so bytes apart, whose mask is
     * true; returns where the next one is read.
     */
    const char *(*expand[SIZE_ANY])(char *out, int64_t so, const char *in, const char *end,
                                    const char *mask, int64_t n);
    /*
     * The map_loop (map.h) of where among items of that size, faster where the last operand is the
     * output itself, dense like the others: it writes what the condition chooses, and no more. NULL
     * where a level has none.
     */
    void (*choose_or_keep[SIZE_ANY])(char *const *ptr, const stria_dim *d);
    /* Counts the bytes of n that are not 0. */
    int64_t (*count)(const char *mask, int64_t n);
    /*
     * Lists first + i for each i < n whose byte of the mask is not 0, adjacent and nowhere behind
     * `end`; returns where the next one goes.
     */
    int64_t *(*find)(int64_t *out, const int64_t *end, const char *mask, int64_t n, int64_t first);
    /*
     * Surveys n i64 indices, s bytes apart, of a dim. Sizes beyond 2^62 may report INDEX_ABOVE
     * wrongly.
     */
    unsigned (*survey_indices)(const char *indices, int64_t s, int64_t n, int64_t size);
    /* Computes the byte offsets of the elements that indices name; for ndim 0 their numbers. */
    void (*locate)(int64_t *out, const struct locate *t);
    const struct convert_kernels *convert;
    const struct op_kernels *ops;
    const struct reduce_kernels *reduce;
    const struct fold_table *fold;
    const struct random_kernels *random;
};

#endif
