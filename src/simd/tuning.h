/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPU-dependent numbers that kernels are compiled with: prefetch distances, and the sizes from
 * which another loop pays. Numbers that the engine decides by, and passes to kernels as arguments,
 * are in machine/machine.h, which includes this file; there are no others. None of them changes a
 * result. Sizes are in bytes unless a comment says otherwise.
 *
 * Numbers that follow from the shape of a kernel's code stay with the kernel: lanes of a vector,
 * rows that fit its registers, sizes of arrays on the stack.
 */
#pragma once

/* ---- lines and pages ------------------------------------------------------------------------- */

enum {
    LINE = 64,        /* cache line; unit and alignment of non-temporal stores */
    PAGE = 4 << 10,   /* the hardware prefetcher stops at its end */
    WAY = 4 << 10,    /* of the first-level cache: lines at this distance share a set */
    L1_COPY = 4 * WAY /* largest copy that fits in the first-level cache with its source */
};

/* ---- dense rows ------------------------------------------------------------------------------ */

/*
 * READ_ON is the prefetch distance of reads from memory. The hardware prefetcher stops at the end
 * of a page and does not reach the full bandwidth beside streamed lines: software prefetch is 1.1
 * to 1.3 times as fast on an Emerald Rapids, with any distance from 2 to 16 KiB.
 *
 * WRITE_ON is the prefetch distance of writes through the caches. On an Emerald Rapids this is 1.2
 * times as fast from memory and up to 1.1 times from the second-level cache, with any distance from
 * 512 to 4096 bytes.
 */
enum { READ_ON = 4 << 10, WRITE_ON = 1 << 10 };

/* Longer rows are copied by copy_row(): the cost of a call is negligible for so many bytes. */
enum { CALLED_ROW = 1 << 10 };

/*
 * ROW_BEGINNING is how much of a row is prefetched before it is read. The hardware prefetcher must
 * detect each row anew, which takes as long as reading kilobytes.
 *
 * ENDS_EARLY is the prefetch distance of the partial lines at the ends of streamed rows. They are
 * shared with other rows, so they are read before they are written, and all later stores wait for
 * that.
 *
 * ROWS_EARLY and APART_EARLY are the prefetch distances between short rows, the latter if they are
 * more than two lines apart.
 */
enum { ROW_BEGINNING = 8 << 10, ENDS_EARLY = 8 << 10, ROWS_EARLY = 1 << 10, APART_EARLY = 2 << 10 };

/*
 * Streamed rows are read side by side if they have SIDE_ROW bytes or more, and their bytes plus
 * SIDE_LESS times the bytes of the gap between them reach SIDE_FROM. SIDE_SOON bytes of each row,
 * and of the rows that follow, are prefetched.
 */
enum { SIDE_ROW = 1 << 10, SIDE_FROM = 3 << 10, SIDE_LESS = 4, SIDE_SOON = 2 << 10 };

/* ---- items that lie apart -------------------------------------------------------------------- */

/* The prefetch distance, in items, if each item of a row is in another line in memory. */
enum { ITEMS_EARLY = 32 };

/*
 * A line that is written partially must be read first, and the hardware begins that too late if it
 * only sees stores. So a row with gaps is written GAPS_TURN bytes at a time while the bytes
 * GAPS_EARLY further on are prefetched.
 */
enum { GAPS_TURN = 1 << 10, GAPS_EARLY = 4 << 10 };

/*
 * Fewer than GATHER_FEW items in all, or GATHER_SHORT in a row, are copied one by one in the time
 * that a gather needs to prepare its shuffles. Rows that interleave in the input are gathered
 * alternately, GATHER_TURN lines at a time, so that the input comes from memory once and steadily.
 *
 * STEPS_SHORT and STEPS_FEW are the same limits for the kernels of simd/steps.h, which load whole
 * lines (Zen 4); STEPS_LEFT items at the end of a row are as fast one by one. From STEPS_OTHER
 * bytes of input on, every other item of a row is gathered as fast by lanes. Rows shorter than
 * STEPS_STREAMED would consist mostly of partial lines.
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
 * Runs of up to FILL_LINES lines are stored as lines that may overlap. A row of fewer than
 * FILL_PATTERN items is written without a pattern if each row has a different item of an odd size.
 */
enum { FILL_LINES = 4, FILL_PATTERN = 64 };

/* ---- transpositions -------------------------------------------------------------------------- */

/*
 * TURNED_AHEAD is the prefetch distance in the input. Rows shorter than TURNED_WHOLE are prefetched
 * whole, longer ones a line at a time.
 *
 * Between places in the third-level cache, as many source rows as make PACKED_RUN bytes of output
 * are packed, up to PACKED_LINES lines of each and PACKED bytes in all, which is half of a
 * first-level cache of 32 KiB. Destination rows are prefetched COLUMNS_EARLY rows before they are
 * stored.
 *
 * SCRATCH_LINES is how many adjacent lines of a row are read at once if a block comes from memory;
 * with two of them it takes twice as long as with four on a Zen 3.
 *
 * STRIP_COLUMNS, in lines of items, is how much of a single strip stays in the first-level cache.
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

/* ---- blocks that change places --------------------------------------------------------------- */

/* The number of blocks of a cycle that are prefetched at a time, and how many bytes of each. */
enum { CYCLE_AHEAD = 16, CYCLE_BEGINNING = 2 << 10 };

/* ---- casts ----------------------------------------------------------------------------------- */

/*
 * If both operands together have CAST_FETCHED_FROM bytes or more, but less than CAST_FETCHED_TO,
 * levels with vectors of 32 bytes prefetch the wider one from the second-level cache into the
 * first, CAST_OUT_AHEAD or CAST_IN_AHEAD bytes ahead. On an Emerald Rapids that is 1.05 to 1.3
 * times as fast where a line takes two loads or stores, but slower where it takes one.
 *
 * A streamed cast works at several places of a row alternately if each place has at least
 * CAST_PLACE bytes of input.
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
 * Several rows of up to JOINED_ROW items are computed in one kernel call, or of up to
 * JOINED_REPEATED items if single items must be repeated anyway. For longer rows a call for each
 * row takes no longer (Zen 4).
 *
 * If a row has ALIGNED_ROW bytes of output or more, the items before its first whole line are
 * computed separately. If half of the stores cross a line, an addition takes 1.1 to 1.2 times as
 * long beyond the first-level cache (Zen 4).
 */
enum { JOINED_ROW = 10, JOINED_REPEATED = 32, ALIGNED_ROW = 4 << 10 };

/* ---- reductions ------------------------------------------------------------------------------ */

/*
 * Prefetch distances: LEAVES_AHEAD if two leaves are read at once (3 to 6 KiB are slower on a Zen
 * 4), DEVIATIONS_AHEAD for rows of deviations, whose arithmetic takes longer than reading them.
 * FETCHED_ROW bytes of a row are prefetched before a loop that the compiler vectorizes.
 */
enum { LEAVES_AHEAD = 8 << 10, DEVIATIONS_AHEAD = 2 << 10, FETCHED_ROW = 1 << 10 };
