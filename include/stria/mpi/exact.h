/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums whose bits do not depend on the number of ranks, and on which has what. */
#ifndef STRIA_MPI_EXACT_H
#define STRIA_MPI_EXACT_H

#include <stdlib.h>

#include "../exact.h"
#include "ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Merges the exact states (exact.h) of all ranks into each of them, so that what is rounded from
 * them has the same bits on every rank, for any number of ranks and any split of the elements.
 * Collective. ARGUMENT: states of different kinds; IO, MEMORY. What a state is after a failure is
 * unspecified.
 */
static inline stria_status stria_mpi_exact_merge(stria_exact *x, MPI_Comm comm)
{
    int ranks = 0, rank = 0;
    stria_status status = stria_mpi_status(MPI_Comm_size(comm, &ranks));
    if (status == STRIA_OK) status = stria_mpi_status(MPI_Comm_rank(comm, &rank));
    if (status != STRIA_OK) return status;
    const int64_t size = stria_exact_nbytes(x);
    char *const bytes = (char *)malloc((size_t)(size * (ranks + 1) + 1));
    if (!bytes) status = stria_fail(STRIA_ERR_MEMORY, "no memory for %d states", ranks);
    if (status == STRIA_OK) status = stria_exact_write(bytes, size, x);
    status = stria_mpi__agree(status, size, comm);
    if (status == STRIA_OK) {
        status = stria_mpi_status(
            MPI_Allgather(bytes, (int)size, MPI_BYTE, bytes + size, (int)size, MPI_BYTE, comm));
    }
    for (int r = 0; r < ranks && status == STRIA_OK; r++) {
        stria_exact *its = NULL;
        if (r == rank) continue;
        status = stria_exact_read(&its, bytes + size * (r + 1), size);
        if (status == STRIA_OK) status = stria_exact_merge(x, its);
        stria_exact_release(its);
    }
    free(bytes);
    return stria_mpi__agree(status, 0, comm);
}

/*
 * Sums the elements of every rank's a exactly and rounds once, into out of 0 dims on every rank:
 * the same bits for any number of ranks, any split and any order. Ranks may have views of any
 * shape, also without elements, but of one dtype, else ARGUMENT. Collective. Other errors are those
 * of stria_exact_add and stria_exact_result.
 */
static inline stria_status stria_mpi_sum(const stria_view *out, const stria_view *a, MPI_Comm comm,
                                         const stria_exec *exec)
{
    stria_exact *x = NULL;
    stria_status status = stria_exact_make(&x, STRIA_EXACT_SUM, NULL);
    if (status == STRIA_OK) status = stria_exact_add(x, a, exec);
    status = stria_mpi__agree(status, status == STRIA_OK ? a->dtype.kind : 0, comm);
    if (status == STRIA_OK) status = stria_mpi_exact_merge(x, comm);
    if (status == STRIA_OK) status = stria_exact_result(out, x, STRIA_SUM, 0);
    stria_exact_release(x);
    return status;
}

#ifdef __cplusplus
}
#endif

#endif
