/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that are split along one dim, split along another. */
#ifndef STRIA_MPI_REDISTRIBUTE_H
#define STRIA_MPI_REDISTRIBUTE_H

#include <stdlib.h>
#include <string.h>

#include "../overlap.h"
#include "ranks.h"
#include "send.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STRIA_MPI__FEW = 64 /* ranks whose blocks lie on the stack */ };

/* A block of one rank, as the rank tells it to the others. */
struct stria_mpi__block {
    int64_t status, ndim, itemsize, whole; /* whole: product of the dims that are not split */
    int64_t in, out;                       /* sizes of its blocks along the dims that are split */
    int64_t of_in, of_out;                 /* the whole of them, 0 where one dim is split in both */
};

/* A redistribution: blocks of every rank, and both arrays with their dims in the same order. */
struct stria_mpi__move {
    stria_view in, out;
    int in_dim, out_dim; /* of both, the dims that are split */
    int ranks, rank;
    struct stria_mpi__block *blocks; /* one for each rank */
    const bool *elsewhere;           /* ranks that get no message; NULL: there are none */
};

/* Checks this rank's arrays, brings dims into one order and fills in what it tells. */
static inline stria_status stria_mpi__move_make(struct stria_mpi__move *move,
                                                struct stria_mpi__block *block,
                                                const stria_view *out, int out_dim,
                                                const stria_view *in, int in_dim, const int *order)
{
    stria_status status = STRIA_OK;
    move->in = *in;
    move->out = *out;
    if (order) status = stria_permute(&move->in, in, in->ndim, order);
    if (status != STRIA_OK) return status;
    if (!stria_is_writable(out)) return stria_fail(STRIA_ERR_READONLY, "out is read-only");
    if (in->ndim != out->ndim || in_dim < 0 || out_dim < 0 || in_dim >= in->ndim ||
        out_dim >= out->ndim) {
        return stria_fail(STRIA_ERR_DIM, "dims %d and %d of arrays of %d and %d dims", in_dim,
                          out_dim, (int)in->ndim, (int)out->ndim);
    }
    if (in->dtype.kind != out->dtype.kind || in->dtype.itemsize != out->dtype.itemsize) {
        return stria_fail(STRIA_ERR_DTYPE, "both arrays must have one dtype");
    }
    if (stria_overlaps_itself(out, 10000) != STRIA_OVERLAP_NO ||
        stria_shares_memory(in, out, 10000) != STRIA_OVERLAP_NO) {
        return stria_fail(STRIA_ERR_OVERLAP, "out overlaps in, or itself");
    }
    move->out_dim = out_dim;
    move->in_dim = in_dim;
    for (int i = 0; order && i < in->ndim; i++)
        if (order[i] == in_dim || order[i] + in->ndim == in_dim) move->in_dim = i;
    block->ndim = in->ndim;
    block->itemsize = in->dtype.itemsize;
    block->whole = 1;
    for (int i = 0; i < in->ndim; i++) {
        if (i == move->in_dim || i == out_dim) continue;
        block->whole *= out->shape[i];
        if (move->in.shape[i] != out->shape[i]) {
            return stria_fail(STRIA_ERR_SHAPE, "dim %d of out has size %lld, that of in %lld", i,
                              (long long)out->shape[i], (long long)move->in.shape[i]);
        }
    }
    block->in = move->in.shape[move->in_dim];
    block->out = out->shape[out_dim];
    if (move->in_dim != out_dim) {
        block->of_in = out->shape[move->in_dim];
        block->of_out = move->in.shape[out_dim];
    }
    return STRIA_OK;
}

/* Checks that the blocks of all ranks make up one array. */
static inline stria_status stria_mpi__move_check(const struct stria_mpi__move *move)
{
    const struct stria_mpi__block *const mine = &move->blocks[move->rank];
    int64_t in = 0, out = 0;
    for (int r = 0; r < move->ranks; r++) {
        const struct stria_mpi__block *const its = &move->blocks[r];
        if (its->status != STRIA_OK) {
            return stria_fail((stria_status)its->status, "rank %d failed: %s", r,
                              stria_status_name((stria_status)its->status));
        }
        if (its->ndim != mine->ndim || its->itemsize != mine->itemsize ||
            its->whole != mine->whole || its->of_in != mine->of_in || its->of_out != mine->of_out) {
            return stria_fail(STRIA_ERR_SHAPE, "ranks %d and %d have parts of different arrays",
                              move->rank, r);
        }
        in += its->in;
        out += its->out;
    }
    const bool same = move->in_dim == move->out_dim;
    if (same ? in != out : in != mine->of_in || out != mine->of_out) {
        return stria_fail(STRIA_ERR_SHAPE,
                          "the blocks add up to %lld and %lld along the dims that are split, which "
                          "have %lld and %lld",
                          (long long)in, (long long)out, (long long)(same ? in : mine->of_in),
                          (long long)(same ? in : mine->of_out));
    }
    return STRIA_OK;
}

/* Tells the others of this rank's block, and checks theirs: the one exchange in which all agree. */
static inline stria_status stria_mpi__move_agree(const struct stria_mpi__move *move,
                                                 struct stria_mpi__block *block, stria_status mine,
                                                 MPI_Comm comm)
{
    const int size = (int)sizeof *block;
    block->status = mine;
    const stria_status status =
        stria_mpi_status(MPI_Allgather(block, size, MPI_BYTE, move->blocks, size, MPI_BYTE, comm));
    if (status != STRIA_OK) return status;
    return mine != STRIA_OK ? mine : stria_mpi__move_check(move);
}

/* Views what goes from rank `from` to rank `to` in the array of one of them. */
static inline stria_status stria_mpi__part(stria_view *part, const struct stria_mpi__move *move,
                                           int from, int to, bool sends)
{
    const stria_view *const a = sends ? &move->in : &move->out;
    int64_t first_in = 0, first_out = 0;
    for (int r = 0; r < from; r++)
        first_in += move->blocks[r].in;
    for (int r = 0; r < to; r++)
        first_out += move->blocks[r].out;
    const int64_t n_in = move->blocks[from].in, n_out = move->blocks[to].out;
    if (move->in_dim != move->out_dim) {
        return sends ? stria_narrow(part, a, move->out_dim, first_out, n_out)
                     : stria_narrow(part, a, move->in_dim, first_in, n_in);
    }
    const int64_t first = first_in > first_out ? first_in : first_out;
    const int64_t end_in = first_in + n_in, end_out = first_out + n_out;
    const int64_t n = (end_in < end_out ? end_in : end_out) - first;
    if (n <= 0) return stria_narrow(part, a, move->in_dim, 0, 0);
    return stria_narrow(part, a, move->in_dim, first - (sends ? first_in : first_out), n);
}

/*
 * Makes the messages with every rank: dense copies, or the parts themselves, also where there is no
 * memory for copies: a rank that gave up now would leave the others waiting.
 */
static inline stria_status stria_mpi__messages(MPI_Datatype *types, int *counts,
                                               stria_array *packed,
                                               const struct stria_mpi__move *move, bool sends)
{
    for (int r = 0; r < move->ranks; r++) {
        stria_view part;
        stria_status status =
            stria_mpi__part(&part, move, sends ? move->rank : r, sends ? r : move->rank, sends);
        types[r] = MPI_BYTE;
        counts[r] = 0;
        if (status != STRIA_OK) return status;
        if (r == move->rank || stria_numel(&part) == 0) continue;
        if (move->elsewhere && move->elsewhere[r]) continue;
        if (!stria_mpi__goes_as_type(&part)) {
            status = stria_mpi__wire(&packed[r], &part);
            if (status == STRIA_OK && sends) status = stria_mpi__copy(&packed[r].view, &part);
            if (status == STRIA_OK)
                part = packed[r].view;
            else if (status == STRIA_ERR_MEMORY)
                stria_array_release(&packed[r]);
            else
                return status;
        }
        status = stria_mpi__type_of(&types[r], 1, &part);
        if (status != STRIA_OK) return status;
        counts[r] = 1;
    }
    return STRIA_OK;
}

/* Moves what stays on this rank, and what came in dense copies. */
static inline stria_status stria_mpi__unpack(const stria_array *packed,
                                             const struct stria_mpi__move *move)
{
    stria_view part, own;
    stria_status status = stria_mpi__part(&part, move, move->rank, move->rank, false);
    if (status == STRIA_OK) status = stria_mpi__part(&own, move, move->rank, move->rank, true);
    if (status == STRIA_OK) status = stria_mpi__copy(&part, &own);
    for (int r = 0; r < move->ranks && status == STRIA_OK; r++) {
        if (!packed[r].owned) continue;
        status = stria_mpi__part(&part, move, r, move->rank, false);
        if (status == STRIA_OK) status = stria_mpi__copy(&part, &packed[r].view);
    }
    return status;
}

/*
 * Splits an array along another dim: in is this rank's block of an array that is split along its
 * dim in_dim, in the order of the ranks; out is to become this rank's block of the same array with
 * its dims permuted (dim i of out is dim order[i] of in; NULL: none moves), split along dim out_dim
 * of out. Blocks may differ in size, and be empty; both dims may be the same. A pencil FFT's
 * transposition. Collective. SHAPE: the blocks do not make up one array; DIM, DTYPE (two of them),
 * READONLY, OVERLAP, MEMORY, IO.
 */
static inline stria_status stria_mpi_redistribute(const stria_view *out, int out_dim,
                                                  const stria_view *in, int in_dim,
                                                  const int *order, MPI_Comm comm)
{
    struct stria_mpi__move move;
    struct stria_mpi__block block, few[STRIA_MPI__FEW];
    memset(&move, 0, sizeof move);
    memset(&block, 0, sizeof block);
    stria_status status = stria_mpi_status(MPI_Comm_size(comm, &move.ranks));
    if (status == STRIA_OK) status = stria_mpi_status(MPI_Comm_rank(comm, &move.rank));
    if (status != STRIA_OK) return status;
    const size_t n = (size_t)move.ranks;
    MPI_Datatype *const types = (MPI_Datatype *)calloc(2 * n, sizeof *types);
    int *const numbers = (int *)calloc(3 * n, sizeof *numbers); /* counts, counts, displacements */
    stria_array *const packed = (stria_array *)calloc(2 * n, sizeof *packed);
    const bool many = n > STRIA_MPI__FEW;
    move.blocks = many ? (struct stria_mpi__block *)calloc(n, sizeof *move.blocks) : few;
    const bool room = types && numbers && packed && move.blocks;
    if (!room)
        status = stria_fail(STRIA_ERR_MEMORY, "no memory for %d ranks", move.ranks);
    else
        status = stria_mpi__move_make(&move, &block, out, out_dim, in, in_dim, order);
    const stria_status mine = status;
    status = many ? stria_mpi__agree(room ? STRIA_OK : STRIA_ERR_MEMORY, 0, comm) : STRIA_OK;
    if (status == STRIA_OK) {
        status = stria_mpi__move_agree(&move, &block, mine, comm);
        if (status == STRIA_OK) status = stria_mpi__messages(types, numbers, packed, &move, true);
        if (status == STRIA_OK) {
            status = stria_mpi__messages(types + n, numbers + n, packed + n, &move, false);
        }
    }
    if (status == STRIA_OK) {
        status =
            stria_mpi_status(MPI_Alltoallw(MPI_BOTTOM, numbers, numbers + 2 * n, types, MPI_BOTTOM,
                                           numbers + n, numbers + 2 * n, types + n, comm));
    }
    if (status == STRIA_OK) status = stria_mpi__unpack(packed + n, &move);
    for (size_t i = 0; room && i < 2 * n; i++) {
        if (numbers[i]) MPI_Type_free(&types[i]);
        stria_array_release(&packed[i]);
    }
    free(types);
    free(numbers);
    free(packed);
    if (many) free(move.blocks);
    return status;
}

#ifdef __cplusplus
}
#endif

#endif
