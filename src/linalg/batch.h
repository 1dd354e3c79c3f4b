/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A batch of matrices for LAPACK, which overwrites matrices that lie by columns: a function begins
 * with copies of the operands that lie so, and calls LAPACK for each matrix, one thread for several
 * of them where there are many small ones.
 */
#pragma once

#include <string.h>

#include "base/integers.h"
#include "linalg/door.h"
#include "linalg/lapack.h"
#include "ops/operands.h"

#define P4  void *, void *, void *, void *
#define P5  P4, void *
#define P6  P5, void *
#define P8  P4, P4
#define P9  P8, void *
#define P10 P9, void *
#define P11 P10, void *
#define P13 P8, P5
#define P14 P8, P6
#define P15 P14, void *

/* A batch of matrices, and what is computed of them. */
struct batch {
    const char *op;
    const stria_exec *exec;
    const struct lapack *l;
    stria_kind kind, real; /* Those of elements, and of their real parts. */
    int type;              /* Its place among s, d, c and z. */
    int64_t m, n, count;   /* Rows, columns, matrices. */
    int ndim;              /* Dims before the matrices. */
    int64_t shape[STRIA_MAX_NDIM];
};

static inline int64_t item_of(const struct batch *b)
{
    return stria_dtype_of(b->kind).itemsize;
}

static inline void set_kind(struct batch *b, stria_kind kind)
{
    b->kind = kind;
    b->real = real_kind(kind);
    b->type = kind == STRIA_F32 ? 0 : kind == STRIA_F64 ? 1 : kind == STRIA_C64 ? 2 : 3;
}

/* Returns matrix i of an array, each of so many bytes. */
static inline void *matrix_at(const stria_array *a, int64_t i, int64_t bytes)
{
    return a->view.data + i * bytes;
}

/* Returns the number of items that LAPACK wants, which it has written as one of them. */
static inline int64_t asked_for(const struct batch *b, const void *number)
{
    double asked;
    float narrow;
    memcpy(&asked, number, sizeof asked);
    memcpy(&narrow, number, sizeof narrow);
    return (int64_t)(b->real == STRIA_F32 ? (double)narrow * 1.001 + 1 : asked);
}

/* A number of the real or complex kind of a batch, in f64. */
struct complex_number {
    double re, im;
};

static inline struct complex_number number_at(const struct batch *b, const char *from)
{
    double wide[2] = {0, 0};
    float narrow[2] = {0, 0};
    if (b->real == STRIA_F64)
        memcpy(wide, from, (size_t)item_of(b));
    else
        memcpy(narrow, from, (size_t)item_of(b));
    return b->real == STRIA_F64 ? (struct complex_number){wide[0], wide[1]}
                                : (struct complex_number){(double)narrow[0], (double)narrow[1]};
}

static inline void put_number(const struct batch *b, char *to, struct complex_number x)
{
    const double wide[2] = {x.re, x.im};
    const float narrow[2] = {(float)x.re, (float)x.im};
    memcpy(to, b->real == STRIA_F64 ? (const void *)wide : narrow, (size_t)item_of(b));
}

static inline struct complex_number times(struct complex_number a, struct complex_number b)
{
    return (struct complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* About the cycles of a product of square matrices. */
static inline double cube(int64_t n)
{
    return (double)n * (double)n * (double)n;
}

/* Chooses the dtype in which an operand is computed. DTYPE. */
stria_status stria__lapack_kind(stria_kind *out, const struct batch *b, const stria_view *a,
                                const char *name);

/* Checks the exec and an operand, which has matrices in its last two dims, and loads LAPACK. */
stria_status stria__batch_begin(struct batch *b, const char *op, const stria_view *a, bool square,
                                const stria_exec *exec);

/* Makes matrices that lie by columns, one for each of the batch. */
stria_status stria__empty_matrices(stria_array *out, const struct batch *b, stria_kind kind,
                                   int64_t rows, int64_t columns);

/* Makes one vector for each matrix; n < 0: one number. */
stria_status stria__empty_vectors(stria_array *out, const struct batch *b, stria_kind kind,
                                  int64_t n);

/* Copies an operand, by columns, with its batch broadcast. */
stria_status stria__copy_matrices(stria_array *out, const struct batch *b, const stria_view *a);

/* Writes the identity to the first `rows` rows and columns of each matrix, zeros elsewhere. */
void stria__write_identities(const struct batch *b, stria_array *to, int64_t rows, int64_t columns);

/* Refuses matrix i: info is what LAPACK tells. */
stria_status stria__cannot_be_done(const struct batch *b, int64_t i, const char *why, int64_t info);

/* Refuses copied matrices that have NaN or infinite numbers, at which some LAPACKs end the process
 * or never end. ARGUMENT, CANCELLED. */
stria_status stria__check_finite(const struct batch *b, const stria_array *a);

/* Refuses work of more items than LAPACK's integers count, which would wrap. */
stria_status stria__check_work(const struct batch *b, int64_t n, int64_t squares);

/* A call for each matrix, in memory of `room` bytes for each thread; it returns LAPACK's info. */
struct each {
    const struct batch *b;
    int64_t room;
    double cycles; /* Cycles of a matrix. */
    int64_t (*one)(const void *context, int64_t i, char *room);
    const void *context;
    const char *why; /* The refusal of a matrix whose info is not 0. */
};

/* Does so with all matrices. ARGUMENT: the first whose info is not 0. CANCELLED, MEMORY. */
stria_status stria__each_matrix(const struct each *e);

#define I(x)                    lapack_at(b->l, &(x))
#define CALL(function, routine) ((function *)b->l->of[b->type][LAPACK_##routine])
