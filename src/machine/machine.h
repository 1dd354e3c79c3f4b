/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Beliefs about the CPU that it runs on: sizes and thresholds for caches, the
 * prefetcher, the memory behind them, and the speed of kernels. What a CPU has is asked of it once;
 * thresholds follow from that, so that one that nobody measured gets its own. The files of this
 * folder say where a number comes from and on what it was measured. Numbers that are the same for
 * every CPU are in constants.h, and those that kernels are compiled with in simd/tuning.h. Sizes of
 * arrays are where the arrays are.
 *
 * Sizes are in bytes. Unless a comment says otherwise they are bytes of output, since a copy reads
 * as many as it writes.
 */
#ifndef STRIA_SRC_MACHINE_MACHINE_H
#define STRIA_SRC_MACHINE_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "machine/constants.h"

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

/* How dense runs are copied that the first level does not hold. */
enum stria__copier {
    COPY_BY_LIBRARY, /* memcpy */
    COPY_BY_STRING,  /* stria__cpu_move_string */
    COPY_BY_LOOP     /* the widest registers, and the output is prefetched */
};

/* The rows of the table of moves, see move/moves.c; stria__move_names has their names. */
enum stria__move {
    MOVE_DENSE,
    MOVE_INTERLEAVE,
    MOVE_REPEATED,
    MOVE_REVERSE,
    MOVE_GATHER,
    MOVE_TRANSPOSE,
    MOVE_SCATTER,
    MOVE_ROWS,
    MOVE_STAGED,
    MOVE_SLABS,
    MOVE_STRIDED,
    MOVES
};

/* Measured costs of moves are told apart by items, of 1, 2, 4, 8 and 16 bytes, and where both
 * operands lie: in the first, second or third level, or in memory. */
enum { MOVE_ITEMS = 5, MOVE_LEVELS = 4 };

/*
 * Costs of kernels, in cycles of a core: see move/cost.h, and machine.c for origins.
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
        double block, times; /* the same of both moves, */
        double lane_times;   /* and where lanes are gathered one by one */
        double worth;        /* of the time of one move, for casts that make two */
    } staged;
    struct {
        double item, row; /* in items that are taken by an index: of an item, and of each row */
        double few, many; /* items of a line or less are taken where rows have few, and are many */
    } repeat;
    struct {
        double from_l2, from_few_sets, from_l3, from_memory, from_pages;
        double apart; /* from memory for the first time, lines apart */
    } lines_again;    /* of a line, or of an item in a line of its own */
};

struct stria__machine {
    /* ---- what the CPU and the system tell ---- */

    struct stria__cache l1, l2, l3; /* of data; l3 is all zeros where there is none */
    bool clears_lines;              /* see stria__cpu_clears_lines */

    /* ---- address caches and prefetcher ---- */

    int64_t page;          /* bytes that one entry of the address caches stands for */
    int64_t rows_followed; /* rows that the hardware reads ahead in at once; 0: not worth a limit */

    /* ---- conflict misses ---- */

    int64_t l2_period;    /* lines so far apart, at least, share a set of the second level */
    int64_t slab_columns; /* from so many output rows for each source row on, transpositions go slab
                             by slab even where there are no such misses */

    /* ---- what fits ---- */

    int64_t fits_l2;    /* the second level holds so much with as much input */
    int64_t lies_in_l2; /* of less than that, the input is taken to lie in the second level */

    /* ---- what comes from memory: bytes from which the input is prefetched by hand ---- */

    int64_t far;        /* items that lie apart, boxes with gaps, lines that are visited again */
    int64_t far_stream; /* bytes of input whose rows are handed on in order */

    /* ---- dense copies through the caches ---- */

    int64_t copy_near;      /* up to so many bytes the widest registers of the CPU are fastest */
    int64_t copier;         /* of what is longer: an enum stria__copier */
    int64_t copy_rows_from; /* rows of so many bytes are copied by `copier`, beyond the first level,
                               and those of a quarter of it that do not come from memory */

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

    /* ---- rows that come from memory ---- */

    int64_t side_by_side_run; /* rows of the input are read side by side if they have so much */
    int64_t rows_in_order; /* rows of several lines are streamed in the order of the input and not
                              in tiles, where no more bytes of them are adjacent in it */
    int64_t far_rows;      /* bytes of all operands from which rows to come are prefetched */
    int64_t cast_places;   /* a streamed cast goes on at so many places of a row by turns */

    /* ---- programs ---- */

    int64_t strip;         /* values of a strip that passes through a program in the first level, */
    int64_t direct_strip;  /* and where operands are in the caches, none in scratch, */
    int64_t block;         /* what is transposed of operands at a time, in the second level */
    int64_t lines_ahead;   /* lines of a block that are prefetched before they are read */
    int64_t box;           /* bytes of a block of a copy in two moves */
    int64_t unfetched_row; /* programs of UNFETCHED_INPUTS are left to the hardware in rows of so
                              much, */
    int64_t unfetched_flipped; /* and one with a flipped operand in rows of so many */

    /* ---- reductions and scans ---- */

    int64_t reduce_again;  /* elements that are visited twice, or gathered of several dims, while
                              they lie in the second level */
    int64_t reduce_staged; /* elements of a tile of rows that is gathered or converted */
    int64_t reduce_lanes;  /* lanes of a tile of columns that is */
    int64_t wide_scratch;  /* bytes for a tile of columns where they lie, */
    int64_t wide_row;      /* of whose rows so many bytes are read together */
    int64_t reduce_direct; /* bytes that are reduced without a plan */
    int64_t lanes_near;    /* bytes of the lanes of columns that stay in the first level */
    int64_t rows_ahead;    /* bytes by which rows from memory are prefetched; 0: not by hand, */
    int64_t columns_ahead; /* and by which those of columns are */
    int64_t rows_apart;    /* long rows are summed at two places by turns, up to so far apart */
    int64_t scan_tile;     /* elements of a tile of a scan that is gathered */

    /* ---- costs ---- */

    struct stria__cycles cycles;
    /* A move takes so many times the cycles that its row estimates; 1 where it was not measured. */
    float times[MOVES][MOVE_ITEMS][MOVE_LEVELS];

    char profile[256]; /* where these numbers come from, see stria_machine_profile */
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

/* The names of moves, by which profiles and explanations call them. */
extern const char *const stria__move_names[MOVES];

/* Returns the numbers that ship. */
const struct stria__machine *stria__machine_shipped(void);

/* Replaces the numbers of every thread by a copy of `numbers`; NULL: by those that ship. */
void stria__machine_use(const struct stria__machine *numbers);

/*
 * For tests: what would follow from another second-level cache and an unknown third one; 0 goes
 * back to the CPU's own.
 */
void stria__machine_set_l2(int64_t bytes);

#endif
