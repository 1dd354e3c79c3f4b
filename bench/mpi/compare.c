/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria_mpi.h beside MPI's own datatypes, in turns, medians of the slowest rank's times: messages
 * between two ranks, a halo of dense rows, and arrays that are split along another dim. Times end
 * when all ranks are done.
 *
 *     mpicc -O2 -Iinclude bench/mpi/compare.c -Lbuild -lstria -Wl,-rpath,$PWD/build -o compare
 *     mpirun -n 2 ./compare && mpirun -n 4 ./compare
 */
#include <stdio.h>

#include "stria/stria.h"
#include "stria/stria_mpi.h"

enum { TURNS = 21 };
static int rank, ranks;

static void check_status(stria_status status)
{
    if (status == STRIA_OK) return;
    (void)fprintf(stderr, "%s\n", stria_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Two ways to do the same transfer, which are compared. */
struct pair {
    void (*way[2])(const struct pair *);
    const stria_view *a, *b;
    MPI_Datatype send, receive;
    stria_mpi_halo *halo;
    stria_mpi_redistribution *kept;
    MPI_Request *requests;
    int in_dim, out_dim;
    const int *order;
    int *counts, *at;
    MPI_Datatype *types;
};

static void compare(const char *what, const struct pair *pair)
{
    double times[2][TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
        for (int w = 0; w < 2; w++) {
            MPI_Barrier(MPI_COMM_WORLD);
            double taken = -MPI_Wtime();
            pair->way[w](pair);
            MPI_Barrier(MPI_COMM_WORLD); /* Ranks that share a core do their last part in turns. */
            taken += MPI_Wtime();
            MPI_Allreduce(&taken, &times[w][turn], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        }
    }
    for (int w = 0; w < 2; w++)
        qsort(times[w], TURNS, sizeof(double), by_time);
    const double own = times[0][TURNS / 2], mpi = times[1][TURNS / 2];
    if (rank == 0) {
        (void)printf("%-44s %8.3f ms, MPI's own %8.3f ms: %.2f\n", what, 1e3 * own, 1e3 * mpi,
                     mpi / own);
    }
}

static void send_by_stria(const struct pair *p)
{
    if (rank == 0) check(stria_mpi_send(p->a, 1, 0, MPI_COMM_WORLD));
    if (rank == 1) check(stria_mpi_recv(p->b, 0, 0, MPI_COMM_WORLD));
}

static void send_by_type(const struct pair *p)
{
    MPI_Status status;
    if (rank == 0) MPI_Send(p->a->data, 1, p->send, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(p->b->data, 1, p->receive, 0, 0, MPI_COMM_WORLD, &status);
}

static void compare_messages(void)
{
    const int64_t n = 4096, square[2] = {n, n}, flat = n * n;
    stria_array a = {0}, b = {0};
    stria_view from;
    struct pair p = {.way = {send_by_stria, send_by_type}};
    check_status(stria_zeros(&a, stria_dtype_of(STRIA_F32), 2, square));
    check_status(stria_zeros(&b, stria_dtype_of(STRIA_F32), 2, square));
    check_status(stria_transpose(&from, &a.view, 0, 1));
    p.a = &from;
    p.b = &b.view;
    check_status(stria_mpi_type(&p.send, p.a));
    check_status(stria_mpi_type(&p.receive, p.b));
    compare("message, f32 4096^2 transposed", &p);
    MPI_Type_free(&p.send);
    MPI_Type_free(&p.receive);
    check_status(stria_zeros(&b, stria_dtype_of(STRIA_F32), 1, (const int64_t[]){flat / 2}));
    check_status(stria_zeros(&a, stria_dtype_of(STRIA_F32), 1, &flat));
    check_status(stria_slice(&from, &a.view, 0, 0, flat, 2));
    check_status(stria_mpi_type(&p.send, p.a));
    check_status(stria_mpi_type(&p.receive, p.b));
    compare("message, f32 x[::2] of 8 Mi", &p);
    MPI_Type_free(&p.send);
    MPI_Type_free(&p.receive);
    stria_array_release(&a);
    stria_array_release(&b);
}

static void send_packed(const struct pair *p)
{
    stria_array packed = {0};
    check_status(stria_empty(&packed, p->a->dtype, p->a->ndim, p->a->shape));
    const int n = (int)stria_nbytes(&packed.view);
    if (rank == 0) check(stria_copy(&packed.view, p->a, NULL));
    if (rank == 0) MPI_Send(packed.view.data, n, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(packed.view.data, n, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) check(stria_copy(p->b, &packed.view, NULL));
    stria_array_release(&packed);
}

/* Finds where a datatype is as fast as a dense copy: every second run of so many bytes, on both
 * sides. */
static void compare_runs(void)
{
    static const int64_t all[] = {64 << 10, 8 << 20};
    for (int i = 0; i < 2; i++) {
        for (int64_t run = 64; run <= 8192; run *= 2) {
            char what[64];
            stria_array a = {0}, b = {0};
            stria_view from, to;
            const int64_t shape[2] = {all[i] / run, 2 * run};
            struct pair p = {.way = {send_packed, send_by_type}};
            check_status(stria_zeros(&a, stria_dtype_of(STRIA_I8), 2, shape));
            check_status(stria_zeros(&b, stria_dtype_of(STRIA_I8), 2, shape));
            check_status(stria_narrow(&from, &a.view, 1, 0, run));
            check_status(stria_narrow(&to, &b.view, 1, 0, run));
            p.a = &from;
            p.b = &to;
            check_status(stria_mpi_type(&p.send, p.a));
            check_status(stria_mpi_type(&p.receive, p.b));
            (void)snprintf(what, sizeof what, "message of %d KiB, copied, runs of %d bytes",
                           (int)(all[i] >> 10), (int)run);
            compare(what, &p);
            MPI_Type_free(&p.send);
            MPI_Type_free(&p.receive);
            stria_array_release(&a);
            stria_array_release(&b);
        }
    }
}

static void halo_by_stria(const struct pair *p)
{
    for (int i = 0; i < 20; i++) {
        check_status(stria_mpi_halo_start(p->halo));
        check_status(stria_mpi_halo_finish(p->halo));
    }
}

static void halo_by_type(const struct pair *p)
{
    for (int i = 0; i < 20; i++) {
        MPI_Startall(4, p->requests);
        MPI_Waitall(4, p->requests, MPI_STATUSES_IGNORE);
    }
}

static void compare_halos(void)
{
    const int64_t shape[3] = {66, 128, 128};
    const int periodic[1] = {1}, width[1] = {1};
    stria_array a = {0};
    struct pair p = {.way = {halo_by_stria, halo_by_type}};
    MPI_Comm ring;
    MPI_Request requests[4];
    int below, above;
    check_status(stria_zeros(&a, stria_dtype_of(STRIA_F64), 3, shape));
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, periodic, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &below, &above);
    const stria_view *const arrays[1] = {&a.view};
    check(stria_mpi_halo_make(&p.halo, ring, 1, arrays, NULL, width, width, 0));
    double *const x = (double *)(void *)a.view.data;
    const int n = 128 * 128;
    MPI_Send_init(x + n, n, MPI_DOUBLE, below, 0, ring, &requests[0]);
    MPI_Send_init(x + 64 * n, n, MPI_DOUBLE, above, 1, ring, &requests[1]);
    MPI_Recv_init(x + 65 * n, n, MPI_DOUBLE, above, 0, ring, &requests[2]);
    MPI_Recv_init(x, n, MPI_DOUBLE, below, 1, ring, &requests[3]);
    p.requests = requests;
    compare("20 halos of dense planes, f64 128^2", &p);
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
    stria_mpi_halo_release(p.halo);
    MPI_Comm_free(&ring);
    stria_array_release(&a);
}

static void split_by_stria(const struct pair *p)
{
    check_status(
        stria_mpi_redistribute(p->b, p->out_dim, p->a, p->in_dim, p->order, MPI_COMM_WORLD));
}

static void split_again(const struct pair *p)
{
    check_status(stria_mpi_redistribution_run(p->kept));
}

static void split_by_types(const struct pair *p)
{
    MPI_Alltoallw(p->a->data, p->counts, p->at, p->types, p->b->data, p->counts, p->at + ranks,
                  p->types + ranks, MPI_COMM_WORLD);
}

/* Compares splits: in is split along dim 0; out, with dims in another order, along dim 0 as well,
 * or dim 1. */
static void compare_splits(const char *what, stria_kind kind, int ndim, const int64_t *whole,
                           const int *order, int out_dim)
{
    stria_array a = {0}, b = {0};
    int64_t in[3], out[3];
    int counts[64], at[128], in_dim = 0;
    MPI_Datatype types[128];
    stria_view moved;
    struct pair p = {.way = {split_by_stria, split_by_types}};
    for (int i = 0; i < ndim; i++) {
        in[i] = whole[i] / (i == 0 ? ranks : 1);
        out[i] = whole[order[i]] / (i == out_dim ? ranks : 1);
        if (order[i] == 0) in_dim = i;
    }
    check_status(stria_zeros(&a, stria_dtype_of(kind), ndim, in));
    check_status(stria_zeros(&b, stria_dtype_of(kind), ndim, out));
    check_status(stria_permute(&moved, &a.view, ndim, order));
    for (int r = 0; r < ranks; r++) {
        stria_view part;
        counts[r] = 1;
        check_status(stria_narrow(&part, &moved, out_dim, r * out[out_dim], out[out_dim]));
        at[r] = (int)(part.data - a.view.data);
        check_status(stria_mpi_type(&types[r], &part));
        const int64_t n = whole[0] / ranks;
        check_status(stria_narrow(&part, &b.view, in_dim, r * n, n));
        at[ranks + r] = (int)(part.data - b.view.data);
        check_status(stria_mpi_type(&types[ranks + r], &part));
    }
    p.a = &a.view;
    p.b = &b.view;
    p.order = order;
    p.out_dim = out_dim;
    p.counts = counts;
    p.at = at;
    p.types = types;
    compare(what, &p);
    check(stria_mpi_redistribution_make(&p.kept, p.b, out_dim, p.a, 0, order, 0, MPI_COMM_WORLD));
    p.way[0] = split_again;
    compare("  prepared", &p);
    stria_mpi_redistribution_release(p.kept);
    for (int r = 0; r < 2 * ranks; r++)
        MPI_Type_free(&types[r]);
    stria_array_release(&a);
    stria_array_release(&b);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) (void)printf("%d ranks\n", ranks);
    if (ranks == 2) compare_messages();
    if (ranks == 2) compare_runs();
    compare_halos();
    compare_splits("global transpose, f64 2048^2", STRIA_F64, 2, (const int64_t[]){2048, 2048},
                   (const int[]){1, 0}, 0);
    compare_splits("slabs of c128 128^3, axis 0 to axis 1", STRIA_C128, 3,
                   (const int64_t[]){128, 128, 128}, (const int[]){0, 1, 2}, 1);
    MPI_Finalize();
    return 0;
}
