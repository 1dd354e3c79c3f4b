/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat flow on a periodic square that MPI splits into blocks: the ghost cells are exchanged while
 * the inside is computed, and the heat is summed to the same bits for any number of ranks.
 *
 *     mpicc heat.c $(pkg-config --cflags --libs stria) && mpirun -n 4 ./a.out
 */
#include <stdio.h>

#include "stria/stria.h"
#include "stria/stria_mpi.h"

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if ((call) != STRIA_OK) {                                                                  \
            (void)fprintf(stderr, "%s\n", stria_last_error());                                     \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

enum { N = 240, STEPS = 50 };

/* Computes one step of rows first .. last - 1, counted from 1 inside of the ghosts. */
static void step(const stria_array *to, const stria_array *from, int64_t first, int64_t last)
{
    const int64_t row = from->view.strides[0] / 8, columns = from->view.shape[1] - 2;
    const double *const u = (const double *)(const void *)from->view.data;
    double *const v = (double *)(void *)to->view.data;
    for (int64_t i = first; i < last; i++) {
        for (int64_t j = 1; j <= columns; j++) {
            const int64_t at = i * row + j;
            v[at] = u[at] + 0.2 * (u[at - row] + u[at + row] + u[at - 1] + u[at + 1] - 4 * u[at]);
        }
    }
}

int main(int argc, char **argv)
{
    int ranks = 0, mine = 0, sizes[2] = {0, 0}, at[2];
    const int periodic[2] = {1, 1}, ghosts[2] = {1, 1};
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periodic, 0, &grid);
    MPI_Comm_rank(grid, &mine);
    MPI_Cart_coords(grid, mine, 2, at);

    /* This rank's block, with one ghost cell on each side. */
    int64_t first[2], shape[2];
    for (int i = 0; i < 2; i++) {
        first[i] = (int64_t)N * at[i] / sizes[i];
        shape[i] = (int64_t)N * (at[i] + 1) / sizes[i] - first[i] + 2;
    }
    stria_array u[2] = {{0}, {0}};
    stria_mpi_halo *halo[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        const stria_view *const arrays[1] = {&u[i].view};
        TRY(stria_zeros(&u[i], stria_dtype_of(STRIA_F64), 2, shape));
        TRY(stria_mpi_halo_make(&halo[i], grid, 1, arrays, NULL, ghosts, ghosts, 0));
    }
    double *const cells = (double *)(void *)u[0].view.data;
    for (int64_t i = 1; i < shape[0] - 1; i++) {
        for (int64_t j = 1; j < shape[1] - 1; j++) {
            const int64_t x = first[0] + i - 1, y = first[1] + j - 1;
            cells[i * shape[1] + j] = (double)((x * 31 + y * 17) % 101) / 7;
        }
    }

    for (int n = 0; n < STEPS; n++) {
        const stria_array *const from = &u[n % 2], *const to = &u[(n + 1) % 2];
        TRY(stria_mpi_halo_start(halo[n % 2]));
        TRY(stria_mpi_halo_finish(halo[n % 2]));
        step(to, from, 1, shape[0] - 1);
    }

    double heat = 0;
    stria_view inside, sum;
    TRY(stria_narrow(&inside, &u[STEPS % 2].view, 0, 1, shape[0] - 2));
    TRY(stria_narrow(&inside, &inside, 1, 1, shape[1] - 2));
    TRY(stria_view_foreign(&sum, &heat, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    TRY(stria_mpi_sum(&sum, &inside, grid, NULL));
    if (mine == 0) (void)printf("heat after %d steps: %.17g\n", STEPS, heat);
    for (int i = 0; i < 2; i++) {
        stria_mpi_halo_release(halo[i]);
        stria_array_release(&u[i]);
    }
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
