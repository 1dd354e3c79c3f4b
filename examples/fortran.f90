! SPDX-License-Identifier: BSD-3-Clause
!
! docs/fortran.md's first program, which checks its own results.
program example
  use, intrinsic :: iso_c_binding
  use stria
  implicit none
  real(c_float) :: a(400, 300), t(300, 400), rows(300)
  real(c_float), allocatable :: b(:, :)
  integer(c_int) :: stat
  character(len=200) :: message

  call random_number(a)
  call stria_copy(t, a, order=[2, 1])                  ! t = transpose(a)
  call stria_call('hypot', t(:, ::2), t(:, ::2), 2.0)  ! any function of PyTorch or NumPy, on sections
  call stria_call('mean', rows, t, dim=2)
  call stria_eval(t, '(t - m[:, None]).abs() + 1', 't m', t, rows)
  call stria_sort(t, dim=1)
  call stria_save('example.npy', t)                    ! numpy.load('example.npy')
  call stria_load('example.npy', b)                    ! allocates b
  if (any(shape(b) /= [300, 400]) .or. any(b(:299, :) > b(2:, :)) .or. any(b < 1)) error stop 'wrong'

  call stria_copy(b, a, stat=stat, errmsg=message)     ! without stat= the program would end here
  if (stat == 0) error stop 'shapes do not fit'
  print '(a)', trim(message)
end program
