/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers of a CPU that kernels are compiled with: how far ahead they prefetch, and from which
 * sizes on they go another way. Numbers that the engine decides by, and hands to kernels in their
 * arguments, are in engine/machine.h, which includes this file; there are no others. None of them
 * changes a result. Sizes are in bytes unless a comment says otherwise.
 *
 * What belongs to the shape of a kernel's code stays with it: lanes of a vector, rows that its
 * registers hold, room of an array on the stack.
 */
#ifndef STRIA_SIMD_TUNING_H
#define STRIA_SIMD_TUNING_H

/* ---- lines and pages ------------------------------------------------------------------------- */

enum {
    LINE = 64,        /* of a cache, the unit and alignment of non-temporal stores */
    PAGE = 4 << 10,   /* the hardware prefetcher stops at its end */
    WAY = 4 << 10,    /* of the first-level cache: lines so far apart share a set */
    L1_COPY = 4 * WAY /* the largest copy that stays in the first level with its source */
};

/* ---- dense rows ------------------------------------------------------------------------------ */

/*
 * READ_ON: the prefetch distance of reads from memory. The hardware prefetcher stops at the end of
 * a page and reaches less than the full bandwidth beside streamed lines: software prefetch is 1.1
 * to 1.3 times as fast on an Emerald Rapids, with any distance from 2 to 16 KiB.
 *
 * WRITE_ON: that of writes through the caches. From memory this is 1.2 times as fast on an Emerald
 * Rapids, from the second-level cache up to 1.1 times, with any distance from 512 to 4096 bytes.
 */
enum { READ_ON = 4 << 10, WRITE_ON = 1 << 10 };

/* Longer rows are copied by calls of memcpy: beside so many bytes a call costs nothing. */
enum { CALLED_ROW = 1 << 10 };

/*
 * ROW_BEGINNING: what is prefetched of a row before it is read. The hardware prefetcher has to
 * detect each row anew, which costs as much time as kilobytes of it take.
 *
 * ENDS_EARLY: the lines at the ends of streamed rows, which they share with others, are read before
 * they are written, and all stores wait for that, so that they are requested so far ahead.
 *
 * ROWS_EARLY, APART_EARLY: the distance of prefetches between short rows, and where they are two
 * lines apart or more.
 */
enum { ROW_BEGINNING = 8 << 10, ENDS_EARLY = 8 << 10, ROWS_EARLY = 1 << 10, APART_EARLY = 2 << 10 };

/*
 * Streamed rows that are read side by side: rows of SIDE_ROW or more whose bytes and SIDE_LESS
 * times the bytes of their gap come to SIDE_FROM. Of each, and of those that follow, SIDE_SOON is
 * prefetched.
 */
enum { SIDE_ROW = 1 << 10, SIDE_FROM = 3 << 10, SIDE_LESS = 4, SIDE_SOON = 2 << 10 };

/* ---- items that lie apart -------------------------------------------------------------------- */

/* Items of a row from memory, each in a line of its own, that are prefetched ahead. */
enum { ITEMS_EARLY = 32 };

/*
 * A line of which a part is written must be read first, which the hardware begins too late where it
 * sees stores only. A row is written GAPS_TURN bytes at a time while bytes GAPS_EARLY further on
 * are prefetched.
 */
enum { GAPS_TURN = 1 << 10, GAPS_EARLY = 4 << 10 };

/*
 * GATHER_FEW items in all, or less than GATHER_SHORT in a row, are copied one by one in the time
 * that preparing the shuffles of a gather takes. Rows that interleave in the input take turns of
 * GATHER_TURN lines, so that it comes from memory once, and steadily.
 *
 * STEPS_SHORT, STEPS_FEW: the same, in a row and in all, of the kernels of simd/steps.h, which load
 * whole lines (Zen 4); STEPS_LEFT items at the end of a row are as fast one by one. Every other
 * item of a row of STEPS_OTHER bytes of input is gathered as fast by lanes. Shorter rows than
 * STEPS_STREAMED are partial lines for the most.
 */
enum {
    GATHER_FEW = 256,
    GATHER_SHORT = 48,
    GATHER_TURN = 32,
    STEPS_SHORT = 12,
    STEPS_FEW = 48,
    STEPS_LEFT = 2,
    STEPS_OTHER = 16 << 10,
    STEPS_STREAMED = 512
};

/* ---- repeated items -------------------------------------------------------------------------- */

/*
 * Runs of up to FILL_LINES lines of an item are stored as lines that may overlap. Rows of fewer
 * than FILL_PATTERN items of an odd size, a different one in each, are written without a pattern.
 */
enum { FILL_LINES = 4, FILL_PATTERN = 64 };

/* ---- transpositions -------------------------------------------------------------------------- */

/*
 * TURNED_AHEAD: what is prefetched of the input ahead of the rows in use. Rows of less than
 * TURNED_WHOLE are prefetched whole, longer ones a line at a time.
 *
 * From the third-level cache into it, source rows are packed that make PACKED_RUN bytes of output,
 * up to PACKED_LINES lines of each, PACKED in all, which half of a first level of 32 KiB holds; so
 * many COLUMNS_EARLY the rows that will be stored are prefetched.
 *
 * SCRATCH_LINES: adjacent lines of a row that are read at once where a block comes from memory; two
 * of them take twice the time of four on a Zen 3.
 *
 * STRIP_COLUMNS, in lines of items: what of a single strip stays in the first level.
 */
enum {
    TURNED_AHEAD = 8 << 10,
    TURNED_WHOLE = 1 << 10,
    PACKED_RUN = 512,
    PACKED_LINES = 8,
    PACKED = 16 << 10,
    COLUMNS_EARLY = 16,
    SCRATCH_LINES = 4,
    STRIP_COLUMNS = 32
};

/* ---- blocks that change places -----------------------------------------------------------------
 */

/* Blocks of a cycle that are prefetched at a time, and so many bytes of each. */
enum { CYCLE_AHEAD = 16, CYCLE_BEGINNING = 2 << 10 };

/* ---- casts ----------------------------------------------------------------------------------- */

/*
 * Between these bytes of both operands, vectors of 32 bytes prefetch the wider side from the second
 * level into the first, so far ahead: 1.05 to 1.3 times as fast on an Emerald Rapids where a line
 * takes two loads or stores, and slower where it takes one.
 *
 * CAST_PLACE: the least bytes of input at each place where a streamed cast goes on by turns.
 */
enum {
    CAST_FETCHED_FROM = 48 << 10,
    CAST_FETCHED_TO = 1 << 20,
    CAST_OUT_AHEAD = 1 << 10,
    CAST_IN_AHEAD = 512,
    CAST_PLACE = 64 << 10
};

/* ---- elementwise ----------------------------------------------------------------------------- */

/*
 * Rows of up to JOINED_ROW items are computed together, and of up to JOINED_REPEATED where single
 * items are repeated for that: of more items a call for each row takes no longer (Zen 4).
 *
 * ALIGNED_ROW: of so many bytes of output the items before the first whole line are computed by
 * themselves. Where half of the stores meet two lines an addition takes 1.1 to 1.2 times as long
 * beyond the first-level cache (Zen 4).
 */
enum { JOINED_ROW = 10, JOINED_REPEATED = 32, ALIGNED_ROW = 4 << 10 };

/* ---- reductions ------------------------------------------------------------------------------ */

/*
 * How far ahead is prefetched: LEAVES_AHEAD where two leaves at once are read (3 to 6 KiB are
 * slower, Zen 4), DEVIATIONS_AHEAD of rows of deviations, whose arithmetic takes longer than memory
 * does. FETCHED_ROW bytes of a row are prefetched before a loop that compilers make vectors of.
 */
enum { LEAVES_AHEAD = 8 << 10, DEVIATIONS_AHEAD = 2 << 10, FETCHED_ROW = 1 << 10 };

#endif
