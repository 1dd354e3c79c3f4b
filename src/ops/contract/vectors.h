/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of one matrix with vectors, by fused kernels, which read the matrix once for all. */
#ifndef STRIA_SRC_OPS_CONTRACT_VECTORS_H
#define STRIA_SRC_OPS_CONTRACT_VECTORS_H

#include <stdbool.h>

#include "stria/dtype.h"
#include "stria/threads.h"

/* y = A x, or y = x A where `columns` is set, or y += x A; steps in bytes, which are 1 item in the
 * last case. */
struct vector_product {
    bool columns;
    const char *x;
    char *y;
    int64_t step_x, step_y;
    bool add;
};

/* m rows of n dense items, `row` bytes apart. */
struct vector_matrix {
    stria_kind kind;
    int64_t m, n, row;
    const char *a;
    /* The matrix is multiplied by it, rounded to the kind, before; 1: as it is. It is finite, since
     * kernels multiply the zeros behind the last items, too. */
    double scale;
};

/* Tells whether kernels of this level multiply such a matrix, whose rows are not too short. */
bool stria__multiplies_vectors(stria_kind kind, int64_t n);

/* Tells whether stria_matmul of such a matrix with a dense vector takes these kernels. */
bool stria__vectors_are_fused(const struct vector_matrix *matrix, const stria_exec *exec);

/*
 * Makes the products. x of a product with columns may be the y of an earlier one; nothing else
 * overlaps. The bits do not depend on what is made together. MEMORY, CANCELLED.
 */
stria_status stria__multiply_vectors(const struct vector_matrix *matrix, int count,
                                     const struct vector_product *products, const stria_exec *exec);

#endif
