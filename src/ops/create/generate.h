/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements that follow from their numbers alone, into views of any layout and dtype. */
#ifndef STRIA_OPS_CREATE_GENERATE_H
#define STRIA_OPS_CREATE_GENERATE_H

#include "stria/threads.h"
#include "stria/view.h"

/* Writes the elements first .. first + n - 1, counted in C order of the indices, to row. */
typedef void generate_row(void *row, int64_t first, int64_t n, const void *how);

struct generator {
    stria_kind kind; /* kind of what `row` writes, in native byte order; items of at most 8 bytes */
    generate_row *row;
    const void *how;
    double cycles; /* cycles of one element, for the number of threads */
};

/*
 * Writes every element of out, converted as a copy converts, in pieces: the elements of a piece
 * have the same bits wherever it begins, so that threads and layouts change nothing. op is for
 * messages. exec may be NULL. READONLY, DTYPE, OVERLAP (out with itself); nothing is written in a
 * meta buffer.
 */
stria_status stria__generate(const stria_view *out, const struct generator *g, const char *op,
                             const stria_exec *exec);

#endif
