/* SPDX-License-Identifier: BSD-3-Clause */
/* The BLAS in use, and one product by it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "stria/contract.h"

/* Returns the table in use, looking for a library when it is first asked for; never NULL. */
const stria_blas *stria__blas(void);

/* Tells whether `blas` is the library that was found, rather than a host's table. */
bool stria__blas_was_found(const stria_blas *blas);

/*
 * Tells whether the BLAS has kernels for vectors of 32 bytes or fewer, where Stria's of
 * this level have 64: it does not know the CPU, or was told to take these; or that the machine
 * profile has Stria's for f64 where no side is shorter than `side`.
 */
bool stria__blas_is_behind(const stria_blas *blas, stria_kind kind, int64_t side);

/* Functions for f32, f64, c64 or c128, of matrices and of a matrix and a vector; NULL: none. */
struct blas_functions {
    stria_blas_function *gemm, *gemv;
};
struct blas_functions stria__blas_for(const stria_blas *blas, stria_kind kind);

/* The largest size and distance, in items, that the BLAS takes. */
static inline int64_t blas_most(const stria_blas *blas)
{
    return blas->int_bits == 64 ? INT64_MAX : INT32_MAX;
}

/* How a matrix is stored, in the numbers of CBLAS. */
enum {
    BLAS_ROWS = 101,
    BLAS_PLAIN = 111,
    BLAS_TRANSPOSED = 112,
    BLAS_CONJUGATED = 113,
    BLAS_UPPER = 121
};

/* C = A B, or C += A B; a matrix is stored by rows, `ld` items apart, or by columns. */
struct blas_product {
    stria_kind kind;
    int64_t m, n, k;
    int how_a, how_b; /* BLAS_PLAIN for rows, BLAS_TRANSPOSED or conjugated for columns. */
    const void *a, *b;
    void *c;
    int64_t ld_a, ld_b, ld_c;
    bool add;
};

/* y = A x; A has m rows and n columns, and is stored as `how` says; x and y have steps in items. */
struct blas_vector {
    stria_kind kind;
    int64_t m, n, ld, step_x, step_y;
    int how;
    const void *a, *x;
    void *y;
};
void stria__blas_multiply_vector(const stria_blas *blas, const struct blas_vector *p);

void stria__blas_multiply(const stria_blas *blas, const struct blas_product *p);
