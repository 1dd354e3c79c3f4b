/* SPDX-License-Identifier: BSD-3-Clause */
/* Halos: ghost cells of blocks, exchanged again and again. */
#ifndef STRIA_MPI_HALO_H
#define STRIA_MPI_HALO_H

#include <stdlib.h>
#include <string.h>

#include "../overlap.h"
#include "ranks.h"
#include "send.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STRIA_MPI_CORNERS = 1 }; /* flags of stria_mpi_halo_make */

/* One neighbour: what is sent there and received from there, as it lies or in dense copies. */
struct stria_mpi__side {
    int rank, tag, back;    /* tags of what goes there and of what comes back */
    int64_t bytes[2];       /* that are sent and received */
    stria_array *packed;    /* owned: count that are sent, then count that are received; or NULL */
    stria_copy_plan *plans; /* owned: of the copies, in that order; or NULL */
};

/* An exchange of ghost cells that can be repeated. */
typedef struct stria_mpi_halo {
    MPI_Comm comm; /* a duplicate, so that no other message is mistaken for one of these */
    int count;     /* of arrays */
    int sides;
    struct stria_mpi__side *side; /* owned */
    MPI_Request *requests;        /* owned: two for each side, persistent */
} stria_mpi_halo;

/* Ends a halo that is not under way. Collective; NULL is allowed. */
static inline void stria_mpi_halo_release(stria_mpi_halo *halo)
{
    if (!halo) return;
    for (int i = 0; i < halo->sides; i++) {
        for (int j = 0; j < 2 && halo->requests; j++) {
            if (halo->requests[2 * i + j] != MPI_REQUEST_NULL) {
                MPI_Request_free(&halo->requests[2 * i + j]);
            }
        }
        for (int k = 0; halo->side && halo->side[i].packed && k < 2 * halo->count; k++)
            stria_array_release(&halo->side[i].packed[k]);
        if (halo->side) {
            free(halo->side[i].packed);
            free(halo->side[i].plans);
        }
    }
    free(halo->side);
    free(halo->requests);
    if (halo->comm != MPI_COMM_NULL) MPI_Comm_free(&halo->comm);
    free(halo);
}

/* The source of the elements of the sides of a halo. */
struct stria_mpi__grid {
    int ndim; /* of the communicator */
    const int *dims, *low, *high;
    int sizes[STRIA_MAX_NDIM], periods[STRIA_MAX_NDIM], at[STRIA_MAX_NDIM];
};

/*
 * Narrows an array to what is sent towards a direction, a number of -1, 0 and 1 for each dim of the
 * communicator, or to the ghost cells that are received from there.
 */
static inline stria_status stria_mpi__slab(stria_view *out, const stria_view *a,
                                           const struct stria_mpi__grid *grid, const int *direction,
                                           bool ghosts)
{
    *out = *a;
    for (int i = 0; i < grid->ndim; i++) {
        const int64_t n = a->shape[grid->dims[i]], low = grid->low[i], high = grid->high[i];
        int64_t start = low, length = n - low - high;
        if (direction[i] > 0) {
            length = ghosts ? high : low;
            start = ghosts ? n - high : n - high - low;
        } else if (direction[i] < 0) {
            length = ghosts ? low : high;
            start = ghosts ? 0 : low;
        }
        const stria_status status = stria_narrow(out, out, grid->dims[i], start, length);
        if (status != STRIA_OK) return status;
    }
    return STRIA_OK;
}

/* Returns the rank in a direction, MPI_PROC_NULL beyond the edge. */
static inline int stria_mpi__neighbour(const struct stria_mpi__grid *grid, const int *direction,
                                       MPI_Comm comm)
{
    int at[STRIA_MAX_NDIM], rank = MPI_PROC_NULL;
    for (int i = 0; i < grid->ndim; i++) {
        at[i] = grid->at[i] + direction[i];
        if (!grid->periods[i] && (at[i] < 0 || at[i] >= grid->sizes[i])) return MPI_PROC_NULL;
    }
    return MPI_Cart_rank(comm, at, &rank) == MPI_SUCCESS ? rank : MPI_PROC_NULL;
}

/* Makes the messages of one side: as datatypes if all runs are long, otherwise by dense copies. */
static inline stria_status stria_mpi__side_make(stria_mpi_halo *halo, stria_view *views, int rank,
                                                int tag, int back)
{
    const int n = 2 * halo->count, i = halo->sides++;
    struct stria_mpi__side *const side = &halo->side[i];
    stria_status status = STRIA_OK;
    bool as_types = true;
    side->rank = rank;
    side->tag = tag;
    side->back = back;
    for (int k = 0; k < n; k++) {
        as_types &= stria_mpi__goes_as_type(&views[k]);
        side->bytes[k / halo->count] += stria_nbytes(&views[k]);
    }
    if (!as_types) {
        side->packed = (stria_array *)calloc((size_t)n, sizeof *side->packed);
        side->plans = (stria_copy_plan *)calloc((size_t)n, sizeof *side->plans);
        if (!side->packed || !side->plans) {
            return stria_fail(STRIA_ERR_MEMORY, "no memory for a halo");
        }
        for (int k = 0; k < n && status == STRIA_OK; k++) {
            const stria_view *const packed = &side->packed[k].view;
            const bool sends = k < halo->count;
            status = stria_mpi__wire(&side->packed[k], &views[k]);
            if (status != STRIA_OK) return status;
            status = stria_copy_plan_make(&side->plans[k], sends ? packed : &views[k],
                                          sends ? &views[k] : packed, NULL);
            views[k] = *packed;
        }
    }
    for (int j = 0; j < 2 && status == STRIA_OK; j++) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Request *const request = &halo->requests[2 * i + j];
        status = stria_mpi__type_of(&type, halo->count, views + j * halo->count);
        if (status != STRIA_OK) return status;
        status = stria_mpi_status(
            j == 0 ? MPI_Send_init(MPI_BOTTOM, 1, type, rank, tag, halo->comm, request)
                   : MPI_Recv_init(MPI_BOTTOM, 1, type, rank, back, halo->comm, request));
        MPI_Type_free(&type);
    }
    return status;
}

/* Makes all sides. A direction is a number of three digits to the base 3 for each dim. */
static inline stria_status stria_mpi__sides(stria_mpi_halo *halo, const stria_view *const *arrays,
                                            const struct stria_mpi__grid *grid, bool corners)
{
    stria_view *const views = (stria_view *)calloc((size_t)(2 * halo->count), sizeof *views);
    stria_status status = STRIA_OK;
    int most = 1;
    for (int i = 0; i < grid->ndim; i++)
        most *= 3;
    halo->side = (struct stria_mpi__side *)calloc((size_t)most, sizeof *halo->side);
    halo->requests = (MPI_Request *)calloc((size_t)(2 * most), sizeof *halo->requests);
    if (!views || !halo->side || !halo->requests) {
        status = stria_fail(STRIA_ERR_MEMORY, "no memory for a halo");
    }
    for (int i = 0; i < 2 * most && halo->requests; i++)
        halo->requests[i] = MPI_REQUEST_NULL;
    for (int code = 0; code < most && status == STRIA_OK; code++) {
        int direction[STRIA_MAX_NDIM], moved = 0;
        for (int i = 0, rest = code; i < grid->ndim; i++, rest /= 3) {
            direction[i] = rest % 3 - 1;
            moved += direction[i] != 0;
        }
        const int rank = stria_mpi__neighbour(grid, direction, halo->comm);
        if (moved == 0 || (moved > 1 && !corners) || rank == MPI_PROC_NULL) continue;
        for (int k = 0; k < 2 * halo->count && status == STRIA_OK; k++) {
            status = stria_mpi__slab(&views[k], arrays[k % halo->count], grid, direction,
                                     k >= halo->count);
        }
        if (status == STRIA_OK) {
            status = stria_mpi__side_make(halo, views, rank, code, most - 1 - code);
        }
    }
    free(views);
    return status;
}

/* Checks that every neighbour sends as many bytes as are expected of it. */
static inline stria_status stria_mpi__sizes_agree(const stria_mpi_halo *halo, MPI_Comm comm)
{
    const size_t n = (size_t)halo->sides;
    MPI_Request *const requests = (MPI_Request *)calloc(2 * n + 1, sizeof *requests);
    int64_t *const told = (int64_t *)calloc(n + 1, sizeof *told);
    stria_status status = STRIA_OK;
    if (!requests || !told) status = stria_fail(STRIA_ERR_MEMORY, "no memory for a halo");
    status = stria_mpi__agree(status, 0, comm);
    for (size_t i = 0; i < n && status == STRIA_OK; i++) {
        struct stria_mpi__side *const side = &halo->side[i];
        status = stria_mpi_status(MPI_Irecv(&told[i], 1, MPI_INT64_T, side->rank, side->back,
                                            halo->comm, &requests[2 * i]));
        if (status != STRIA_OK) break;
        status = stria_mpi_status(MPI_Isend(&side->bytes[0], 1, MPI_INT64_T, side->rank, side->tag,
                                            halo->comm, &requests[2 * i + 1]));
    }
    if (status == STRIA_OK) {
        status = stria_mpi__wait_all((int)(2 * n), requests);
    }
    for (size_t i = 0; i < n && status == STRIA_OK; i++) {
        const struct stria_mpi__side *const side = &halo->side[i];
        if (told[i] != side->bytes[1]) {
            status =
                stria_fail(STRIA_ERR_SHAPE,
                           "rank %d sends %lld bytes of its block, and there are %lld of ghosts "
                           "for them",
                           side->rank, (long long)told[i], (long long)side->bytes[1]);
        }
    }
    free(requests);
    free(told);
    return stria_mpi__agree(status, 0, comm);
}

/* Checks what this rank was given. */
static inline stria_status stria_mpi__halo_check(int count, const stria_view *const *arrays,
                                                 const struct stria_mpi__grid *grid)
{
    for (int k = 0; k < count; k++) {
        const stria_view *const a = arrays[k];
        if (!stria_is_writable(a))
            return stria_fail(STRIA_ERR_READONLY, "array %d is read-only", k);
        if (stria_overlaps_itself(a, 10000) != STRIA_OVERLAP_NO) {
            return stria_fail(STRIA_ERR_OVERLAP, "array %d overlaps itself", k);
        }
        for (int i = 0; i < grid->ndim; i++) {
            const int dim = grid->dims[i], low = grid->low[i], high = grid->high[i];
            if (dim < 0 || dim >= a->ndim) {
                return stria_fail(STRIA_ERR_DIM, "array %d has no dim %d", k, dim);
            }
            const int64_t inner = a->shape[dim] - low - high;
            if (low < 0 || high < 0 || inner < (low > high ? low : high)) {
                return stria_fail(
                    STRIA_ERR_SHAPE,
                    "array %d, dim %d: of %lld cells %lld are inside of ghosts %d and "
                    "%d wide; they must not be fewer than the ghosts",
                    k, dim, (long long)a->shape[dim], (long long)inner, low, high);
            }
        }
    }
    return STRIA_OK;
}

/*
 * Prepares the exchange of the ghost cells of `count` arrays, the local blocks of arrays that a
 * Cartesian communicator splits: its dim i splits their dim dims[i] (NULL: i), of which low[i]
 * cells at the beginning and high[i] at the end are copies of the neighbours' cells. Along dims
 * that are periodic in the communicator the ends are neighbours. Ghosts at edges without a
 * neighbour are left as they are, and so are those of corners, unless flags has STRIA_MPI_CORNERS;
 * all arrays travel in one message per neighbour. *out is owned by the caller and borrows the
 * arrays' memory. Collective. ARGUMENT: NULL, a communicator without a Cartesian topology, ranks
 * that disagree about count, widths, flags and dtypes; DIM, SHAPE: ghosts wider than the block,
 * neighbours of other sizes; READONLY, OVERLAP, MEMORY, IO.
 */
static inline stria_status stria_mpi_halo_make(stria_mpi_halo **out, MPI_Comm cart, int count,
                                               const stria_view *const *arrays, const int *dims,
                                               const int *low, const int *high, int flags)
{
    int topology = MPI_UNDEFINED, identity[STRIA_MAX_NDIM];
    struct stria_mpi__grid grid;
    memset(&grid, 0, sizeof grid);
    if (MPI_Topo_test(cart, &topology) != MPI_SUCCESS || topology != MPI_CART) {
        return stria_fail(STRIA_ERR_ARGUMENT, "the communicator has no Cartesian topology");
    }
    stria_status status = stria_mpi_status(MPI_Cartdim_get(cart, &grid.ndim));
    if (status == STRIA_OK && (grid.ndim < 1 || grid.ndim > 8)) {
        return stria_fail(STRIA_ERR_DIM, "a communicator of 1 to 8 dims is needed, not of %d",
                          grid.ndim);
    }
    for (int i = 0; i < STRIA_MAX_NDIM; i++)
        identity[i] = i;
    grid.dims = dims ? dims : identity;
    grid.low = low;
    grid.high = high;
    if (status == STRIA_OK) {
        status = stria_mpi_status(MPI_Cart_get(cart, grid.ndim, grid.sizes, grid.periods, grid.at));
    }
    stria_mpi_halo *const halo = (stria_mpi_halo *)calloc(1, sizeof *halo);
    uint64_t told = (uint64_t)flags;
    if (!halo) status = stria_fail(STRIA_ERR_MEMORY, "no memory for a halo");
    if (!out || !arrays || !low || !high || count < 1) {
        status = stria_fail(STRIA_ERR_ARGUMENT, "arrays and the widths of their ghosts are needed");
    }
    if (status == STRIA_OK) status = stria_mpi__halo_check(count, arrays, &grid);
    if (status == STRIA_OK) {
        for (int i = 0; i < grid.ndim; i++)
            told = told * 1009 + (uint64_t)low[i] * 31 + (uint64_t)high[i];
        for (int k = 0; k < count; k++)
            told = told * 31 + (uint64_t)arrays[k]->dtype.kind;
    }
    status = stria_mpi__agree(status, (int64_t)(told % INT32_MAX), cart);
    if (status != STRIA_OK) {
        free(halo);
        return status;
    }
    halo->count = count;
    halo->comm = MPI_COMM_NULL;
    status = stria_mpi_status(MPI_Comm_dup(cart, &halo->comm));
    if (status == STRIA_OK) {
        status = stria_mpi__sides(halo, arrays, &grid, (flags & STRIA_MPI_CORNERS) != 0);
    }
    status = stria_mpi__agree(status, 0, cart);
    if (status == STRIA_OK) status = stria_mpi__sizes_agree(halo, cart);
    if (status == STRIA_OK)
        *out = halo;
    else
        stria_mpi_halo_release(halo);
    return status;
}

/*
 * Begins an exchange: what the neighbours get is taken from the arrays now. Until
 * stria_mpi_halo_finish the ghosts are not touched and what is next to them is not written; all
 * else may be computed meanwhile. IO.
 */
static inline stria_status stria_mpi_halo_start(stria_mpi_halo *halo)
{
    for (int i = 0; i < halo->sides; i++) {
        for (int k = 0; halo->side[i].plans && k < halo->count; k++)
            stria_copy_plan_run(&halo->side[i].plans[k]);
    }
    return stria_mpi_status(MPI_Startall(2 * halo->sides, halo->requests));
}

/* Waits for the neighbours' cells and puts them into the ghosts. IO. */
static inline stria_status stria_mpi_halo_finish(stria_mpi_halo *halo)
{
    const stria_status status = stria_mpi__wait_all(2 * halo->sides, halo->requests);
    if (status != STRIA_OK) return status;
    for (int i = 0; i < halo->sides; i++) {
        for (int k = 0; halo->side[i].plans && k < halo->count; k++)
            stria_copy_plan_run(&halo->side[i].plans[halo->count + k]);
    }
    return STRIA_OK;
}

#ifdef __cplusplus
}
#endif

#endif
