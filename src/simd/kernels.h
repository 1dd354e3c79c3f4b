/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of one instruction set level: plain functions over at most two dims, which fail
 * never and allocate never. Each family is compiled once per level and exports one table of them
 * (level.h); src/dispatch.c chooses a level once. Offsets and strides are in bytes, of any sign;
 * addresses need no alignment unless a comment says so; source and destination never overlap.
 */
#ifndef STRIA_SIMD_KERNELS_H
#define STRIA_SIMD_KERNELS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "convert.h"

struct map_kernels; /* map.h */

/* Item sizes with a kernel of their own; any other size is moved as so many bytes. */
enum size_class { SIZE_1, SIZE_2, SIZE_4, SIZE_8, SIZE_16, SIZE_ANY, SIZE_CLASSES };

enum {
    LINE = 64,  /* bytes that streaming stores write at once, and their alignment */
    PLANES = 8, /* most that are interleaved at once */
    LANE = 16,  /* bytes that a transposition reads from a source row at a time */
    SPREAD = 16 /* bytes, the longest distance between scattered items */
};

/*
 * Element (i, j), 0 <= i < n[0], 0 <= j < n[1], lies at out + i * so[0] + j * so[1] and at
 * in + i * si[0] + j * si[1]. Items of `item` bytes.
 */
struct strided {
    char *out;
    const char *in;
    int64_t n[2], so[2], si[2];
    int64_t item;
    bool stream; /* bypass the caches where whole lines are written */
    bool clear;  /* fills that stream: see stria__cpu_clears_lines */
    bool fetch;  /* the source comes from far away: fetch ahead what lies apart */
    bool gaps;   /* so does the output, and stays as it is between items: fetch it ahead too */
    /*
     * Streamed rows of whole lines, 2 at least, whose last `seam` < LINE bytes lie, with a line
     * more, `elsewhere` bytes from where the row begins; 0: with the others.
     */
    int64_t seam, elsewhere;
    /* Kernels that say so go on where this moves out and in to; false, or NULL: nowhere. */
    bool (*next)(struct strided *t);
    void *walk; /* for next */
};

enum { ROWS_MOST = 128 }; /* of the source that are read side by side */

/*
 * Bytes that the stages of a transposition have for each line of a source row, and how many lines
 * of a row they are for at most. Two stages for so many fit into a first-level cache.
 */
enum {
    ROWS_STAGE = ROWS_MOST * LINE,
    LINES_MOST = 2,
    TRANSPOSE_STAGE = 2 * LINES_MOST * ROWS_STAGE
};

/* Rows of `bytes`, at in + at[i] for 0 <= i < n, that will be read soon. */
struct rows_ahead {
    const char *in;
    const int64_t *at;
    int64_t n, bytes;
};

/*
 * How a transposition goes on where both operands lie in the caches, but not in the first-level
 * one: `columns` of the source at a time, LANE bytes or a multiple of them; 0: along source rows.
 * Where the destination rows of so many fall onto few sets of the first-level cache, `few` of these
 * columns at a time, LANE bytes or a multiple of them; 0 elsewhere. They are visited over `height`
 * source rows, which are LINE bytes in the output or a multiple of them, or over all where that is
 * 0.
 */
struct column_slabs {
    int64_t columns, few, height;
};

/*
 * A block of a transposition: element (p, q), 0 <= p < np, 0 <= q < nq, lies at
 * out + out_at[p] + q * item and at in + in_at[q] + p * item. Rows of the source are dense in p,
 * rows of the destination dense in q, and each lies anywhere.
 */
struct transpose {
    char *out;
    const char *in;
    const int64_t *out_at, *in_at;
    int64_t np, nq;
    int64_t item;
    bool even;    /* out_at[p] is p * out_pitch, in_at[q] is q * in_pitch; but for SIZE_ANY there */
                  /* need be no tables then, unless stream, fetch or collide is set */
    bool in_even; /* the latter alone; it need not be told, but is faster */
    int64_t out_pitch, in_pitch; /* for those */
    bool stream;  /* out + out_at[p] is aligned to LINE for every p: bypass the caches */
    bool fetch;   /* the source comes from far away: fetch ahead */
    bool pair;    /* stream two neighbouring lines at once where that is possible */
    int64_t rows; /* when streaming: source rows to read side by side, at most ROWS_MOST, */
                  /* because they are far apart; 0 for no more than make a line or two */
    /* TRANSPOSE_STAGE bytes, aligned to LINE, for rows, and for fetch with collide; NULL: without.
     */
    char *stage;
    int64_t twofold;  /* of at most so many of them two lines each at once */
    const char *next; /* where the next block's `in` will be, to be fetched too; or NULL */
    struct column_slabs slabs;
    bool collide; /* neighbouring rows of the source fall onto few sets of the first-level cache */
    /* When streaming from a stage, where rows of a LINE each lie one behind the other: what is */
    /* fetched meanwhile; or NULL. */
    const struct rows_ahead *ahead;
};

/* An item of 1, 2, 4 or 8 bytes repeated in 8; false for any other size. */
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
 * Rows of a transposition on their way out. Row p, 0 <= p < np, belongs at out + out_at[p]; in the
 * stage it lies at rows + at[p], where at[p] is p * pitch and as many bytes as its first byte lies
 * behind the beginning of a line. rows and pitch are aligned to LINE; LINE bytes may be read and
 * written behind a row.
 */
struct staged_rows {
    char *out;
    const int64_t *out_at;
    char *rows;
    int64_t pitch;
    int64_t *at; /* then where the bytes that follow go */
    int64_t np, bytes;
    bool goes_on; /* from bytes before, of which those in the same line are still in the stage */
    bool ends;    /* nothing follows; as it must be when bytes is less than LINE */
    const char *next; /* rows of `run` bytes that will be read next, or NULL */
    const int64_t *next_at;
    int64_t nq, run;
};

/*
 * Items that are repeated: item i, 0 <= i < n, at in + i * si is to be at out + k * item for every
 * k from starts[i] to starts[i + 1], which is not less.
 */
struct repeats {
    char *out;
    const char *in;
    int64_t n, si, item; /* item: any number of bytes but 0 */
    const int64_t *starts;
};

/*
 * Bytes between what is read from memory and what is fetched meanwhile. What the hardware fetches
 * by itself ends with a page, and is less than memory can give beside streamed lines: 1.1 to 1.3
 * times as fast on an Emerald Rapids, with 2 to 16 KiB alike.
 */
enum { READ_ON = 4 << 10 };

/*
 * The same of what is written through the caches. From memory 1.2 times as fast on an Emerald
 * Rapids, from the second-level cache up to 1.1 times, with 512 to 4096 bytes alike.
 */
enum { WRITE_ON = 1 << 10 };

/* What is fetched for a byte of a row: the one `ahead` of it or, from `end` on, `then`. */
struct read_on {
    uintptr_t end, ahead, then;
};

/*
 * Rows that are long, or of which the next begins in a line of this one or in the one after, where
 * the hardware reads on.
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
 * In the course of rows, of so many bytes, `step` apart. Of short ones with gaps it is the same
 * place of a row some rows later, of others the next row goes on where the row ends. It may be no
 * address at all: nothing is read there.
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
 * Dense items on their way through `row`: so many bytes of them become as many of the output at a
 * time, whole lines, STREAMED_MOST at most. The row counts `n` items for that.
 */
struct streamed_piece {
    convert_row *row;
    int64_t n, in_bytes, out_bytes;
    int64_t places; /* of a long row at which pieces are converted by turns, at least 1 */
    struct read_on on;
};

enum { STREAMED_MOST = 1 << 10 };

/* What there is among some indices. */
enum {
    INDEX_NEGATIVE = 1,
    INDEX_BELOW = 2, /* less than -size */
    INDEX_ABOVE = 4  /* not less than size; negative ones too where one has overflown */
};

/*
 * A dim of what indices count, the fastest first: n elements, s bytes apart. factor and shift
 * divide any number that an index stands for by n, as a product and a shift; factor 0: divide.
 */
struct located_dim {
    int64_t n, s;
    uint64_t factor;
    int shift;
};

enum { LOCATED = 512 };

/* n <= LOCATED indices, s bytes apart, of i64; and of what: size elements in ndim dims. */
struct locate {
    const char *indices;
    int64_t s, n;
    int64_t size;
    enum beyond { NONE_BEYOND, WRAP_BEYOND, CLIP_BEYOND } beyond; /* an index outside of -size .. */
                                                                  /* size - 1, and if clipped of */
                                                                  /* 0 .. size - 1 */
    int ndim;
    const struct located_dim *dims;
};

struct stria_kernels {
    const char *isa;
    /* n dense bytes, best of those that the first-level cache holds with the output. */
    void (*copy)(char *out, const char *in, int64_t n);
    /* n dense bytes, whose output is prefetched. */
    void (*copy_far)(char *out, const char *in, int64_t n);
    /* The same, bypassing the caches. */
    void (*stream)(char *out, const char *in, int64_t n);
    /* So many pieces, one behind the other, bypassing the caches; out is aligned to LINE. */
    void (*stream_converted)(char *out, const char *in, const struct streamed_piece *piece,
                             int64_t pieces);
    /* Must follow the last call of those that bypass the caches, before other threads go on. */
    void (*fence)(void);
    /* Anything; rows of `item` bytes are SIZE_ANY. */
    void (*strided[SIZE_CLASSES])(const struct strided *t);
    /* Row j becomes n[0] copies of the item at in + j * si[1]; so[0] is the item, si[0] is 0. */
    void (*fill)(const struct strided *t);
    /* n dense bytes of the item that stria__repeat_item repeated, of which they are a multiple. */
    void (*fill_word)(char *out, int64_t n, uint64_t word);
    void (*repeat_each)(const struct repeats *t);
    /* Rows of items of 1 to 8 bytes, 1 to LANE - 1 bytes apart; so[0] is the item. Goes on. */
    void (*gather)(const struct strided *t);
    /*
     * Rows of items of up to LANE bytes, dense (si[0] is the item) or one repeated (0), to be
     * so[0] > item bytes apart, SPREAD at most. Goes on.
     */
    void (*scatter)(const struct strided *t);
    /*
     * n[0] planes, 2 to PLANES, to n[1] records, of items of 1, 2, 4 or 8 bytes: so[0] and si[1]
     * are the item, so[1] is n[0] items. Goes on.
     */
    void (*interleave)(const struct strided *t);
    void (*transpose[SIZE_CLASSES])(const struct transpose *t);
    void (*unstage)(const struct staged_rows *t);
    /*
     * The items of a row of n that the mask holds for, side by side, up to `end`, behind which none
     * may be; returns where the next one goes. Of the sizes with a kernel of their own, as below.
     */
    char *(*compress[SIZE_ANY])(char *out, const char *end, const char *in, const char *mask,
                                int64_t n);
    /*
     * The way back: the items of a row of n, so bytes apart, that the mask holds for become those
     * at in.
     */
    const char *(*expand[SIZE_ANY])(char *out, int64_t so, const char *in, const char *end,
                                    const char *mask, int64_t n);
    /* How many of n bytes are not 0. */
    int64_t (*count)(const char *mask, int64_t n);
    /*
     * first + i for each i < n whose byte of the mask is not 0, side by side, up to `end`, behind
     * which none may be; returns where the next one goes.
     */
    int64_t *(*find)(int64_t *out, const int64_t *end, const char *mask, int64_t n, int64_t first);
    /* What there is among n i64 indices, s bytes apart, of a dim; sizes beyond 2^62 are called
     * above too often. */
    unsigned (*survey_indices)(const char *indices, int64_t s, int64_t n, int64_t size);
    /* The bytes from the first element to those that indices stand for; their numbers for ndim 0.
     */
    void (*locate)(int64_t *out, const struct locate *t);
    const struct convert_kernels *convert;
    const struct map_kernels *map;
};

#endif
