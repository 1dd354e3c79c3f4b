/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dims of a reduction, in two groups, with the steps of every input along them. Kept dims count
 * the outputs and are sorted by the smallest steps of the inputs. Reduced dims stay in logical
 * order, innermost first, where that order is part of the result. Neighbours that continue each
 * other are merged.
 */
#pragma once

#include <stdbool.h>

#include "engine/program.h"
#include "conversion.h"
#include "reduce.h"
#include "engine/reduce_plan.h"
#include "stage.h"
#include "stria/alloc.h"
#include "stria/plan.h"

enum { INPUTS = STRIA_MAX_OPERANDS - 1 }; /* Most inputs of a reduction. */

struct reduce_shape {
    char *out, *in[INPUTS];
    int inputs, kept, reduced;
    stria_dim k[STRIA_MAX_NDIM]; /* Kept dims; operand 0 is the output, the inputs follow. */
    stria_dim r[STRIA_MAX_NDIM]; /* Reduced dims, along which the output has stride 0. */
    int64_t outputs, n;          /* Number of outputs, and of elements of each of them. */
};

/*
 * Finds the kept and reduced dims for inputs that broadcast to the shape of a. Bit d of dims is set
 * if its dim d is reduced; out has the other dims. ordered: the order of the elements matters.
 */
void stria__reduce_shape(struct reduce_shape *shape, const stria_view *out, const stria_view *a,
                         int inputs, const stria_view *const *views, uint64_t dims, bool ordered);

/*
 * Returns the smallest step of the inputs along a dim minus one, so that steps of 0 give the
 * largest number and come last.
 */
uint64_t stria__step_rank(const stria_dim *d, int inputs);

/* Finds the index along each reduced dim of element `at` of an output. */
void stria__reduced_index(const struct reduce_shape *shape, int64_t at, int64_t *index);

/* Computes the offset in bytes of an index in an input. */
int64_t stria__reduced_offset(const struct reduce_shape *shape, const int64_t *index, int input);

/*
 * Computes the offsets in input 0 of every `step`-th of the elements of an output from element
 * `first` on, `count` of them; first and the innermost size are multiples of step.
 */
void stria__reduced_offsets(const struct reduce_shape *shape, int64_t first, int64_t count,
                            int64_t step, int64_t *offsets);

/*
 * How a reduction is cut. A tile is some neighbouring outputs; the elements of its outputs are
 * visited in blocks, each of which one kernel call combines to a subtree of the same size. Blocks
 * have one of the two forms of simd/fold.h, where they lie or in scratch.
 *
 *     sum(1) of f32 (N, 4096)    rows, where they lie: 256 outputs at a time
 *     sum(0) of f32 (4096, N)    columns, where they lie: 4096 outputs, 256 rows at a time
 *     sum(1) of f32 (N, 3)       rows, where they lie: 1024 outputs at a time
 *     sum(1) of f32 (N, 5)       columns, turned in scratch, 128 outputs at a time
 *     sum(1) of f8 (N, 4096)     rows, converted to f32 in scratch, 2048 elements at a time
 */

enum reduce_form { FORM_ROWS, FORM_COLUMNS };

/* Tells how the elements of an output lie that are not gathered. */
enum reduce_runs {
    ONE_RUN,
    /* Multiples of LANES elements are adjacent, and the kernel is told where they begin. */
    RUNS_OF_LANES,
    RUN_BLOCKS /* Each run is a block. */
};

/* A reduction whose order goes across memory; see reduce_panel.c. */
struct reduce_panel {
    int across;     /* The reduced dim along which memory is dense; 0: there are no panels. */
    bool whole;     /* Columns are whole leaves of a tree, combined in memory. */
    int64_t rows;   /* Elements of a column: those of the reduced dims before `across`. */
    int64_t wide;   /* Columns of a tile. */
    int64_t column; /* If whole: where the columns' accumulators and centers are in scratch. */
    int64_t leaves; /* Number of leaves of a panel. */
    int64_t store;  /* Place of their accumulators in scratch. */
};

struct reduce_plan {
    const struct reduction *what;
    struct reduce_shape shape;
    struct conversion cast,
        /* Conversions from elements to the kernels' dtype, and from results to the output's. */
        narrow;
    int64_t in_item, kernel_item, out_item, given_item; /* Bytes of an item. */
    enum reduce_form form;
    enum reduce_runs runs;
    bool in_place; /* Blocks are read, or converted, from where they lie in memory. */
    bool far;      /* The input comes from memory, and has to be prefetched. */
    bool memory;   /* The input comes from memory. */
    bool stream;   /* Dense results that are converted are stored non-temporally. */
    int64_t bytes; /* Bytes of all inputs. */
    int whole;     /* Number of kept dims that lie entirely inside a tile. */
    int64_t cut;   /* Elements of the next kept dim in a tile. */
    int64_t width; /* Outputs of a full tile. */
    int64_t strip; /* Outputs that one call combines, in the form of columns. */
    int64_t tiles;
    int64_t block;     /* Elements of an output in a block: a power of two of leaves. */
    int64_t blocks;    /* Blocks of one output. */
    fold_kernel *dots; /* The kernel of sums of products of inputs in place; NULL: another one. */
    int second;        /* The input with the second factors. */
    struct reduce_panel panel;
    /* Bytes between rows of gathered and of converted elements, in the form of rows. */
    int64_t pitch[2];
    /* Offsets in scratch. */
    int64_t source, gathered, converted, lanes, accumulators, centers, results;
    int64_t accumulator_bytes; /* Bytes of the accumulators of a tile. */
    int64_t scratch;           /* Bytes of all scratch. */
    int threads;               /* Number of threads that tiles and blocks were cut for. */
};

/*
 * Makes the plan. If `little` is set it takes as little scratch as possible, at most
 * LEAST_REDUCE_SCRATCH bytes and, for a program, a struct reduce_source.
 */
enum { LEAST_REDUCE_SCRATCH = 9 << 10 };
void stria__reduce_plan(struct reduce_plan *out, const struct reduction *what, bool little);

/* Cuts a plan once more, so that `threads` threads have about the same to do. */
void stria__reduce_plan_share(struct reduce_plan *plan, int threads);

/* The outputs of a tile: sizes of the kept dims in it, and where its first one lies. */
struct reduce_tile {
    int ndim;
    int64_t n[STRIA_MAX_NDIM];
    int64_t width;
    char *in[INPUTS], *out;
};

/* A program as it is decided for the last box, and where that box begins in each operand. */
struct reduce_source {
    struct call call;
    stria_plan plan;
    int64_t begin[STRIA_MAX_OPERANDS];
};

/* The state of a thread in its part of a reduction. */
struct reduce_run {
    const struct reduce_plan *plan;
    char *scratch;
    struct reduce_tile tile;
    /*
     * Sizes of the box that was gathered last; if the next one has the same, it moves in the same
     * way.
     */
    int ndim;
    int64_t n[STRIA_MAX_NDIM];
    struct stage_way way;
    struct reduce_source *source; /* Set if there is a program. */
};

/*
 * A range of each output of a tile: `count` elements from number `first` on, in the order of the
 * reduction. For one output in rows, the range has as many elements in each of several columns,
 * which are one step of reduced dim `across` apart.
 */
struct reduce_range {
    int64_t first, count, columns; /* Number of columns, 1 or more. */
    int across;
};

/* Computes or gathers a range into scratch; columns are pitch[0] apart there. */
char *stria__reduce_gather(struct reduce_run *run, const struct reduce_range *range);

/*
 * Brings `count` elements of each output of the tile, from element `first` on, into the form that
 * kernels take; at has room for a LEAF.
 */
void stria__reduce_stage(struct reduce_run *run, int64_t first, int64_t count,
                         struct fold_block *out, int64_t *at);

/* ---- reductions of one output whose order goes across memory (reduce_panel.c) ---------------- */

/* Decides whether a plan of rows in scratch is run by panels: panel.across is not 0 then. */
void stria__reduce_panel_plan(struct reduce_plan *plan);

enum {
    PANEL_LEAVES = 2,                      /* Leaves that begin in each column of a tile. */
    PANEL_TALL = (PANEL_LEAVES + 1) * LEAF /* Rows of such a tile. */
};

/*
 * Adds room for the accumulators of a panel's leaves to the scratch of the plan; false where there
 * is too little.
 */
bool stria__reduce_panel_place(struct reduce_plan *plan, int64_t accumulator);

/* Memory for the accumulators of a panel's leaves, `each` bytes for every leaf. */
struct reduce_store {
    char *memory;
    int64_t leaves, each;
    stria_allocator from;
    size_t taken; /* Bytes that were allocated; 0: the store is in scratch. */
};

/*
 * Allocates a store for up to `leaves` leaves; without memory, the store is the part of the
 * scratch.
 */
void stria__reduce_store_take(struct reduce_store *store, const struct reduce_run *run,
                              int64_t leaves, bool deviations);
void stria__reduce_store_give(struct reduce_store *store);

/*
 * Combines leaves first .. last - 1, at most store->leaves, into the store. center is the mean for
 * deviations, NULL for other folds.
 */
void stria__reduce_panel(struct reduce_run *run, struct reduce_store *store,
                         const struct fold_kernels *fold, int64_t first, int64_t last,
                         const double *center);
