/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a transposition is cut into tiles. Q is the side on which the output is dense, P the side on
 * which the input is. A tile is Q items wide and P items high; each side is a bundle: as many
 * neighbouring dims as it takes to get a long dense run, the outermost of them in blocks. With a
 * table of offsets per side a kernel needs not know how many dims there are, so that 24 dims of
 * size 2 are tiles like any others.
 *
 *     f32 (5,6,7,8) reversed       Q: 5 and 6, dense in the output    P: 8 and 7, in the input
 *     out offsets of P's items     0 840 1680 ... 5880 120 960 ...
 *     in offsets of Q's items      0 1344 2688 4032 5376 224 1568 ...
 */
#pragma once

#include "nest.h"
#include "simd/kernels.h"

enum { SIDE_MAX = 1024 }; /* Most items along one side of a tile. */

/*
 * One side of the tiles: its dims, innermost first; the last one is divided into blocks of `block`.
 */
struct side {
    int ndim;
    int dims[STRIA_MAX_NDIM];
    int64_t inner;        /* Items in all dims but the last. */
    int64_t block, first; /* Items of a block of the last dim; the first block may be shorter. */
    int64_t at[SIDE_MAX]; /* Offset of each item of a block in the other operand. */
    bool even;            /* The offsets are `pitch` apart, since there is one dim. */
    int64_t pitch;
};

/* A loop over tiles: n items of a dim in steps of `step`; the first step takes `first` items. */
struct tile_loop {
    int64_t n, first, step, so, si;
    struct side *side; /* The side whose block changes its size in this loop, or NULL. */
};

/* A tiling, whose tables are too large for the stack: see stria__tiling_take. */
struct tiling {
    char *out;
    const char *in;
    int64_t item;
    struct side p, q;
    int nloops;
    struct tile_loop loops[STRIA_MAX_NDIM]; /* Innermost loop first. */
};

/*
 * Takes room for a tiling in the scratch memory of this thread, to be given back in reverse order.
 * NULL if there is none: the nest is then copied item by item.
 */
struct tiling *stria__tiling_take(void);
void stria__tiling_give(struct tiling *tiling);

/*
 * Returns the dim, other than 0, along which the input is dense in either direction; 0 if there is
 * none.
 */
int stria__tiling_dim(const struct nest *nest);

/*
 * Computes the bytes of the dense run that begins with dim `first` in the given operand, without
 * dim 0.
 */
int64_t stria__dense_run(const struct nest *nest, int first, bool in_input);

/*
 * Number of items of each side before the first whole line, if it is the same in all rows; 0 if
 * rows begin on lines, begin differently, or have no whole line.
 */
struct heads {
    int64_t p, q;
};

/* Finds the heads of a nest's sides; p is the stria__tiling_dim. */
struct heads stria__tiling_heads(const struct nest *nest, int p);
/*
 * Computes the items along both sides of tiles of at most `most` each; p is the stria__tiling_dim.
 */
void stria__tiling_sides(const struct nest *nest, int p, int64_t most, int64_t *np, int64_t *nq);

/*
 * Order of the tiles: that of an operand. ROWS_FIRST is that of the input, but finishes rows of the
 * output.
 */
enum tile_order { BY_OUTPUT, BY_INPUT, ROWS_FIRST };

/*
 * Makes tiles of at most that many items (1 .. SIDE_MAX) along each side. nest must be dense in dim
 * 0 in the output, and have a stria__tiling_dim. The first block of a side of one dim is its head,
 * if it has one; heads may be NULL.
 */
void stria__tiling_make(struct tiling *out, const struct nest *nest, int64_t np, int64_t nq,
                        const struct heads *heads, enum tile_order order);

/*
 * Returns the block size, at most `most`, that divides a side that begins with n items most evenly.
 */
static inline int64_t stria__even_most(int64_t n, int64_t most)
{
    const int64_t blocks = (n - 1) / most + 1;
    return blocks > 1 ? (n - 1) / blocks + 1 : most;
}

struct tile {
    char *out;
    const char *in;
    int64_t np, nq;
    const struct tile *next; /* NULL for the last tile. */
};

/*
 * Makes the arguments of a kernel that are the same for all tiles, stored through the caches. They
 * are made once: to clear a struct of this size takes as long as to transpose a small tile.
 */
struct transpose stria__tiling_args(const struct tiling *t);

/* Sets the arguments of one tile, and prefetches the next. */
void stria__tile_args(struct transpose *out, const struct tile *tile);

/* Calls body for every tile. */
typedef void stria__tile_body(const struct tiling *tiling, const struct tile *tile, void *arg);
void stria__tiling_walk(const struct tiling *tiling, stria__tile_body *body, void *arg);
