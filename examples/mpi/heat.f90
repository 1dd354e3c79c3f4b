! SPDX-License-Identifier: BSD-3-Clause
!
! Heat flow as in heat.c, in Fortran: the square is split along its first dim, whose ghost cells lie
! far from each other in memory; module stria packs them.
!
!     mpifort heat.f90 $(pkg-config --cflags --libs stria-fortran) && mpirun -n 4 ./a.out
program heat
  use, intrinsic :: iso_c_binding
  use mpi
  use stria
  implicit none
  integer, parameter :: n = 240, steps = 50
  real(c_double), allocatable :: u(:, :), v(:, :)
  real(c_double) :: sent(n), received(n), mine, total
  integer :: ranks, rank, error, first, last, m, i, j, t

  call MPI_Init(error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  first = n * rank / ranks
  last = n * (rank + 1) / ranks
  m = last - first
  allocate (u(0:m + 1, 0:n + 1), v(0:m + 1, 0:n + 1))
  do j = 1, n
    do i = 1, m
      u(i, j) = mod((first + i - 1) * 31 + (j - 1) * 17, 101) / 7.0_c_double
    end do
  end do

  do t = 1, steps
    call exchange(1, m + 1, modulo(rank - 1, ranks), modulo(rank + 1, ranks))
    call exchange(m, 0, modulo(rank + 1, ranks), modulo(rank - 1, ranks))
    call stria_copy(u(1:m, 0), u(1:m, n))
    call stria_copy(u(1:m, n + 1), u(1:m, 1))
    v = u
    do j = 1, n
      do i = 1, m
        v(i, j) = u(i, j) + 0.2_c_double * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j))
      end do
    end do
    u = v
  end do

  call stria_call('sum', mine, u(1:m, 1:n))
  call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a, i0, a, f0.4)', 'heat after ', steps, ' steps: ', total
  call MPI_Finalize(error)

contains

  ! Sends a row to one neighbour, and receives a row of ghosts from the other.
  subroutine exchange(row, ghosts, to, from)
    integer, intent(in) :: row, ghosts, to, from
    call stria_copy(sent, u(row, 1:n))
    call MPI_Sendrecv(sent, n, MPI_DOUBLE_PRECISION, to, row, received, n, MPI_DOUBLE_PRECISION, from, &
                      MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call stria_copy(u(ghosts, 1:n), received)
  end subroutine
end program
