/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the library believes about the CPU that it runs on. Every size, threshold or cost that
 * stands for a cache, the address cache, the prefetcher, the memory behind them or the speed of a
 * kernel is a field here, and machine/ says where it comes from and on what it was measured. What a
 * CPU has is asked of it once; thresholds follow from that, so that one that nobody measured gets
 * its own. Numbers that kernels are compiled with are in simd/tuning.h. Sizes of arrays are where
 * the arrays are.
 *
 * Sizes are in bytes. Unless a comment says otherwise they are bytes of output, since a copy reads
 * as many as it writes.
 */
#ifndef STRIA_SRC_ENGINE_MACHINE_H
#define STRIA_SRC_ENGINE_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/caches.h"
#include "engine/cycles.h"
#include "simd/tuning.h"

/*
 * How a move writes its output, and what it waits for meanwhile: these differ in how soon
 * non-temporal stores are faster than stores through the caches.
 */
enum stria__write {
    WRITE_RUN,       /* one dense run that is read as such */
    WRITE_REPEATED,  /* runs of one element, or of a block that lies in the caches */
    WRITE_BACKWARDS, /* dense, read backwards */
    WRITE_ITEMS,     /* item by item, a few of them at a time at best */
    WRITE_ROWS,      /* rows of some bytes, which are dense in both operands */
    WRITE_TILES,     /* transposed tiles */
    WRITE_RESULTS,   /* what a program computes */
    WRITES
};

#define STREAM_NEVER INT64_MAX

struct stria__machine {
    /* ---- what the CPU and the system tell ---- */

    struct stria__cache l1, l2, l3; /* of data; l3 is all zeros where there is none */
    bool clears_lines;              /* see stria__cpu_clears_lines */

    /* ---- address caches and prefetcher ---- */

    int64_t page;          /* bytes that one entry of the address caches stands for */
    int64_t pages_l1;      /* pages that can be visited in turn at no cost */
    int64_t pages_l2;      /* pages that can be visited in turn without a walk of page tables */
    int64_t rows_followed; /* rows that the hardware reads ahead in at once; 0: not worth a limit */
    int64_t run_followed;  /* a run of so many bytes it reads ahead in by itself */

    /* ---- conflict misses ---- */

    int64_t ways_for_input; /* of each set of a cache, beside the lines of the output */
    int64_t ways_for_rows;  /* the same of the first level, beside output and prefetched lines */
    int64_t l2_ways_least;  /* of the second level, for source rows that are read side by side */
    int64_t l2_period;      /* lines so far apart, at least, share a set of the second level */
    int64_t few_sets;       /* one in so many sets of the first level are few */
    int64_t padded_row; /* rows of scratch of so many bytes begin on lines, but not all of them */
    int64_t padded_period; /* a multiple of so many bytes apart */
    int64_t slab_columns;  /* from so many output rows for each source row on, transpositions go
                              slab by slab even where there are no such misses */

    /* ---- what fits ---- */

    int64_t near_l1;     /* stays in the first level beside other operands */
    int64_t fits_l1;     /* the first level holds so much with as much input */
    int64_t fits_l2;     /* the same of the second level */
    int64_t lies_in_l2;  /* of less than that, the input is taken to lie in the second level */
    int64_t repeats;     /* a block that is copied many times should be no larger */
    int64_t repeats_few; /* copies of a block that come to less in all are not worth streaming */
    int64_t many_items;  /* from so many items on, a second pass over them may pay, */
    int64_t few_items;   /* and of fewer no lines are counted that are fetched again */

    /* ---- what comes from memory: bytes from which the input is prefetched by hand ---- */

    int64_t far_items;  /* items that lie apart; bytes of the lines that are read */
    int64_t far_boxes;  /* boxes with gaps; bytes of both operands */
    int64_t far_lines;  /* lines that are visited more than once */
    int64_t far_gaps;   /* an output with gaps, with them */
    int64_t far_stream; /* bytes of input whose rows are handed on in order */

    /* ---- dense copies through the caches ---- */

    int64_t copy_near; /* up to so many bytes the widest registers of the CPU are fastest */
    enum stria__copier {
        COPY_BY_LIBRARY,    /* memcpy */
        COPY_BY_STRING,     /* stria__cpu_move_string */
        COPY_BY_LOOP        /* those registers, and the output is prefetched */
    } copier;               /* of what is longer */
    int64_t copy_behind;    /* COPY_BY_STRING: less than so far behind the input, within 4 KiB, the
                               output is written by those registers */
    int64_t copy_rows_from; /* rows of so many bytes are copied so too, beyond the first level */

    /*
     * ---- non-temporal stores: the traffic from which they pay ----
     *
     * Traffic is the bytes that are written and twice the bytes of the lines that are read, since a
     * line that the caches have dropped is waited for where it is read, and not where it is
     * written.
     */

    int64_t stream_from[WRITES];
    int64_t stream_rows_as_runs; /* rows of so many bytes count as WRITE_RUN */
    int64_t
        stream_lines_from; /* WRITE_TILES whose rows are whole lines; STREAM_NEVER: no difference */
    int64_t
        stream_gaps_from; /* rows with gaps between them, at most; STREAM_NEVER: no difference */

    /* ---- runs that are worth streaming: bytes of output ---- */

    int64_t long_run;    /* the two partial lines at its ends cost little beside it */
    int64_t long_items;  /* the same of items that are gathered */
    int64_t long_repeat; /* the same of one element */
    int64_t gap_share;   /* runs so many times as long as a short gap count as one run */
    int64_t sparse;      /* items that are so many times as far apart are not streamed */
    int64_t span, span_run, span_tile; /* of a streamed span: all of it, of input in a row, and
                                          of a tile */

    /* ---- transposed tiles: bytes ---- */

    int64_t tile_run, tile_row;   /* of input, and of output, in a row of a tile */
    int64_t tile_small;           /* items along both sides of a matrix that is one tile */
    int64_t stream_tile;          /* of a streamed tile, and */
    int64_t stream_side;          /* of input in a row from which its rows are read side by side: */
    int64_t stream_piece;         /* so many of output at least */
    int64_t stage_run, stage_row; /* the same as the first two in a buffer, */
    int64_t stage_whole;          /* rows of the input that are no longer are read whole */
    int64_t stage_few, stage_few_row; /* of so few rows: of output */
    int64_t finished_row;             /* of output that is finished before others */
    int64_t rows_tile_run, rows_tile; /* tiles of short rows: in a row, and at least in all */

    /* ---- rows that come from memory ---- */

    int64_t rows_in_order; /* rows of several lines are streamed in the order of the input and not
                              in tiles, where no more bytes of them are adjacent in it */
    int64_t far_rows;      /* bytes of all operands from which rows to come are prefetched */
    int64_t stream_reads;  /* results are not streamed where so many times as much is read */
    int64_t cast_places;   /* of a streamed row at which a cast goes on by turns, */
    int64_t cast_piece;    /* so many bytes of both operands at a time, */
    int64_t cast_row;      /* in rows of so many bytes of output */

    /* ---- programs ---- */

    int64_t strip;        /* values of a strip that passes through a program in the first level, */
    int64_t direct_strip; /* and where operands are in the caches, none in scratch, */
    int64_t far_strip;    /* or where inputs are gathered from memory, and the output streamed */
    int64_t block;        /* what is transposed of operands at a time, in the second level, */
    int64_t block_row;    /* bytes of output in a row of it, */
    int64_t block_lines;  /* at least, and on either side where the output is transposed, */
    int64_t block_run;    /* and of a transposed operand in each of its rows */
    int64_t lines_ahead;  /* of whose lines so many are prefetched before they are read */
    int64_t box;          /* the same of a copy in two moves */
    int64_t piece; /* all operands of a piece of a row whose result is stored non-temporally */
    int64_t piece_ahead;                    /* from such a piece to what is prefetched meanwhile */
    int64_t block_piece, block_piece_ahead; /* the same of rows of a block that was transposed */
    int64_t piece_output, piece_scratch;    /* of a piece, and of all that is made in it, at most */
    int64_t adjacent_row;                   /* bytes of each input in rows that follow each other */
    int64_t unfetched_inputs;               /* of so many inputs */
    int64_t unfetched_row;                  /* from so many bytes on nothing is prefetched, */
    int64_t unfetched_flipped;              /* and of flipped ones */
    int64_t joined_row;                     /* items; shorter rows are joined to longer ones */
    int64_t direct_items;                   /* items in all that kernels take at any strides */
    int64_t call_rows;       /* of fewer rows in a call the longest dim takes their place */
    int64_t prepared_strips; /* from so many strips on instructions are prepared for them */
    int64_t kept_from;       /* bytes of output from which the cost of planning does not matter */
    int64_t lines_rows,
        lines_row;         /* transposed lines: rows, and lines of output in one, at least, */
    int64_t lines_fetched; /* bytes of a row that are prefetched at once, */
    int64_t lines_loaded;  /* rows that are loaded between prefetches, */
    int64_t lines_tile;    /* and bytes of all values of a tile */

    /* ---- reductions and scans ---- */

    int64_t reduce_again;  /* elements that are visited twice, or gathered of several dims, while
                              they lie in the second level */
    int64_t reduce_staged; /* elements of a tile of rows that is gathered or converted */
    int64_t reduce_lanes;  /* lanes of a tile of columns that is */
    int64_t wide_scratch;  /* bytes for a tile of columns where they lie, */
    int64_t wide_row;      /* of whose rows so many bytes are read together */
    int64_t reduce_direct; /* bytes that are reduced without a plan */
    int64_t lanes_near;    /* bytes of the lanes of columns that stay in the first level */
    int64_t passed;        /* more bytes of few elements each come from memory, */
    int64_t passed_width;  /* so many outputs of which are a tile */
    int64_t runs_block;    /* bytes of a block of several runs of a row from memory, at most */
    int64_t rows_ahead;    /* bytes by which rows from memory are prefetched; 0: not by hand, */
    int64_t columns_ahead; /* and by which those of columns are */
    int64_t turned_row;    /* bytes of short rows that are turned into columns; */
    int64_t turned_first;  /* elements of them where the first extreme is asked for */
    int64_t staged_rows;   /* outputs of a tile of long rows in scratch */
    int64_t computed;      /* so many times as many elements of it where a program makes them */
    int64_t across_rows;   /* rows that use up lines of the input that lie across them */
    int64_t narrow;        /* columns, side by side, of which a kernel takes many rows as one */
    int64_t run_called;    /* elements of a run that is worth a call */
    int64_t runs_together; /* short runs of a row from memory */
    int64_t rows_passed;   /* rows from memory of which results are written at once */
    int64_t panel_row;     /* panels: bytes of a row of a tile, */
    int64_t panel_store;   /* of leaves that wait to be joined, */
    int64_t panel_leaves;  /* least leaves in one, */
    int64_t panel_columns; /* columns of a block that is gathered whole, */
    int64_t panel_near;    /* and bytes of a row that does not come from memory */
    int64_t scan_tile;     /* elements of a tile that is gathered, */
    int64_t scan_lines;    /* in so many lines, where these are long, */
    int64_t scan_states; /* and where they lie, so many that their state stays in the first level */
    int64_t scan_turned; /* so many lines are scanned side by side */
    int64_t scan_floats, scan_integers; /* of no more elements than that */

    /* ---- what goes over views by itself ---- */

    int64_t walk_inner;      /* public walks: elements of an inner dim of a block, at least, */
    int64_t walk_inner_few;  /* where three of them or more multiply, */
    int64_t walk_inner_most; /* and where all are on lines of their own, at most; */
    int64_t walk_last;       /* of the last dim */
    int64_t square_row;      /* squares that are transposed in place: bytes of a tile's rows, */
    int64_t square_side;     /* runs along a side of it, at most, */
    int64_t square_run;      /* and bytes of runs that are swapped at once */
    int64_t cycle_run;     /* rectangles: bytes of runs that cycles move at the speed of memory; */
    int64_t split_below;   /* shorter columns of a panel justify two more passes, */
    int64_t squares_below; /* the same where slabs are squares, */
    int64_t split_least, split_most;     /* which move runs of so many bytes */
    int64_t indexed_few;                 /* indexing: items of a row that are few, */
    int64_t indexed_few_own;             /* and where rows have indices of their own; */
    int64_t indexed_rows;                /* from so many items with one index on they are a row */
    int64_t columns_least, columns_most; /* rows that are taken together where rows are short */
    int64_t survey_from;                 /* so many indices are checked as they are used */
    int64_t mask_few;                    /* so few bytes of a mask are looked at one by one */
    int64_t mask_row, mask_items; /* from so many in a row, and in all, masks select by kernels */
    int64_t ordered_items;        /* from so many items on a copy in order may pay first, */
    int64_t ordered_share;        /* where one in so many of them is taken */
    int64_t repeat_item;          /* bytes of items that are repeated without such a copy */
    int64_t triangle_small;       /* bytes of triangles that are copied row by row */
    int64_t numbers_direct;       /* bytes of a run of numbers that is not gathered */
    int64_t hash_near;            /* hashes: bytes that are gathered at a time, */
    int64_t hash_large;           /* from so many in all on as many as the buffer holds, */
    int64_t hash_direct;          /* and bytes of a run that is hashed where it lies */

    /* ---- threads ---- */

    int64_t grain;         /* bytes of memory traffic that a thread is worth */
    double grain_cycles;   /* the same in cycles, where time goes into arithmetic */
    int64_t thread_runs;   /* pieces of memory that threads may take turns in */
    int64_t thread_pieces; /* of rows that a thread reduces */
    int64_t thread_row;    /* bytes of a row of columns, at least */

    /* ---- costs ---- */

    struct stria__cycles cycles;
};

/* NULL until the CPU was asked. */
extern _Atomic(const struct stria__machine *) stria__machine_known;
const struct stria__machine *stria__machine_find(void);

/* Never NULL; the same at every call, but for tests. Inline for copies of a few items. */
static inline const struct stria__machine *stria__machine(void)
{
    const struct stria__machine *const m =
        atomic_load_explicit(&stria__machine_known, memory_order_acquire);
    return m ? m : stria__machine_find();
}

/*
 * For tests: what would follow from another second-level cache and an unknown third one; 0 goes
 * back to the CPU's own.
 */
void stria__machine_set_l2(int64_t bytes);

#endif
