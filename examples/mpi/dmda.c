/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local array of a DMDA of PETSc as views: of the cells that the process owns, without ghosts,
 * with the fields of each cell as a dim of their own. Nothing is copied: PETSc's vector and the
 * views are the same memory.
 */
#include "stria/stria.h"
#include "stria/stria_mpi.h"

/* After stria_mpi.h: PETSc makes macros of MPI's functions, for its log. */
#include <petscdmda.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if ((call) != STRIA_OK) {                                                                  \
            (void)fprintf(stderr, "%s\n", stria_last_error());                                     \
            MPI_Abort(PETSC_COMM_WORLD, 1);                                                        \
        }                                                                                          \
    } while (0)

enum { NX = 50, NY = 40, FIELDS = 2 };

/* Views the owned cells of a local vector as [y, x, field]. */
static stria_view owned(DM da, PetscScalar *cells)
{
    PetscInt x, y, columns, rows, ghosts_x, ghosts_y, wide, high;
    stria_view out;
    (void)DMDAGetCorners(da, &x, &y, NULL, &columns, &rows, NULL);
    (void)DMDAGetGhostCorners(da, &ghosts_x, &ghosts_y, NULL, &wide, &high, NULL);
    const int64_t item = (int64_t)sizeof(PetscScalar);
    const int64_t shape[3] = {rows, columns, FIELDS};
    const int64_t strides[3] = {item * FIELDS * wide, item * FIELDS, item};
    PetscScalar *const first = cells + ((y - ghosts_y) * wide + (x - ghosts_x)) * FIELDS;
    TRY(stria_view_foreign(&out, first, stria_dtype_of(STRIA_F64), 3, shape, strides, 0));
    return out;
}

int main(int argc, char **argv)
{
    DM da;
    Vec vector;
    PetscScalar *cells;
    PetscInt x, y;
    int rank = 0;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_GHOSTED, DM_BOUNDARY_GHOSTED,
                           DMDA_STENCIL_BOX, NX, NY, PETSC_DECIDE, PETSC_DECIDE, FIELDS, 1, NULL,
                           NULL, &da));
    PetscCall(DMSetUp(da));
    PetscCall(DMCreateLocalVector(da, &vector));
    PetscCall(DMDAGetCorners(da, &x, &y, NULL, NULL, NULL, NULL));
    PetscCall(VecGetArray(vector, &cells));

    /* Field 0 of each cell is its number, field 1 a half of it, computed where they lie. */
    const stria_view all = owned(da, cells);
    stria_view field[2], sum;
    double total = 0, half = 0.5;
    for (int i = 0; i < 2; i++)
        TRY(stria_select(&field[i], &all, 2, i));
    for (int64_t j = 0; j < all.shape[0]; j++)
        for (int64_t i = 0; i < all.shape[1]; i++)
            TRY(stria_set_f64(&field[0], 2, (const int64_t[]){j, i},
                              (double)((y + j) * NX + x + i)));
    TRY(stria_view_foreign(&sum, &half, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    TRY(stria_multiply(&field[1], &field[0], &sum, NULL));
    TRY(stria_view_foreign(&sum, &total, stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
    TRY(stria_mpi_sum(&sum, &all, PETSC_COMM_WORLD, NULL));
    if (rank == 0) (void)printf("sum of all fields: %.17g\n", total);

    PetscCall(VecRestoreArray(vector, &cells));
    PetscCall(VecDestroy(&vector));
    PetscCall(DMDestroy(&da));
    PetscCall(PetscFinalize());
    return 0;
}
