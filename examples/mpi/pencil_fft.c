/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Fourier transform in 3 dims by pencils: of an array that two of its dims split over a grid of
 * ranks, each rank transforms the lines along the third, and stria_mpi_redistribute turns the next
 * dim to where whole lines lie.
 */
#include <math.h>
#include <stdio.h>

#include "stria/stria.h"
#include "stria/stria_fftw.h"
#include "stria/stria_mpi.h"

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if ((call) != STRIA_OK) {                                                                  \
            (void)fprintf(stderr, "%s\n", stria_last_error());                                     \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

static const int64_t size[3] = {24, 20, 18}, wave[3] = {5, 2, 7};

/* This rank's part of dim d, which one dim of the grid splits. */
static int64_t part_of(int64_t *first, int d, int at, int parts)
{
    *first = size[d] * at / parts;
    return size[d] * (at + 1) / parts - *first;
}

/* Transforms the lines along the last dim, in place. */
static void transform(const stria_view *a)
{
    fftw_plan plan;
    if (stria_numel(a) == 0) return;
    TRY(stria_fftw_plan(&plan, a, a, 1, (const int[]){-1}, FFTW_FORWARD, FFTW_ESTIMATE));
    fftw_execute(plan);
    fftw_destroy_plan(plan);
}

/* Fills a pencil [x, y, z] with one plane wave, whose transform is one number that is not 0. */
static void fill(const stria_view *a, const int64_t *first)
{
    double *to = (double *)(void *)a->data;
    for (int64_t x = 0; x < a->shape[0]; x++) {
        for (int64_t y = 0; y < a->shape[1]; y++) {
            for (int64_t z = 0; z < a->shape[2]; z++) {
                const double turns = (double)(wave[0] * (first[0] + x)) / (double)size[0] +
                                     (double)(wave[1] * (first[1] + y)) / (double)size[1] +
                                     (double)(wave[2] * z) / (double)size[2];
                *to++ = cos(2 * 3.14159265358979323846 * turns);
                *to++ = sin(2 * 3.14159265358979323846 * turns);
            }
        }
    }
}

/* The largest difference from the transform of the wave, in a pencil [z, y, x]. */
static double error_of(const stria_view *a, const int64_t *first)
{
    const double *from = (const double *)(const void *)a->data;
    double worst = 0;
    for (int64_t z = 0; z < a->shape[0]; z++) {
        for (int64_t y = 0; y < a->shape[1]; y++) {
            for (int64_t x = 0; x < a->shape[2]; x++, from += 2) {
                const bool peak =
                    first[2] + z == wave[2] && first[1] + y == wave[1] && x == wave[0];
                const double wanted = peak ? (double)(size[0] * size[1] * size[2]) : 0;
                worst = fmax(worst, hypot(from[0] - wanted, from[1]));
            }
        }
    }
    return worst;
}

int main(int argc, char **argv)
{
    int ranks = 0, grid[2] = {0, 0}, at[2], mine = 0;
    const int periods[2] = {0, 0};
    MPI_Comm all, rows, columns;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, grid);
    MPI_Cart_create(MPI_COMM_WORLD, 2, grid, periods, 0, &all);
    MPI_Comm_rank(all, &mine);
    MPI_Cart_coords(all, mine, 2, at);
    MPI_Cart_sub(all, (const int[]){1, 0}, &rows);    /* ranks that differ in at[0] */
    MPI_Cart_sub(all, (const int[]){0, 1}, &columns); /* and in at[1] */

    int64_t first[3], last[3];
    const int64_t x = part_of(&first[0], 0, at[0], grid[0]);
    const int64_t y = part_of(&first[1], 1, at[1], grid[1]);
    const int64_t z = part_of(&last[2], 2, at[1], grid[1]);
    const int64_t below = part_of(&last[1], 1, at[0], grid[0]);
    const stria_dtype c128 = stria_dtype_of(STRIA_C128);
    stria_array a = {0}, b = {0}, c = {0};
    TRY(stria_empty(&a, c128, 3, (const int64_t[]){x, y, size[2]}));
    TRY(stria_empty(&b, c128, 3, (const int64_t[]){x, z, size[1]}));
    TRY(stria_empty(&c, c128, 3, (const int64_t[]){z, below, size[0]}));

    /* In each step of a program these turns are prepared: stria_mpi_redistribution_make. */
    fill(&a.view, first);
    transform(&a.view);
    /* y is split, z is whole: now z is split, and y is whole and last. */
    TRY(stria_mpi_redistribute(&b.view, 1, &a.view, 1, (const int[]){0, 2, 1}, columns));
    transform(&b.view);
    /* x is split, y is whole: now y is split, and x is whole and last. */
    TRY(stria_mpi_redistribute(&c.view, 1, &b.view, 0, (const int[]){1, 2, 0}, rows));
    transform(&c.view);

    double error = error_of(&c.view, last), worst = 0;
    MPI_Reduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, all);
    if (mine == 0 && worst < 1e-9) (void)printf("one wave, (5, 2, 7), and nothing else\n");
    if (mine == 0 && worst >= 1e-9) (void)printf("wrong by %g\n", worst);
    stria_array_release(&a);
    stria_array_release(&b);
    stria_array_release(&c);
    MPI_Comm_free(&rows);
    MPI_Comm_free(&columns);
    MPI_Comm_free(&all);
    MPI_Finalize();
    return 0;
}
