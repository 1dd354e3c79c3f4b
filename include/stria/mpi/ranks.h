/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that all ranks of a communicator do together: agree on success, and messages of several
 * views. */
#ifndef STRIA_MPI_RANKS_H
#define STRIA_MPI_RANKS_H

#include <stdlib.h>

#include "type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes one committed datatype of several views at their addresses, to be used at MPI_BOTTOM. */
static inline stria_status stria_mpi__type_of(MPI_Datatype *out, int count, const stria_view *views)
{
    stria_status status = STRIA_OK;
    MPI_Datatype *const types = (MPI_Datatype *)calloc((size_t)count, sizeof *types);
    MPI_Aint *const at = (MPI_Aint *)calloc((size_t)count, sizeof *at);
    int *const ones = (int *)calloc((size_t)count, sizeof *ones);
    int made = 0;
    if (!types || !at || !ones) status = stria_fail(STRIA_ERR_MEMORY, "no memory for datatypes");
    while (made < count && status == STRIA_OK) {
        ones[made] = 1;
        status = stria_mpi_status(MPI_Get_address(views[made].data, &at[made]));
        if (status == STRIA_OK) status = stria_mpi_type(&types[made], &views[made]);
        if (status == STRIA_OK) made++;
    }
    if (status == STRIA_OK) {
        MPI_Datatype all = MPI_DATATYPE_NULL;
        status = stria_mpi_status(MPI_Type_create_struct(count, ones, at, types, &all));
        if (status == STRIA_OK) status = stria_mpi_status(MPI_Type_commit(&all));
        if (status == STRIA_OK) *out = all;
    }
    while (made-- > 0)
        MPI_Type_free(&types[made]);
    free(types);
    free(at);
    free(ones);
    return status;
}

/*
 * Agrees on success: every rank gives its status and gets an error if one of them has one. told is
 * what this rank has to say beside it, which must be the same everywhere.
 */
static inline stria_status stria_mpi__agree(stria_status mine, int64_t told, MPI_Comm comm)
{
    /* The least status is that of a failure; the least of x and of -x are equal but for the sign
       where all have the same x. */
    const int64_t give[3] = {mine, told, -told};
    int64_t least[3] = {0, 0, 0};
    const stria_status status =
        stria_mpi_status(MPI_Allreduce(give, least, 3, MPI_INT64_T, MPI_MIN, comm));
    if (mine != STRIA_OK) return mine;
    if (status != STRIA_OK) return status;
    if (least[0] != STRIA_OK) {
        return stria_fail((stria_status)least[0], "another rank failed: %s",
                          stria_status_name((stria_status)least[0]));
    }
    if (least[1] != -least[2]) {
        return stria_fail(STRIA_ERR_ARGUMENT, "the ranks were given different arguments");
    }
    return STRIA_OK;
}

/* Waits for all messages; without MPI_STATUSES_IGNORE, whose address of 1 in MPICH gcc warns of. */
static inline stria_status stria_mpi__wait_all(int n, MPI_Request *requests)
{
    stria_status status = STRIA_OK;
    MPI_Status told;
    for (int i = 0; i < n; i++) {
        const stria_status ended = stria_mpi_status(MPI_Wait(&requests[i], &told));
        if (status == STRIA_OK) status = ended;
    }
    return status;
}

#ifdef __cplusplus
}
#endif

#endif
