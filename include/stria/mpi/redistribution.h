/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Redistributions that are prepared once and run again and again, as a program that turns pencils
 * does in each step. Ranks of one node write what the others of it get into memory that they share,
 * and these read it there: two copies where messages take three, into memory that is there.
 */
#ifndef STRIA_MPI_REDISTRIBUTION_H
#define STRIA_MPI_REDISTRIBUTION_H

#include "redistribute.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STRIA_MPI_MESSAGES = 2 }; /* flags of stria_mpi_redistribution_make */

/* A redistribution that can be repeated. */
typedef struct stria_mpi_redistribution {
    struct stria_mpi__move move; /* its blocks and elsewhere are owned */
    MPI_Comm comm, node;         /* a duplicate, and the ranks of it that share memory */
    MPI_Win win;                 /* that memory; MPI_WIN_NULL: all go by messages */
    bool messages;               /* some do */
    char **base;                 /* owned: each rank's memory; NULL where it is not shared */
    MPI_Datatype *types;         /* owned: of messages to and from every rank, */
    int *numbers;                /* owned: counts, counts and displacements, */
    stria_array *packed;         /* owned: and dense copies, as stria_mpi__messages has them */
    stria_copy_plan *plans;      /* owned: packs into the shared memory, then what comes after */
    int packs, copies;           /* how many: of these, and of all */
} stria_mpi_redistribution;

/* Ends a redistribution. Collective; NULL is allowed. */
static inline void stria_mpi_redistribution_release(stria_mpi_redistribution *r)
{
    if (!r) return;
    const size_t n = r->types && r->numbers && r->packed ? (size_t)(2 * r->move.ranks) : 0;
    for (size_t i = 0; i < n; i++) {
        if (r->numbers[i]) MPI_Type_free(&r->types[i]);
        stria_array_release(&r->packed[i]);
    }
    if (r->win != MPI_WIN_NULL) {
        MPI_Win_unlock_all(r->win);
        MPI_Win_free(&r->win);
    }
    if (r->node != MPI_COMM_NULL) MPI_Comm_free(&r->node);
    if (r->comm != MPI_COMM_NULL) MPI_Comm_free(&r->comm);
    free((void *)(uintptr_t)r->move.elsewhere);
    free(r->move.blocks);
    free(r->base);
    free(r->types);
    free(r->numbers);
    free(r->packed);
    free(r->plans);
    free(r);
}

/* Bytes that rank `from` writes for rank `to` of its node, on lines of their own. */
static inline int64_t stria_mpi__part_room(const struct stria_mpi__move *move, int from, int to)
{
    const struct stria_mpi__block *const f = &move->blocks[from], *const t = &move->blocks[to];
    int64_t n = f->in * t->out;
    if (from == to || !move->elsewhere[from] || !move->elsewhere[to]) return 0;
    if (move->in_dim == move->out_dim) {
        int64_t low = 0, first = 0; /* where t's block begins, less where f's does */
        for (int r = 0; r < from; r++)
            first += move->blocks[r].in;
        for (int r = 0; r < to; r++)
            low += move->blocks[r].out;
        const int64_t end = first + f->in < low + t->out ? first + f->in : low + t->out;
        n = end - (low > first ? low : first);
    }
    return n > 0 ? (n * f->whole * f->itemsize + 63) / 64 * 64 : 0;
}

/* Views the memory that rank `from` writes for rank `to`, in the shape of a part of either. */
static inline stria_status stria_mpi__shared_part(stria_view *out,
                                                  const stria_mpi_redistribution *r,
                                                  const stria_view *part, int from, int to)
{
    const stria_dtype dtype = part->dtype.swapped ? stria_dtype_swap(part->dtype) : part->dtype;
    char *at = r->base[from];
    for (int q = 0; q < to; q++)
        at += stria_mpi__part_room(&r->move, from, q);
    return stria_view_foreign(out, at, dtype, part->ndim, part->shape, NULL, 0);
}

/* Finds the ranks of this node, and shares memory with them; none where any rank has none. */
static inline stria_status stria_mpi__share(stria_mpi_redistribution *r, bool *elsewhere)
{
    const int ranks = r->move.ranks;
    int size = 0, *const numbers = r->numbers; /* ranks of the node, and what they are here */
    MPI_Group all = MPI_GROUP_NULL, here = MPI_GROUP_NULL;
    char *mine = NULL;
    int64_t bytes = 0;
    stria_status status = stria_mpi_status(
        MPI_Comm_split_type(r->comm, MPI_COMM_TYPE_SHARED, r->move.rank, MPI_INFO_NULL, &r->node));
    if (status == STRIA_OK) status = stria_mpi_status(MPI_Comm_size(r->node, &size));
    if (status == STRIA_OK) status = stria_mpi_status(MPI_Comm_group(r->comm, &all));
    if (status == STRIA_OK) status = stria_mpi_status(MPI_Comm_group(r->node, &here));
    for (int i = 0; i < size; i++)
        numbers[i] = i;
    if (status == STRIA_OK) {
        status =
            stria_mpi_status(MPI_Group_translate_ranks(here, size, numbers, all, numbers + ranks));
    }
    for (int i = 0; i < size && status == STRIA_OK; i++)
        elsewhere[numbers[ranks + i]] = true;
    for (int q = 0; q < ranks && status == STRIA_OK; q++)
        bytes += stria_mpi__part_room(&r->move, r->move.rank, q);
    if (status == STRIA_OK) {
        MPI_Comm_set_errhandler(r->node, MPI_ERRORS_RETURN); /* no memory is no end */
        status = stria_mpi_status(MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL,
                                                          r->node, (void *)&mine, &r->win));
    }
    for (int i = 0; i < size && status == STRIA_OK; i++) {
        MPI_Aint room = 0;
        int unit = 0;
        status = stria_mpi_status(
            MPI_Win_shared_query(r->win, i, &room, &unit, (void *)&r->base[numbers[ranks + i]]));
    }
    if (status == STRIA_OK) {
        status = stria_mpi_status(MPI_Win_lock_all(MPI_MODE_NOCHECK, r->win));
    }
    memset(numbers, 0, (size_t)(3 * ranks) * sizeof *numbers);
    if (all != MPI_GROUP_NULL) MPI_Group_free(&all);
    if (here != MPI_GROUP_NULL) MPI_Group_free(&here);
    r->messages = size < ranks;
    return status;
}

/* Adds the plan of a copy, unless there is nothing to be copied. */
static inline stria_status stria_mpi__plan(stria_mpi_redistribution *r, const stria_view *to,
                                           const stria_view *from)
{
    static const stria_exec away = {0, NULL, NULL, STRIA_WONT_READ_SOON, NULL, NULL, NULL, {0, 0}};
    if (stria_numel(to) == 0) return STRIA_OK;
    return stria_copy_plan_make(&r->plans[r->copies++], to, from, &away);
}

/* Plans the copies into the memory that is shared, those out of it, and what stays here. */
static inline stria_status stria_mpi__plans(stria_mpi_redistribution *r)
{
    const int me = r->move.rank;
    stria_view part, shared;
    stria_status status = STRIA_OK;
    for (int q = 0; q < r->move.ranks && status == STRIA_OK; q++) {
        if (q == me || !r->move.elsewhere[q]) continue;
        status = stria_mpi__part(&part, &r->move, me, q, true);
        if (status == STRIA_OK) status = stria_mpi__shared_part(&shared, r, &part, me, q);
        if (status == STRIA_OK) status = stria_mpi__plan(r, &shared, &part);
    }
    r->packs = r->copies;
    if (status == STRIA_OK) status = stria_mpi__part(&shared, &r->move, me, me, true);
    for (int i = 0; i < r->move.ranks && status == STRIA_OK; i++) {
        const int q = (me + i) % r->move.ranks; /* not all of them read from one */
        if (q != me && !r->move.elsewhere[q]) continue;
        status = stria_mpi__part(&part, &r->move, q, me, false);
        if (status == STRIA_OK && q != me) {
            status = stria_mpi__shared_part(&shared, r, &part, q, me);
        }
        if (status == STRIA_OK) status = stria_mpi__plan(r, &part, &shared);
    }
    return status;
}

/*
 * Prepares stria_mpi_redistribute of these arguments. *made is owned by the caller and borrows the
 * memory of both views. flags: STRIA_MPI_MESSAGES, by messages alone, also within a node. Each rank
 * of a node has shared memory for what it gives to the others of it, until the redistribution ends.
 * Collective. Errors are those of stria_mpi_redistribute.
 */
static inline stria_status stria_mpi_redistribution_make(stria_mpi_redistribution **made,
                                                         const stria_view *out, int out_dim,
                                                         const stria_view *in, int in_dim,
                                                         const int *order, int flags, MPI_Comm comm)
{
    struct stria_mpi__block block;
    int ranks = 0;
    memset(&block, 0, sizeof block);
    stria_status status = stria_mpi_status(MPI_Comm_size(comm, &ranks));
    if (status != STRIA_OK) return status;
    const size_t n = (size_t)ranks;
    stria_mpi_redistribution *const r = (stria_mpi_redistribution *)calloc(1, sizeof *r);
    bool *const elsewhere = (bool *)calloc(n, sizeof *elsewhere);
    if (r) {
        r->comm = r->node = MPI_COMM_NULL;
        r->win = MPI_WIN_NULL;
        r->move.ranks = ranks;
        r->move.elsewhere = elsewhere;
        r->move.blocks = (struct stria_mpi__block *)calloc(n, sizeof *r->move.blocks);
        r->base = (char **)calloc(n, sizeof *r->base);
        r->types = (MPI_Datatype *)calloc(2 * n, sizeof *r->types);
        r->numbers = (int *)calloc(3 * n, sizeof *r->numbers);
        r->packed = (stria_array *)calloc(2 * n, sizeof *r->packed);
        r->plans = (stria_copy_plan *)calloc(2 * n, sizeof *r->plans);
    }
    if (!r || !elsewhere || !r->move.blocks || !r->base || !r->types || !r->numbers || !r->packed ||
        !r->plans) {
        status = stria_fail(STRIA_ERR_MEMORY, "no memory for %d ranks", ranks);
    } else {
        status = stria_mpi_status(MPI_Comm_rank(comm, &r->move.rank));
    }
    status = stria_mpi__agree(status, flags, comm);
    if (status == STRIA_OK) status = stria_mpi_status(MPI_Comm_dup(comm, &r->comm));
    if (status == STRIA_OK) {
        status = stria_mpi__move_make(&r->move, &block, out, out_dim, in, in_dim, order);
        status = stria_mpi__move_agree(&r->move, &block, status, comm);
    }
    if (status == STRIA_OK) {
        r->messages = true;
        const bool share = ranks > 1 && !(flags & STRIA_MPI_MESSAGES);
        const stria_status shared = share ? stria_mpi__share(r, elsewhere) : STRIA_OK;
        if (stria_mpi__agree(shared, 0, comm) != STRIA_OK) {
            memset(elsewhere, 0, n * sizeof *elsewhere);
            r->messages = true;
        }
        status = stria_mpi__plans(r);
    }
    if (status == STRIA_OK && r->messages) {
        status = stria_mpi__messages(r->types, r->numbers, r->packed, &r->move, true);
        if (status == STRIA_OK) {
            status =
                stria_mpi__messages(r->types + n, r->numbers + n, r->packed + n, &r->move, false);
        }
    }
    status = stria_mpi__agree(status, 0, comm);
    if (status == STRIA_OK) {
        *made = r;
    } else if (r) {
        stria_mpi_redistribution_release(r);
    } else {
        free(elsewhere);
    }
    return status;
}

/* Exchanges what does not go through shared memory. */
static inline stria_status stria_mpi__exchange(stria_mpi_redistribution *r)
{
    const int n = r->move.ranks, me = r->move.rank;
    stria_view part;
    stria_status status = STRIA_OK;
    for (int q = 0; q < n && status == STRIA_OK; q++) {
        if (!r->packed[q].owned) continue;
        status = stria_mpi__part(&part, &r->move, me, q, true);
        if (status == STRIA_OK) status = stria_mpi__copy(&r->packed[q].view, &part);
    }
    const stria_status moved = stria_mpi_status(
        MPI_Alltoallw(MPI_BOTTOM, r->numbers, r->numbers + 2 * n, r->types, MPI_BOTTOM,
                      r->numbers + n, r->numbers + 2 * n, r->types + n, r->comm));
    if (status == STRIA_OK) status = moved;
    for (int q = 0; q < n && status == STRIA_OK; q++) {
        if (!r->packed[n + q].owned) continue;
        status = stria_mpi__part(&part, &r->move, q, me, false);
        if (status == STRIA_OK) status = stria_mpi__copy(&part, &r->packed[n + q].view);
    }
    return status;
}

/* Moves what `in` holds now to `out`. Collective. IO. */
static inline stria_status stria_mpi_redistribution_run(stria_mpi_redistribution *r)
{
    stria_status status = STRIA_OK;
    const bool shares = r->win != MPI_WIN_NULL;
    if (shares) status = stria_mpi_status(MPI_Barrier(r->node)); /* all have read what was there */
    for (int i = 0; i < r->packs; i++)
        stria_copy_plan_run(&r->plans[i]);
    if (shares) {
        MPI_Win_sync(r->win);
        const stria_status all = stria_mpi_status(MPI_Barrier(r->node));
        if (status == STRIA_OK) status = all;
        MPI_Win_sync(r->win);
    }
    if (r->messages) {
        const stria_status moved = stria_mpi__exchange(r);
        if (status == STRIA_OK) status = moved;
    }
    for (int i = r->packs; i < r->copies; i++)
        stria_copy_plan_run(&r->plans[i]);
    return status;
}

#ifdef __cplusplus
}
#endif

#endif
