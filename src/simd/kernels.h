/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of one instruction set level: plain functions over at most two dims, which never fail
 * and never allocate. Each family is compiled once per level and exports one table of them
 * (level.h); src/machine/dispatch.c chooses a level once. Offsets and strides are in bytes, of any
 * sign; addresses need no alignment unless a comment says so; source and destination never overlap.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "convert.h"
#include "stria/plan.h"
#include "tuning.h"

/* The levels of all machines. A build has those that cmake/kernels.cmake chooses. */
enum kernel_level {
    LEVEL_scalar,
    LEVEL_generic,
    LEVEL_base,
    LEVEL_avx2,
    LEVEL_avx512,
    LEVEL_neon,
    KERNEL_LEVELS
};

/* Item sizes with kernels of their own. SIZE_ANY kernels are given the size. */
enum size_class { SIZE_1, SIZE_2, SIZE_4, SIZE_8, SIZE_16, SIZE_ANY, SIZE_CLASSES };

static inline enum size_class stria__size_class(int64_t item)
{
    switch (item) {
    case 1: return SIZE_1;
    case 2: return SIZE_2;
    case 4: return SIZE_4;
    case 8: return SIZE_8;
    case 16: return SIZE_16;
    default: return SIZE_ANY;
    }
}

enum {
    PLANES = 8,      /* largest number of planes that are interleaved at once */
    LANE = 16,       /* bytes of a source row that a transposition reads at a time */
    SPREAD = 16,     /* largest distance between scattered items, in bytes */
    STEPS_MOST = 4,  /* largest distance, in items, that is gathered from whole lines */
    UNROLLED_ROW = 8 /* strided copies of rows with fewer items have unrolled loops */
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
    bool fetch;  /* the source comes from memory: prefetch items far apart, streamed rows nearer */
    bool gaps;   /* the output comes from memory too and has gaps that must keep their bytes:
                    prefetch it */
    /*
     * If `tail` is not 0, rows are streamed and consist of whole lines, at least 2. The last `tail`
     * < LINE bytes of each are then read, as part of a whole line, `tail_at` bytes from the
     * beginning of the row.
     */
    int64_t tail, tail_at;
    /*
     * Kernels that are documented to continue call this after each two-dimensional part. It
     * advances out and in, or returns false at the end; NULL means a single part.
     */
    bool (*next)(struct strided *t);
    void *walk; /* argument of next */
};

enum { ROWS_MOST = 128 }; /* largest number of source rows that are read in parallel */

/*
 * The size of a transposition's buffer for one line of each source row, and the largest number of
 * lines per row. Two buffers of the largest size fit in a first-level cache.
 */
enum {
    ROWS_STAGE = ROWS_MOST * LINE,
    LINES_MOST = 2,
    TRANSPOSE_STAGE = 2 * LINES_MOST * ROWS_STAGE
};

/*
 * The loop order of a transposition whose operands are in the caches, but not in the first-level
 * cache: `columns` bytes of source columns at a time, a multiple of LANE, or along source rows if
 * that is 0. If the destination rows of so many columns fall onto few sets of the first-level
 * cache, only `few` of these bytes are visited at a time, a multiple of LANE, otherwise 0. They are
 * visited over `height` source rows, which make a multiple of LINE bytes of output, or over all
 * rows if that is 0.
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
     * out_at[p] is p * out_pitch and in_at[q] is q * in_pitch. Then the tables may be NULL unless
     * stream, fetch or collide is set, or the size is SIZE_ANY.
     */
    bool even;
    bool in_even;                /* in_at[q] is q * in_pitch; only makes it faster */
    int64_t out_pitch, in_pitch; /* distances of rows for even and in_even */
    bool scratch;                /* the source comes from memory, the output is scratch memory */
    int64_t lines_ahead;         /* number of lines that are prefetched ahead if `scratch` */
    bool stream;  /* store non-temporally; out + out_at[p] is aligned to LINE for every p */
    bool fetch;   /* the source comes from memory: prefetch it */
    bool pair;    /* stream two adjacent lines at once where possible */
    int64_t rows; /* when streaming: number of source rows to read in parallel, at most */
                  /* ROWS_MOST, because they are far apart; 0: as many as fill a line or two */
    /* TRANSPOSE_STAGE bytes, aligned to LINE, for `rows`, and for fetch with collide; or NULL. */
    char *stage;
    int64_t two_line_rows; /* if there are at most this many rows, two lines of each are read at
                              once */
    const char *next;      /* address of the next block's `in`, to be prefetched too, or NULL */
    struct column_slabs slabs;
    bool collide; /* neighbouring source rows fall onto few sets of the first-level cache */
};

struct pattern; /* See pattern.h. */

/* `lines` lines of each of some rows, which are prefetched, or stored from scratch at `in`. */
struct lines_of_rows {
    char *out; /* where stored lines go; unused, like out_pitch, for prefetched ones */
    const char *in;
    int64_t lines, rows, in_pitch, out_pitch;
};

/*
 * The transposition of a line of each of nq source rows to LINE / item rows of nq items in scratch.
 * nq is a multiple of LINE / item and at most ROWS_MOST. Meanwhile other lines are prefetched and
 * stored, a few at a time.
 */
struct turned_tile {
    char *out;
    const char *in;
    int64_t out_pitch, pitch, nq;
    char *stage;       /* ROWS_STAGE bytes, aligned to LINE */
    const char *ahead; /* as many source rows, equally far apart, to be prefetched; or NULL */
    const struct lines_of_rows *later; /* `count` other groups of lines that are prefetched */
    int count;
    struct lines_of_rows stored; /* lines that are stored non-temporally, aligned to LINE */
};

/* Fills a word with copies of an item of 1, 2, 4 or 8 bytes; returns false for any other size. */
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
 * belongs at out + out_at[p]. In the buffer it is at rows + at[p], where at[p] is p * pitch plus
 * the offset of the row's first byte in its line of the output. rows and pitch are aligned to LINE,
 * and LINE bytes after a row may be read and written.
 */
struct staged_rows {
    char *out;
    const int64_t *out_at;
    char *rows;
    int64_t pitch;
    int64_t *at; /* advanced to the position of the bytes that follow */
    int64_t np, bytes;
    bool goes_on;           /* earlier bytes of the first line are still in the buffer */
    bool ends;              /* nothing follows; must be set if bytes is less than LINE */
    const char *next;       /* rows of `run` bytes to be read next, or NULL */
    const int64_t *next_at; /* NULL: they are adjacent */
    int64_t nq, run;
};

/*
 * Repetition of items: item i, 0 <= i < n, at in + i * si, is copied to out + k * item for
 * starts[i] <= k < starts[i + 1]; starts never decreases.
 */
struct repeats {
    char *out;
    const char *in;
    int64_t n, si, item; /* item is any size but 0 */
    const int64_t *starts;
};

/* Byte `at` of a row prefetches at + ahead or, if that is not below `end`, at + then. */
struct read_on {
    uintptr_t end, ahead, then;
};

/*
 * Tells whether the hardware prefetcher can follow: rows are long, or the next row begins in the
 * last line of this one or in the line after.
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
 * Computes the prefetches for rows of `bytes` bytes that are `step` apart. Short rows with gaps
 * prefetch the same position of a later row; others continue in the next row after their end. The
 * address may be invalid, because it is only prefetched.
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

/* `row` converts n dense items to out_bytes bytes, whole lines and at most STREAMED_MOST. */
struct streamed_piece {
    convert_row *row;
    int64_t n, in_bytes, out_bytes;
    int64_t places; /* places of a long row at which pieces are converted alternately, at least 1 */
    struct read_on on;
};

enum { STREAMED_MOST = 1 << 10 };

/* The flags of survey_indices(). */
enum {
    INDEX_NEGATIVE = 1,
    INDEX_BELOW = 2, /* less than -size */
    INDEX_ABOVE = 4  /* not less than size; also set for some negative indices, where a sum
                        overflows */
};

/*
 * A dim of the indexed elements, fastest first: n elements, s bytes apart. A number below the size
 * is divided by n as a product with `factor` and a shift; if factor is 0, by a division.
 */
struct located_dim {
    int64_t n, s;
    uint64_t factor;
    int shift;
};

enum { LOCATED = 512 };

/* How indices name elements, of which there are `size`. */
struct locate {
    int64_t size;
    /* The treatment of an index outside of -size .. size - 1; clipping is to 0 .. size - 1. */
    enum beyond { NONE_BEYOND, WRAP_BEYOND, CLIP_BEYOND } beyond;
    int ndim; /* 0 where the numbers of the elements are wanted, and not their bytes */
    struct located_dim dims[STRIA_MAX_NDIM];
};

struct stria_kernels {
    enum kernel_level level; /* at which the tables of other families lie, see machine/families.h */
    const char *isa;
    /* Copies n dense bytes; best if the first-level cache holds them and the output. */
    void (*copy)(char *out, const char *in, int64_t n);
    /* Copies n dense bytes and prefetches the output. */
    void (*copy_far)(char *out, const char *in, int64_t n);
    /* Copies n dense bytes with non-temporal stores. */
    void (*stream)(char *out, const char *in, int64_t n);
    /* Converts adjacent pieces and stores them non-temporally. out is aligned to LINE. */
    void (*stream_converted)(char *out, const char *in, const struct streamed_piece *piece,
                             int64_t pieces);
    /* Orders non-temporal stores before accesses of other threads; call it after the last one. */
    void (*fence)(void);
    /* Copies elements between any strides; SIZE_ANY copies rows of `item` bytes. */
    void (*strided[SIZE_CLASSES])(const struct strided *t);
    /*
     * Tells whether the strided kernel of this size streams these rows of items at a short constant
     * distance. Otherwise only SIZE_ANY streams.
     */
    bool (*streams_steps)(const struct strided *t);
    /* Fills row j with n[0] copies of the item at in + j * si[1]; so[0] is the item, si[0] is 0. */
    void (*fill)(const struct strided *t);
    /* Fills n dense bytes with a word of stria__repeat_item(); n is a multiple of the item. */
    void (*fill_word)(char *out, int64_t n, uint64_t word);
    void (*repeat_each)(const struct repeats *t);
    /*
     * Gathers rows of items of 1 to 8 bytes, 1 to LANE - 1 bytes apart; so[0] is the item.
     * Continues.
     */
    void (*gather)(const struct strided *t);
    /*
     * Scatters rows of items of up to LANE bytes to a distance so[0], with item < so[0] <= SPREAD.
     * The source is dense (si[0] is the item) or one repeated item (si[0] is 0). Continues.
     */
    void (*scatter)(const struct strided *t);
    /*
     * Interleaves n[0] planes, 2 to PLANES, of items of 1, 2, 4 or 8 bytes to n[1] records: so[0]
     * and si[1] are the item, so[1] is n[0] items. Continues.
     */
    void (*interleave)(const struct strided *t);
    /*
     * Copies blocks by a pattern: block i of row j lies at out + i * so[0] + j * so[1] and comes
     * from in + i * si[0] + j * si[1]; the last one of a row has places of its own. NULL where a
     * level has no shuffles. Continues.
     */
    void (*pattern)(const struct strided *t, const struct pattern *p);
    int pattern_width, pattern_chunk; /* The widest vectors, and the largest chunks. */
    void (*transpose[SIZE_CLASSES])(const struct transpose *t);
    /* For items of 1 to 8 bytes; NULL for others, and where a level has no vectors. */
    void (*turn_tile[SIZE_CLASSES])(const struct turned_tile *t);
    void (*unstage)(const struct staged_rows *t);
    /*
     * Packs the items of a row of n whose mask byte is true at out, writing nothing after `end`,
     * and returns the end of the packed items. For sizes with kernels of their own, as the next
     * ones.
     */
    char *(*compress[SIZE_ANY])(char *out, const char *end, const char *in, const char *mask,
                                int64_t n);
    /*
     * Distributes the packed items at `in` to the items of a row of n, `so` bytes apart, whose mask
     * byte is true; returns the first packed item that is left.
     */
    const char *(*expand[SIZE_ANY])(char *out, int64_t so, const char *in, const char *end,
                                    const char *mask, int64_t n);
    /* Counts the bytes of the mask that are not 0. */
    int64_t (*count)(const char *mask, int64_t n);
    /*
     * Lists first + i for each i < n with a nonzero mask byte, up to `end`; returns the list's end.
     */
    int64_t *(*find)(int64_t *out, const int64_t *end, const char *mask, int64_t n, int64_t first);
    /*
     * Returns the INDEX_ flags of n adjacent i64 indices, which are read once and copied unless
     * `copy` is NULL; INDEX_BELOW and INDEX_ABOVE may be wrong for sizes beyond 2^62.
     */
    unsigned (*survey_indices)(int64_t *copy, const char *indices, int64_t n, int64_t size);
    /*
     * Replaces n <= LOCATED indices, none of which is to be refused, by the byte offsets of the
     * elements that they name, or by the numbers of these.
     */
    void (*locate)(int64_t *indices, int64_t n, const struct locate *how);
    const struct convert_kernels *convert;
};
