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
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/tool_api.h"
#include "cpu.h"
#include "machine/constants.h"

/*
 * How a move writes its output, and what it waits for meanwhile. Moves differ in how soon
 * non-temporal stores are faster than stores through the caches.
 */
enum stria__write {
    WRITE_RUN,       /* One dense run, read as a dense run. */
    WRITE_REPEATED,  /* Runs of one element, or of a block that lies in the caches. */
    WRITE_BACKWARDS, /* A dense run, read backwards. */
    WRITE_ITEMS,     /* Item by item, a few of them at a time at best. */
    WRITE_ROWS,      /* Rows of some bytes that are dense in both operands. */
    WRITE_TILES,     /* Transposed tiles. */
    WRITE_RESULTS,   /* Results of a program. */
    WRITES
};

#define STREAM_NEVER INT64_MAX

/* How dense runs are copied that the first level does not hold. */
enum stria__copier {
    COPY_BY_LIBRARY, /* Calls memcpy. */
    COPY_BY_STRING,  /* Calls stria__cpu_move_string. */
    COPY_BY_LOOP     /* Uses the widest registers, and prefetches the output. */
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
    MOVE_PATTERN,
    MOVE_STRIDED,
    MOVES
};

/* Measured costs of moves are kept for items of 1, 2, 4, 8 and 16 bytes, and for where both
 * operands lie: in the first, second or third level, or in memory. */
enum { MOVE_ITEMS = 5, MOVE_LEVELS = 4 };

/*
 * Costs of kernels, in cycles of a core: see move/cost.h, and machine.c for origins. `prepared`,
 * `call`, `row`: for each copy, each call of a kernel, each row. `lines`, `lanes`: for each line of
 * output, and each LANE bytes of it. Other names are explained beside them.
 */
struct stria__cycles {
    struct {
        double item, byte;      /* Cost of an item with a kernel, and of each of its bytes. */
        double odd_item[3];     /* Cost of an item without a kernel: up to 16, 32 and 64 bytes. */
        double long_item, line; /* Cost of a longer item, and of each of its lines. */
        double row, row_less;   /* Cost of a row, less `row_less` for each byte of an item. */
        double short_row, odd_row, call;
    } strided;
    struct {
        double lines, odd_lines; /* Cost of lines if items do not divide a line. */
        double pattern, row, short_row, call;
        double item_less; /* Saved for each item, since it is read once, unlike with `strided`. */
    } broadcast;
    struct {
        double prepared, lanes, loads, row, call;
        /* Cost if the items in between belong to other rows, which read them again. */
        double lanes_again;
    } gather;
    struct {
        double prepared, near_lines, far_lines, call; /* All but `call` count for each plane. */
        int64_t far_planes;                           /* Lines of more planes are never far. */
    } interleave;
    struct {
        double prepared, lines, row; /* The member prepared counts for each line of the period. */
    } scatter;
    struct {
        /* The member tables counts for each item along the sides of a tile. */
        double prepared, tables;
        double tile, only_tile, only_less;
        double lines, lanes, strip; /* Cost of tiles by vectors. */
        double by_item, by_half, odd_item;
        double staged_tile, staged_lines, staged_row;
    } transpose;
    struct {
        double prepared, item, block; /* The member item counts for each item of a block. */
        double lane, step;            /* Cost of each lane, and of each lane that it is made of; */
        double line, line_step;       /* the same of lines. */
    } pattern;
    struct {
        double call, times; /* The copies of a slab take `times` as long as estimated. */
    } slabs;
    struct {
        double block, times; /* the same of both moves, */
        double lane_times;   /* and where lanes are gathered one by one */
        double worth;        /* of the time of one move, for casts that make two */
    } staged;
    struct {
        double item, row; /* Cost of an item taken by an index, in items, and of each row. */
        /* Items of a line or less are taken by an index if rows have at most `few` and there are at
         * least `many`. */
        double few, many;
    } repeat;
    struct {
        double from_l2, from_few_sets, from_l3, from_memory, from_pages;
        double apart; /* from memory for the first time, lines apart */
    } lines_again;    /* of a line, or of an item in a line of its own */
};

struct stria__machine {
    /* ---- what the CPU and the system tell ---- */

    struct stria__cache l1, l2, l3; /* Data caches; l3 is all zeros if there is none. */
    bool clears_lines;              /* Result of stria__cpu_clears_lines. */

    /* ---- address caches and prefetcher ---- */

    int64_t page; /* Bytes that one entry of the address caches covers. */
    /* Most rows in which the hardware reads ahead at once; 0: no limit is needed. */
    int64_t rows_followed;

    /* ---- conflict misses ---- */

    int64_t l2_period; /* Least distance of lines that share a set of the second level. */
    /* Output rows for each source row from which transpositions go slab by slab even without
     * conflict misses. */
    int64_t slab_columns;

    /* ---- what fits ---- */

    int64_t fits_l2;    /* the second level holds so much with as much input */
    int64_t lies_in_l2; /* of less than that, the input is taken to lie in the second level */

    /* ---- what comes from memory: bytes from which the input is prefetched by hand ---- */

    int64_t far;           /* boxes with gaps, lines that are visited again */
    int64_t fetched_items; /* items that lie apart, about one in a line */
    int64_t
        fetched_rows;   /* rows of several items that lie apart and are stored through the caches */
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
    int64_t stream_rows_as_runs; /* Rows of at least so many bytes are streamed as WRITE_RUN. */
    int64_t stream_lines_from;   /* Replaces the number for WRITE_TILES if rows are whole lines. */
    /* Replaces the number if rows have gaps between them; STREAM_NEVER: it does not. */
    int64_t stream_gaps_from;

    /* ---- rows that come from memory ---- */

    int64_t side_by_side_run; /* Least bytes of rows of the input that are read side by side. */
    /* Most bytes of adjacent rows in the input with which rows of several lines are streamed in the
     * order of the input and not in tiles. */
    int64_t rows_in_order;
    int64_t far_rows;    /* Bytes of all operands from which later rows are prefetched. */
    int64_t cast_places; /* Number of places of a row at which a streamed cast goes on by turns. */

    /* ---- products of matrices ---- */

    /* Shortest side from which f64 are multiplied by Stria's kernels and not by an OpenBLAS that
     * knows the CPU. */
    int64_t own_products;

    /* ---- programs ---- */

    /* Bytes of the values of a strip that passes through a program in the first level. */
    int64_t strip;
    int64_t direct_strip; /* The same if operands are in the caches and none in scratch. */
    int64_t block;       /* Bytes of operands that are transposed at a time, in the second level. */
    int64_t lines_ahead; /* Lines of a block that are prefetched before they are read. */
    int64_t box;         /* Bytes of a block of a copy in two moves. */
    /* Rows of at least so many bytes are not prefetched in programs of UNFETCHED_INPUTS. */
    int64_t unfetched_row;
    int64_t unfetched_flipped; /* The same for programs with a flipped operand. */

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
    /* Factor between the cycles of a move and those that its row estimates; 1 if it was not
     * measured. */
    float times[MOVES][MOVE_ITEMS][MOVE_LEVELS];

    char profile[256]; /* Origin of these numbers, see stria_machine_profile. */
};

/* NULL until the CPU was asked. */
extern _Atomic(const struct stria__machine *) stria__machine_known;
const struct stria__machine *stria__machine_find(void);

/* Returns the numbers, never NULL; every call returns the same, except in tests. Inline for copies
 * of a few items. */
static inline const struct stria__machine *stria__machine(void)
{
    const struct stria__machine *const m =
        atomic_load_explicit(&stria__machine_known, memory_order_acquire);
    return m ? m : stria__machine_find();
}

/* Names of moves in profiles and explanations. */
extern const char *const stria__move_names[MOVES];

/* Returns the numbers of this CPU that the library ships with. */
TOOL_API const struct stria__machine *stria__machine_shipped(void);

/* Replaces the numbers in every thread by a copy of `numbers`; NULL: by those that ship. */
TOOL_API void stria__machine_use(const struct stria__machine *numbers);

/*
 * Makes tests use the numbers for another second-level cache and an unknown third one; 0 goes back
 * to the CPU's own.
 */
void stria__machine_set_l2(int64_t bytes);
