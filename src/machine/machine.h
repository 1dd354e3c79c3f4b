/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the library believes about the CPU that it runs on. Every size, threshold or cost that
 * stands for a cache, the address cache, the prefetcher, the memory behind them or the speed of a
 * kernel is a field here, and this folder says where it comes from and on what it was measured.
 * What a CPU has is asked of it once; thresholds follow from that, so that one that nobody measured
 * gets its own. Numbers that kernels are compiled with are in simd/tuning.h. Sizes of arrays are
 * where the arrays are.
 *
 * Sizes are in bytes. Unless a comment says otherwise they are bytes of output, since a copy reads
 * as many as it writes.
 */
#ifndef STRIA_SRC_MACHINE_MACHINE_H
#define STRIA_SRC_MACHINE_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* All zeros when the cache is unknown. */
struct stria__cache {
    int64_t size; /* bytes */
    int64_t ways;
    int64_t sets;
    int64_t sharers; /* hardware threads that share it, at least 1 */
};

/*
 * What kernels take, in cycles of a core: see engine/move/cost.h, and cycles.c for origins.
 * `prepared`, `call`, `row`: for each copy, each call of a kernel, each row. `lines`, `lanes`: for
 * each line of output, and each LANE bytes of it. What is named otherwise is explained where it is.
 */
struct stria__cycles {
    struct {
        double item, byte;      /* of an item with a kernel, and of each of its bytes */
        double odd_item[3];     /* without one: up to 16, 32 and 64 bytes */
        double long_item, line; /* longer, and each of its lines */
        double row, row_less;   /* of which each byte of an item takes away some */
        double short_row, odd_row, call;
    } strided;
    struct {
        double lines, odd_lines; /* the latter where items do not divide a line */
        double pattern, row, short_row, call;
        double item_less; /* each item is read once, other than by `strided` */
    } broadcast;
    struct {
        double prepared, lanes, loads, row, call;
        double lanes_again; /* items in between belong to other rows, which read them again */
    } gather;
    struct {
        double prepared, near_lines, far_lines, call; /* all but the last for each plane */
        int64_t far_planes;                           /* of more, lines are never far */
    } interleave;
    struct {
        double prepared, lines, row; /* prepared: for each line of the period */
    } scatter;
    struct {
        double prepared, tables; /* tables: for each item along the sides of a tile */
        double tile, only_tile, only_less;
        double lines, lanes, strip; /* by vectors */
        double by_item, by_half, odd_item;
        double staged_tile, staged_lines, staged_row;
    } transpose;
    struct {
        double call, times; /* the copies of a slab take so many times as long as estimated */
    } slabs;
    struct {
        double block, times; /* the same of both moves */
        double worth;        /* of the time of one move, for casts that make two */
    } staged;
    struct {
        double item, row; /* in items that are taken by an index: of an item, and of each row */
        double few, many; /* items of a line or less are taken where rows have few, and are many */
    } repeat;
    struct {
        double from_l2, from_few_sets, from_l3, from_memory, from_pages;
    } lines_again; /* of a line, or of an item in a line of its own */
};

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
    int64_t few_sets;       /* one part in so many of the first level's sets counts as few */
    int64_t padded_row;     /* rows of scratch of so many bytes or more begin on lines, */
    int64_t padded_period;  /* and get one line more if they are a multiple of that many */
    int64_t slab_columns;   /* from so many output rows for each source row on, transpositions go
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
    int64_t stream_lines_from;   /* WRITE_TILES whose rows are whole lines, */
    int64_t stream_gaps_from;    /* and rows with gaps between them; STREAM_NEVER: as others */

    /* ---- the least that is worth streaming ---- */

    int64_t long_run;    /* bytes of a run beside which the partial lines at its ends cost little */
    int64_t long_items;  /* bytes of a row of gathered items that is long enough */
    int64_t long_repeat; /* bytes of a run of one repeated element that is long enough */
    int64_t gap_share;   /* a short gap counts as none where the run is so many times as long */
    int64_t sparse;      /* items are too far apart where their step is so many times their size */
    struct {
        int64_t bytes; /* what a span writes in one piece */
        int64_t run;   /* bytes of each source row that it should read at least */
        int64_t tile;  /* bytes of its tiles */
    } span;

    /* ---- transposed tiles, in bytes unless something else is said ---- */

    struct {
        int64_t run, row; /* what a tile has of a row of the input, and of one of the output */
        int64_t whole;    /* a matrix with at most so many items along each side is one tile */
        int64_t streamed; /* what a streamed tile has in all, if that is less */
    } tile;
    struct {
        int64_t run;   /* rows of the input are read side by side if they have so much, */
        int64_t piece; /* and so many of them that they make this much of a row of the output */
    } side_by_side;
    struct {
        int64_t run, row;     /* what the buffer has of a row of the input, and of the output */
        int64_t whole_run;    /* rows of the input of up to so much are read whole */
        int64_t few, few_row; /* of so few rows of the output, it has so much of each */
        int64_t finished_row; /* rows of the output are finished up to so much before others */
    } stage;
    struct {
        int64_t run;   /* what a tile of short rows has side by side in either operand */
        int64_t least; /* a smaller tile is not worth it */
    } rows_tile;

    /* ---- rows that come from memory ---- */

    int64_t rows_in_order; /* rows of several lines are streamed in the order of the input and not
                              in tiles, where no more bytes of them are adjacent in it */
    int64_t far_rows;      /* bytes of all operands from which rows to come are prefetched */
    int64_t stream_reads;  /* results are not streamed where so many times as much is read */
    int64_t cast_places;   /* a streamed cast goes on at so many places of a row by turns */
    int64_t cast_piece;    /* bytes of both operands that it casts at a time */
    int64_t cast_row;      /* bytes of output of the shortest row that it takes */

    /* ---- programs ---- */

    int64_t strip;        /* values of a strip that passes through a program in the first level, */
    int64_t direct_strip; /* and where operands are in the caches, none in scratch, */
    int64_t far_strip;    /* or where inputs are gathered from memory, and the output streamed */
    int64_t block;        /* what is transposed of operands at a time, in the second level */
    struct {
        int64_t row;   /* bytes of output in a row of a block */
        int64_t least; /* the least of them, also on either side where the output is transposed */
        int64_t run;   /* bytes of a transposed operand in each of its own rows */
    } block_rows;
    int64_t lines_ahead; /* lines of a block that are prefetched before they are read */
    int64_t box;         /* bytes of a block of a copy in two moves */
    int64_t piece; /* all operands of a piece of a row whose result is stored non-temporally */
    int64_t piece_ahead;                    /* from such a piece to what is prefetched meanwhile */
    int64_t block_piece, block_piece_ahead; /* the same of rows of a block that was transposed */
    int64_t piece_output;                   /* bytes of output in a piece at most */
    int64_t piece_scratch;                  /* bytes of all values that a piece makes at most */
    int64_t adjacent_row;      /* rows that follow each other are worth it from so many bytes of
                                  all operands on, for each input */
    int64_t unfetched_inputs;  /* a program of so many inputs is left to the hardware */
    int64_t unfetched_row;     /* in rows of so many bytes, */
    int64_t unfetched_flipped; /* and one with a flipped operand in rows of so many */
    int64_t joined_row;        /* rows of fewer items are joined to longer ones */
    int64_t direct_items;      /* kernels take so few items in all at any strides, */
    int64_t direct_row;        /* and of a small operation rows of so many */
    int64_t call_rows;         /* a call of fewer rows takes the longest dim in their place */
    int64_t prepared_strips;   /* instructions are prepared for so many strips or more */
    int64_t kept_from;         /* bytes of output beside which planning costs nothing */
    struct {
        int64_t rows;    /* transposed lines: the least rows of a tile */
        int64_t row;     /* lines of output that a row of the inputs must make */
        int64_t fetched; /* bytes of a row that are prefetched at once */
        int64_t loaded;  /* rows that are loaded between prefetches */
        int64_t tile;    /* bytes of all values of a tile */
    } lines;
    struct {
        int64_t row;       /* bytes of a row of the output in a panel of a program */
        int64_t tile;      /* bytes of all values of a tile */
        int64_t least_row; /* bytes that rows of the output must have */
        int64_t lines;     /* the least rows of the output, in lines of its items */
    } panel;

    /* ---- reductions and scans ---- */

    int64_t reduce_again;  /* elements that are visited twice, or gathered of several dims, while
                              they lie in the second level */
    int64_t reduce_staged; /* elements of a tile of rows that is gathered or converted */
    int64_t reduce_lanes;  /* lanes of a tile of columns that is */
    int64_t wide_scratch;  /* bytes for a tile of columns where they lie, */
    int64_t wide_row;      /* of whose rows so many bytes are read together */
    int64_t reduce_direct; /* bytes that are reduced without a plan */
    int64_t lanes_near;    /* bytes of the lanes of columns that stay in the first level */
    int64_t passed;        /* more bytes than that come from memory: of few elements for each */
    int64_t passed_width;  /* output, a tile then has so many outputs */
    int64_t runs_block;    /* bytes of a block of several runs of a row from memory, at most */
    int64_t rows_ahead;    /* bytes by which rows from memory are prefetched; 0: not by hand, */
    int64_t columns_ahead; /* and by which those of columns are */
    int64_t turned_row;    /* rows of up to so many bytes are turned into columns, */
    int64_t turned_first;  /* and rows of so many elements where a first extreme is asked for */
    int64_t staged_rows;   /* outputs of a tile of long rows in scratch */
    int64_t computed;      /* a tile that a program makes has so many times as many elements */
    int64_t across_rows;   /* so many rows use up the lines of an input that lies across them */
    int64_t narrow;        /* so many columns, side by side, go many rows at a time */
    int64_t run_called;    /* a run of so many elements is worth a call */
    int64_t runs_together; /* so many short runs of a row from memory are one block */
    int64_t rows_passed;   /* results of so few rows from memory are written at once */
    struct {
        int64_t row;      /* bytes of a row of a tile of a panel, */
        int64_t near_row; /* and where it does not come from memory */
        int64_t store;    /* bytes of leaves that wait to be joined */
        int64_t leaves;   /* the least leaves of a panel */
        int64_t columns;  /* a block of so many columns is gathered at once instead */
    } reduce_panel;
    struct {
        int64_t tile;             /* elements of a tile that is gathered */
        int64_t lines;            /* lines of it where these are long */
        int64_t states;           /* lines whose state stays in the first level */
        int64_t turned;           /* so many lines are scanned side by side */
        int64_t floats, integers; /* where they have no more elements than that */
    } scan;

    /* ---- what goes over views by itself ---- */

    struct {
        int64_t inner;      /* elements of an inner dim of a block, at least, */
        int64_t inner_few;  /* and where three of them or more multiply */
        int64_t inner_most; /* elements of an inner dim that are all on lines of their own */
        int64_t last;       /* elements of the last dim */
    } walk;                 /* public walks */
    struct {
        int64_t row;  /* bytes of a row of a tile */
        int64_t side; /* runs along a side of a tile at most */
        int64_t run;  /* bytes of a run that are swapped at once */
    } square;         /* transpositions in place */
    struct {
        int64_t long_run;                /* cycles move runs of so many bytes at full speed */
        int64_t split_below;             /* shorter columns of a panel justify two more passes, */
        int64_t squares_below;           /* and where slabs are squares, columns of up to so much */
        int64_t split_least, split_most; /* bytes of the runs that these passes move */
    } rectangle;                         /* the same, of other matrices */
    struct {
        int64_t few;           /* rows of so few items are taken side by side, */
        int64_t few_own;       /* and where each row has indices of its own, rows of so few */
        int64_t row;           /* so many items with one index are moved as a row */
        int64_t columns_least; /* so many rows are taken side by side at least, */
        int64_t columns_most;  /* and at most */
        int64_t unchecked;     /* so many indices are checked as they are used, not before */
        int64_t ordered;       /* so many items may be copied in order first, */
        int64_t ordered_share; /* if one in so many of them is taken */
    } indexing;
    struct {
        int64_t few;   /* fewer bytes of a mask are looked at one by one */
        int64_t row;   /* a mask selects by kernels in rows of so many items, */
        int64_t items; /* if they are so many in all */
    } mask;
    struct {
        int64_t near;   /* bytes that are gathered at a time for a hash, */
        int64_t large;  /* up to so many in all; of more, as many as the buffer holds */
        int64_t direct; /* a run of so many bytes is hashed where it lies */
    } hash;
    int64_t numbers_direct; /* a run of so many bytes is sorted or counted where it lies */
    int64_t repeat_item;    /* longer items are repeated from where they lie, others from a copy */
    int64_t triangle_small; /* a triangle of up to so many bytes is copied row by row */

    /* ---- threads ---- */

    int64_t grain;       /* bytes of memory traffic that a thread is worth */
    double grain_cycles; /* the same in cycles, where time goes into arithmetic */
    struct {
        int64_t runs;   /* bytes of the pieces of memory that threads may take turns in */
        int64_t pieces; /* pieces of rows that a thread should get of a reduction */
        int64_t row;    /* bytes of a row of columns that a thread should get at least */
    } share;

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
