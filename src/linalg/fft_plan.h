/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of Fourier transforms of one length: how it is cut into factors, and tables of roots of
 * unity. Which way a length takes depends on nothing but the length, so that a line has the same
 * bits alone and among others.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stria/alloc.h"

enum {
    FFT_PASSES = 40,     /* No length has so many factors. */
    FFT_LARGEST = 64,    /* The largest prime that a pass takes. */
    FFT_ROOTS = 16,      /* Roots of two dims are products of one of each 16 and one of 16. */
    FFT_LEAST_ROW = 8,   /* Rows and columns of two dims are at least so long. */
    FFT_LEAST_TWO = 256, /* So long is what becomes two dims. */
    FFT_LANES = 16,      /* The most lanes of a vector. */
    FFT_ALIGNED = 64     /* Bytes. */
};

/* A transform as a series of passes, one for each factor. */
struct fft_passes {
    int64_t n;
    int count, factor[FFT_PASSES];
    const void *lines[FFT_PASSES]; /* Roots of the lines of each pass, */
    const void *roots[FFT_PASSES]; /* and of its factor, where that is any odd number. */
};

enum fft_way { FFT_ALONG, FFT_TWO_DIMS, FFT_CHIRP, FFT_HALF, FFT_FOREIGN };

/*
 * A plan for one precision; all tables are pairs of real and imaginary part. A line of n elements
 * is transformed in passes (ALONG), as a matrix by columns and then by rows (TWO_DIMS), or as a
 * convolution with a chirp, of a longer line (CHIRP). HALF is of real lines of even length: pairs
 * of elements are complex numbers of a line of n / 2. FOREIGN is FFTW's (fftw.h).
 */
struct fft_plan {
    int64_t n;
    bool wide; /* f64, else f32 */
    bool real; /* of real lines */
    enum fft_way way;
    struct fft_passes columns, rows; /* ALONG has rows alone. */
    const void *coarse, *fine;    /* TWO_DIMS: roots of each row, every 16th, and the first 16. */
    struct fft_plan *part;        /* CHIRP: the plan of the longer line; HALF: of the half. */
    const void *chirp, *spectrum; /* CHIRP: n, and part->n. */
    const void *split;            /* HALF: n / 4 + 1 roots. */
    void *foreign[2];             /* FOREIGN: the plans forward and back. */
    int64_t bytes;                /* The bytes of all tables, */
    char *memory;                 /* which lie here, */
    struct stria_allocator from;  /* taken from. */
    int users;
    uint64_t used; /* When it was used last. */
};

/* Returns the plan of a length, which the caller gives back; NULL: no memory, or a watch has ended
 * the call. */
struct fft_plan *stria__fft_plan(int64_t n, bool wide, bool real);
void stria__fft_give_back(struct fft_plan *plan);
/* Releases all plans that are kept and not in use. */
void stria__fft_forget(void);

/* A transform of rows, which lie one behind the other. */
struct fft_rows {
    const struct fft_plan *plan;
    int64_t given, made; /* Numbers of a row that is read, and of one that is written. */
    bool inverse;        /* The exponent is positive; of real lines: they are written. */
    bool conjugated;     /* Complex results are conjugated. */
    double scale;
};

struct fft_precision {
    /* Transform `count` rows. Those that are read may be those that are written. */
    void (*rows)(const struct fft_rows *r, char *out, const char *in, int64_t count, char *room);
    int64_t (*room)(const struct fft_rows *r); /* Bytes that rows wants. */
};
/* Functions of one instruction set level, for f32 and f64. */
struct fft_kernels {
    struct fft_precision of[2];
};

extern const struct fft_kernels stria__fft_scalar, stria__fft_base, stria__fft_avx2,
    stria__fft_avx512, stria__fft_neon, stria__fft_generic;
/* Returns the functions of the level in use. */
const struct fft_kernels *stria__fft_kernels(void);
