/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Beliefs about every CPU: numbers that do not follow from what one has (those are
 * in machine.h), with what they were measured on. None of them changes a result. Sizes are in bytes
 * unless something else is said. A number without a remark was fitted to the suites of the
 * benchmark.
 */
#pragma once

#include "simd/tuning.h"

enum { KIB = 1 << 10, MIB = 1 << 20, GIB = 1 << 30 };

enum {
    /*
     * ---- address caches and prefetcher ----
     *
     * 48 entries in the first level is what the smallest of the address caches had when the costs
     * of moves were fitted (Zen 4: 72, Golden Cove: 96, other data needs some), and 1536 is the
     * second level of Zen 2 and Skylake; larger ones only gain from more than is counted on.
     */

    PAGES_L1 = 48,       /* Pages that can be visited in turn at no cost. */
    PAGES_L2 = 1536,     /* Pages that can be visited in turn without a walk of page tables. */
    RUN_FOLLOWED = PAGE, /* Bytes of a run in which the hardware reads ahead by itself. */

    /*
     * ---- conflict misses, and what fits ----
     *
     * First-level caches have 8 ways or more, and second-level ones 8 (Skylake) to 16.
     *
     * FEW_SETS: lines in less than a sixth of the sets of the first level cost more to fetch again
     * (Zen 4). PADDED_PERIOD: rows of scratch that are a multiple of an eighth of a WAY apart would
     * fill every eighth set. FITS_L1: up to 24 KiB of output, tiles that visit two lines of each
     * source row are no faster than others (Zen 4; a first level of 48 KiB holds so much with its
     * input).
     */

    WAYS_FOR_INPUT =
        6, /* Ways of each set of a cache that the input may use, beside the lines of the output. */
    WAYS_FOR_ROWS = 4, /* The same for the first level, where prefetched lines lie, too. */
    L2_WAYS_LEAST = 8, /* Ways of the second level, for source rows that are read side by side. */
    FEW_SETS = 6,      /* Up to a sixth of the first level's sets counts as few. */
    PADDED_ROW = 4 * LINE, /* Rows of scratch of at least so many bytes begin on lines. */
    /* Such rows get one line more if they are a multiple of so many bytes. */
    PADDED_PERIOD = WAY / 8,
    FITS_L1 = 24 * KIB, /* The first level holds so much output with as much input. */
    FEW_ITEMS = 256,    /* Lines that are fetched again are not counted for fewer items. */

    /*
     * ---- dense runs ----
     *
     * COPY_BEHIND: where the output lies a little behind the input within a page of 4 KiB, however
     * far apart they are, `rep movsb` moves 7 GB/s on a Zen 4 with 1 to 15 bytes between them, 60
     * to 85 with 16 to 63, and 100 elsewhere. Loops move 95 to 115 at any distance.
     *
     * LONG_RUN, LONG_ITEMS, LONG_REPEAT: a partial line is read before it is written, which costs
     * little beside so many whole ones. GAP_SHARE: the caches write runs with gaps of two or three
     * lines like one run where gaps are a twelfth of them.
     *
     * FOREIGN_RUN: where messages between two ranks of Open MPI 4.1 on a Zen 4 are as fast by a
     * datatype as by a dense copy (bench/mpi/compare.c); packs alone are between 24 and 1024 bytes,
     * in the caches of an Emerald Rapids, for Open MPI 4.1 and 5.0, MPICH 4.0 and 5.0.
     *
     * RUN_PIECE: up to twice of that where the runs of input would be shorter than RUN_PIECE_ROW.
     * Tiles of pieces stay in the first level.
     */

    /* If the output lies less than this behind the input, within 4 KiB, COPY_BY_STRING uses vector
     * registers. */
    COPY_BEHIND = 64,
    LONG_RUN = KIB, /* Bytes of a run beside which the partial lines at its ends cost little. */
    LONG_ITEMS = STEPS_STREAMED, /* Bytes of a row of gathered items that is long enough. */
    LONG_REPEAT = 512,           /* Bytes of a run of one repeated element that is long enough. */
    FOREIGN_RUN = 512,           /* Bytes of a run that other libraries copy as fast. */
    GAP_SHARE = 12,       /* A short gap counts as none if the run is so many times as long. */
    SPARSE_STEP = 8,      /* Items are too far apart if their step is so many times their size. */
    RUN_PIECE = 32 * KIB, /* Bytes that a piece of a dense run writes. */
    RUN_PIECE_ROW = 2 * LINE, /* Least bytes of each source row that a piece should read. */
    RUN_PIECE_TILE = 8 * KIB, /* Bytes of the tiles of a piece. */

    /*
     * ---- transposed tiles ----
     *
     * TILE_RUN, TILE_ROW: the hardware prefetcher follows rows of a page of the input, and the
     * constant step between rows of the output. TILE_WHOLE: of a smaller matrix it takes longer to
     * cut tiles than to transpose it. STAGE_RUN, STAGE_ROW: the buffer stays in the second level.
     * STAGE_WHOLE_RUN: rows of so many bytes lie side by side in the input, so that memory is read
     * in order.
     */

    TILE_RUN = PAGE, /* Bytes of a tile in a row of the input, and in one of the output. */
    TILE_ROW = KIB,
    TILE_WHOLE = 64,          /* Most items along each side of a matrix that is one tile. */
    TILE_STREAMED = 16 * KIB, /* Bytes of a whole streamed tile, if that is less. */
    /* Bytes of a row of the output that source rows read side by side should make. */
    SIDE_BY_SIDE_PIECE = 512,
    STAGE_RUN = 256, /* Bytes of the buffer in a row of the input, and in one of the output. */
    STAGE_ROW = 384,
    STAGE_WHOLE_RUN = 2 * KIB, /* Rows of the input of up to so many bytes are read whole. */
    /* If there are so few rows of the output, the buffer has the next number of bytes of each. */
    STAGE_FEW = 4,
    STAGE_FEW_ROW = 2 * KIB,
    /* Bytes up to which rows of the output are finished before others begin. */
    STAGE_FINISHED_ROW = 2 * KIB,
    /* Bytes of adjacent rows that a tile of short rows takes in either operand. */
    ROWS_TILE_RUN = KIB,
    ROWS_TILE_LEAST = 2 * KIB, /* Smaller tiles do not pay. */

    /*
     * ---- rows that come from memory ----
     *
     * STREAM_READS: non-temporal stores save less than the way through scratch costs where little
     * is written: `less` of f32, a byte for eight, took 1.7 times as long on a Zen 1, but f32 to
     * u8, one for four, 0.8 times. CAST_PIECE: reading and writing go on side by side when neither
     * waits long for the other (768 bytes are best on an Emerald Rapids and a Zen 4).
     */

    STREAM_READS = 6,       /* Results are not streamed if so many times as much is read. */
    CAST_PIECE = 12 * LINE, /* Bytes of both operands that a streamed cast converts at a time. */
    CAST_ROW = 4 * KIB,     /* Bytes of output of the shortest row that a streamed cast takes. */

    /*
     * ---- programs ----
     *
     * FAR_STRIP: nothing is read while a strip is stored past the caches, so that shorter ones
     * leave the hardware less to catch up on: i64 [::3] to f64 takes 0.75 of the time with 6 KiB
     * instead of 10.7, f32 [::-1, ::-2] to i32 0.7; with 3 KiB more of them are slower (Zen 4).
     *
     * STREAMED_PIECE, STREAMED_AHEAD: f32 additions and `where` from memory on a Zen 5, where
     * pieces of 2 to 6 KiB and prefetches from 1 to 4 KiB ahead are within 10 %; `where` without
     * prefetches takes three times as long. Rows of a block begin on other pages, before which the
     * hardware does not read ahead: A + B.T takes 12.4 ms with BLOCK_PIECE and its prefetches,
     * and 14.5 with those of whole rows (Zen 4).
     *
     * JOINED_ITEMS, DIRECT_ITEMS, CALL_ROWS: of so few a call of a kernel is much of the work.
     * KEPT_FROM: the cost of planning does not matter beside so much, and one thread is enough
     * below.
     *
     * PANEL_ROW: sums of 4096^2 and 8192x2048 f32
     * and f64 from memory on a Zen 4 take 1.1 to 1.3 times as long with 512 bytes, since rows of A
     * that are read in longer pieces come faster, and 1.0 to 1.4 times with 2 KiB, as more rows of
     * B are read side by side. Where all inputs are transposed, panels of one tile are better:
     * f32.T to bf16 takes .85 of the time of such wide ones (Zen 5).
     */

    /* Bytes of the values of a strip whose inputs are gathered from memory and whose output is
     * streamed. */
    FAR_STRIP = 6 * KIB,
    BLOCK_ROWS_ROW = 2 * KIB, /* Bytes of output in a row of a block. */
    BLOCK_ROWS_LEAST =
        512, /* Least bytes of such a row, also on either side if the output is transposed. */
    BLOCK_ROWS_RUN = 4 * LINE, /* Bytes of a transposed operand in each of its own rows. */
    STREAMED_PIECE =
        /* Bytes of all operands in a piece of a row whose result is stored non-temporally. */
    3 * KIB,
    STREAMED_AHEAD = KIB, /* Bytes from such a piece to the place that is prefetched meanwhile. */
    BLOCK_PIECE = 3 * KIB / 2, /* The same two numbers for rows of a block that was transposed. */
    BLOCK_PIECE_AHEAD = 2 * KIB,
    PIECE_OUTPUT = KIB, /* Most bytes of output in a piece. */
    /* Number of instructions with which calls of kernels for short pieces are much of the work. */
    PIECE_CALLS = 8,
    PIECE_SCRATCH = 16 * KIB, /* Most bytes of all values that a piece makes. */
    /* Bytes of all operands, for each input, from which adjacent rows are taken. */
    ADJACENT_ROW = 512,
    UNFETCHED_INPUTS = 4, /* Programs of so many inputs are left to the hardware prefetcher. */
    JOINED_ITEMS = 32,    /* Rows of fewer items are joined to longer ones. */
    DIRECT_ITEMS = 64,    /* Kernels take so few items in all at any strides, */
    DIRECT_LINE = 1024,   /* and so few in one row. */
    DIRECT_ROW = 16, /* Kernels of small operations take rows of so many items at any strides. */
    CALL_ROWS = 8,   /* A call of fewer rows exchanges them for the longest dim. */
    PREPARED_STRIPS = 4,        /* Instructions are prepared for at least so many strips. */
    KEPT_FROM = 128 * KIB,      /* Bytes of output beside which planning costs nothing. */
    PANEL_ROW = KIB,            /* Bytes of a row of the output in a panel of a program. */
    PANEL_TILE = 48 * KIB,      /* Bytes of all values of a tile of a panel. */
    PANEL_LEAST_ROW = 2 * LINE, /* Least bytes of the rows of the output. */
    PANEL_LINES = 4,            /* Least number of rows of the output, in lines of its items. */

    /*
     * ---- reductions and scans ----
     *
     * PASSED_WIDTH: sums of rows of 2 to 8 f32 from memory take 0.6 to 0.8 of the time that they
     * take in tiles of 1024 outputs, if results are stored non-temporally, too (Zen 4). RUNS_BLOCK:
     * 64 MiB of f32 in runs of 128 and 256 are summed 2.3 and 3 times as fast in blocks of as many
     * bytes, at most, as leaf by leaf (Zen 4). TURNED_ROW: fewer elements take a fraction of the
     * time side by side as columns; of first extremes more, since their rows are visited twice.
     * ROWS_PASSED: short rows come in narrow tiles, which let results be written while the next
     * elements are on their way. REDUCE_PANEL_STORE: 4096 columns of 32,000 elements. SCAN_STATES:
     * three numbers for each line. SCAN_FLOATS: along one line every result waits for the one
     * before it, four cycles where floats are added or multiplied; integers take one.
     */

    PASSED_WIDTH = 512,     /* Outputs of a tile of few elements each that come from memory. */
    RUNS_BLOCK = 4 * KIB,   /* Most bytes of a block of several runs of a row from memory. */
    TURNED_ROW = 96,        /* Rows of up to so many bytes are turned into columns. */
    TURNED_FIRST = 96,      /* The same, in elements, for the first place of an extreme. */
    STAGED_ROWS = 4,        /* Outputs of a tile of long rows in scratch. */
    COMPUTED_TIMES = 2,     /* A tile that a program makes has so many times as many elements. */
    ACROSS_ROWS = LINE / 4, /* Rows that use up the lines of an input that lies across them. */
    NARROW_COLUMNS = 8, /* Adjacent columns, up to this number, are taken many rows at a time. */
    RUN_CALLED = 64,    /* Elements of a run for which a call of its own pays. */
    RUNS_TOGETHER = 8,  /* Short runs of a row from memory that make one block. */
    ROWS_PASSED = 5,    /* Results of so few rows from memory are written at once. */
    REDUCE_PANEL_ROW = 512,          /* Bytes of a row of a tile of a panel. */
    REDUCE_PANEL_NEAR_ROW = 2 * KIB, /* The same if the input does not come from memory. */
    REDUCE_PANEL_STORE = 4 * MIB,    /* Bytes of leaves that wait to be joined. */
    REDUCE_PANEL_LEAVES = 64,        /* Least number of leaves of a panel. */
    REDUCE_PANEL_COLUMNS = 32,       /* A block of so many columns is gathered at once instead. */
    SCAN_LINES = 256,                /* Lines of a gathered tile if lines are long. */
    SCAN_STATES = KIB,               /* Lines whose state stays in the first level. */
    SCAN_CALLED = 8,                 /* Lines from which a call for each row of them pays. */
    SCAN_TURNED = 64,                /* Lines that are scanned side by side. */
    SCAN_FLOATS = 512,               /* Most elements of such lines, for floats and for integers. */
    SCAN_INTEGERS = 32,

    /*
     * ---- public walks, transpositions in place, indexing, hashes ----
     *
     * WALK_INNER: conflict misses leave room for few lines. HASH_DIRECT: a call of the hash costs
     * as much as half a kilobyte of it, and so does gathering. HASH_NEAR: mostly in the first
     * level, beside the rows that are gathered into it.
     */

    WALK_INNER = 16,          /* Least elements of an inner dim of a block. */
    WALK_INNER_FEW = 8,       /* The same if three inner dims or more multiply. */
    WALK_INNER_MOST = 64,     /* Elements of an inner dim that are all on lines of their own. */
    WALK_LAST = 512,          /* Elements of the last dim. */
    SQUARE_ROW = 256,         /* Bytes of a row of a tile. */
    SQUARE_SIDE = 64,         /* Most runs along a side of a tile. */
    SQUARE_RUN = 64 * KIB,    /* Bytes of a run that are swapped at once. */
    RECTANGLE_LONG_RUN = KIB, /* Moves along cycles have full speed with runs of so many bytes. */
    /* Two more passes pay for columns of a panel that are shorter than this. */
    RECTANGLE_SPLIT_BELOW = 256,
    RECTANGLE_SQUARES_BELOW = 3 * KIB / 2, /* The same for columns of slabs that are squares. */
    RECTANGLE_SPLIT_LEAST = 512, /* Least and most bytes of the runs that these passes move. */
    RECTANGLE_SPLIT_MOST = 8 * KIB,
    INDEXING_FEW = 8,             /* Rows of so few items are taken side by side. */
    INDEXING_FEW_OWN = 3,         /* The same for rows that have indices of their own. */
    INDEXING_ROW = 4,             /* So many items with one index are moved as a row. */
    INDEXING_COLUMNS_LEAST = 128, /* Least rows that are taken side by side. */
    INDEXING_COLUMNS_MOST = 4096, /* Most rows that are taken side by side. */
    INDEXING_ORDERED = 256,       /* Up to so many items may be copied in order first. */
    INDEXING_ORDERED_SHARE = 4,   /* They are copied if at least one in so many of them is taken. */
    MASK_FEW = 32,                /* Fewer bytes of a mask are examined one by one. */
    MASK_ROW = 64,                /* Kernels select by a mask in rows of at least so many items. */
    MASK_ITEMS = 128,             /* Kernels select by a mask if it has at least so many items. */
    HASH_NEAR = 12 * KIB,         /* Bytes that are gathered at a time for a hash. */
    HASH_LARGE = MIB,         /* Larger arrays are gathered in as many bytes as the buffer holds. */
    HASH_DIRECT = 700,        /* A run of so many bytes is hashed without a copy. */
    NUMBERS_DIRECT = 4 * KIB, /* A run of so many bytes is sorted or counted without a copy. */
    REPEAT_ITEM = 256,        /* Longer items are repeated from memory, others from a copy. */
    TRIANGLE_SMALL = 64 * KIB, /* A triangle of up to so many bytes is copied row by row. */

    /*
     * ---- threads ----
     *
     * GRAIN: a sum of two f32 arrays in cache on two threads instead of one took 4.4 to 5.3 us at
     * 256 KiB in all, 9.5 to 8.4 us at 512 KiB, 38 to 28 us at 2 MiB (Zen 4, libgomp, bench
     * walk_threads). SHARE_RUNS: where two threads read every other kilobyte of the same memory,
     * the prefetcher of each reads on into what is the other's, and both together are slower than
     * one (Xeon).
     */

    GRAIN = 256 * KIB,     /* Bytes of memory traffic for which a thread pays. */
    GRAIN_CYCLES = 20000,  /* Cycles of arithmetic for which a thread pays. */
    SHARE_RUNS = 16 * KIB, /* Bytes of adjacent pieces of memory that different threads may take. */
    SHARE_PIECES = 16,     /* Pieces of rows that each thread of a reduction should get. */
    SHARE_ROW = KIB,       /* Least bytes of a row of columns for each thread. */
};
