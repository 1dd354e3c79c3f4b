! SPDX-License-Identifier: BSD-3-Clause
!
! Module stria: every kind of actual argument, held against Fortran's own results, and what is
! refused, by its status and message.
program test_fortran
  use, intrinsic :: iso_c_binding
  use stria
  implicit none
  integer :: failures = 0, checks = 0
  integer(c_int) :: stat
  character(len=300) :: message

  call copies()
  call types()
  call functions()
  call text()
  call order()
  call products()
  call files()
  call refusals()
  if (failures > 0 .or. checks < 60) then
    print *, failures, 'of', checks, 'checks failed'
    error stop 1
  end if

contains

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    checks = checks + 1
    if (condition) return
    failures = failures + 1
    print *, 'failed: ', what, ', status', stat, trim(message)
  end subroutine

  subroutine check_refused(status, text, what)
    integer, intent(in) :: status
    character(len=*), intent(in) :: text, what
    call check(stat == status .and. index(message, text) > 0, what)
  end subroutine

  subroutine copies()
    real(c_float) :: a(4, 6), b(4, 6), t(6, 4)
    real(c_double), allocatable :: c(:, :, :), d(:, :, :), e(:, :, :)
    integer :: i, j
    a = reshape([(real(i, c_float), i = 1, 24)], [4, 6])
    b = 0
    call stria_copy(b, a, stat=stat, errmsg=message)
    call check(stat == 0 .and. all(b == a), 'whole arrays')
    b = 0
    call stria_copy(b(4:1:-1, ::2), a(:, 6:1:-2), stat=stat, errmsg=message)
    call check(all(b(4:1:-1, ::2) == a(:, 6:1:-2)) .and. all(b(:, 2::2) == 0), 'steps of either sign')
    t = 0
    call stria_copy(t, a, order=[2, 1], stat=stat, errmsg=message)
    call check(stat == 0 .and. all(t == transpose(a)), 'a transposed copy')
    call stria_copy(b(2, :), t(:, 4), stat=stat, errmsg=message)
    call check(all(b(2, :) == t(:, 4)), 'a row of a column')
    call stria_copy(b(2:2, 3:3), a(1:1, 1:1))
    call check(b(2, 3) == a(1, 1), 'without stat')
    call stria_copy(b, a(:, 3:3), stat=stat, errmsg=message)
    call check(all([(all(b(:, j) == a(:, 3)), j = 1, 6)]), 'a column is broadcast')

    allocate (c(5, 6, 7), d(6, 7, 5), e(7, 5, 6))
    call random_number(c)
    call stria_copy(d, c, order=[2, 3, 1], stat=stat, errmsg=message)
    e = reshape(c, [7, 5, 6], order=[2, 3, 1])
    call check(all([(all(d(:, :, i) == c(i, :, :)), i = 1, 5)]), 'dims in another order')
    call stria_copy(e(:, ::2, :), c(:, :, ::2), order=[3, 1, 2], stat=stat, errmsg=message)
    call check_refused(-6, '', 'shapes that do not fit')
    call bounds(a)
    call at_zero(size(a))
  end subroutine

  ! Assumed shape with other lower bounds, and a pointer to a component.
  subroutine bounds(a)
    real(c_float), intent(in) :: a(-2:, 10:)
    type :: pair
      real(c_float) :: first
      real(c_double) :: second
    end type
    type(pair), target :: pairs(7)
    complex(c_double), target :: z(5)
    real(c_double), pointer :: parts(:)
    real(c_float) :: b(4, 6)
    call stria_copy(b, a, stat=stat, errmsg=message)
    call check(all(b == a), 'other lower bounds')
    pairs%first = 1
    pairs%second = 2
    call stria_fill(pairs%second, 5.0_c_double, stat=stat, errmsg=message)
    call check(all(pairs%second == 5) .and. all(pairs%first == 1), 'a component of records')
    z = (1, 2)
    call stria_fill(z%im, 7, stat=stat, errmsg=message)
    call check(all(z == (1, 7)), 'imaginary parts')
    parts => pairs(::3)%second
    call stria_call('multiply', parts, parts, 2.0_c_double, stat=stat, errmsg=message)
    call check(all(pairs(::3)%second == 10) .and. pairs(2)%second == 5, 'a pointer to components')
  end subroutine

  subroutine at_zero(n)
    integer, intent(in) :: n
    real(c_double) :: none(0, n), scalar, one(1)
    call stria_copy(none, none, stat=stat, errmsg=message)
    call check(stat == 0, 'no elements')
    scalar = 3
    call stria_copy(one, scalar, stat=stat, errmsg=message)
    call check(one(1) == 3, 'a scalar')
  end subroutine

  subroutine types()
    integer(c_int8_t) :: i8(3)
    integer(c_int16_t) :: i16(3)
    integer(c_int32_t) :: i32(3)
    integer(c_int64_t) :: i64(3)
    real(c_float) :: f32(3)
    real(c_double) :: f64(3)
    complex(c_float_complex) :: c64(3)
    complex(c_double_complex) :: c128(3)
    logical(c_bool) :: truth(3)
    character(len=5) :: words(3), others(3)
    i8 = [1_c_int8_t, -2_c_int8_t, 0_c_int8_t]
    call stria_copy(i16, i8, stat=stat, errmsg=message)
    call check(all(i16 == i8), 'integer(2)')
    call stria_copy(i32, i16, stat=stat, errmsg=message)
    call check(all(i32 == i8), 'integer(4)')
    call stria_copy(i64, i32, stat=stat, errmsg=message)
    call check(all(i64 == i8), 'integer(8)')
    call stria_copy(f32, i64, stat=stat, errmsg=message)
    call check(all(f32 == i8), 'real(4)')
    call stria_copy(f64, f32, stat=stat, errmsg=message)
    call check(all(f64 == i8), 'real(8)')
    call stria_copy(c64, f64, stat=stat, errmsg=message)
    call check(all(c64 == cmplx(f64, kind=c_float)), 'complex(4)')
    call stria_copy(c128, c64, stat=stat, errmsg=message)
    call check(all(c128 == cmplx(f64, kind=c_double)), 'complex(8)')
    call stria_copy(truth, i8, stat=stat, errmsg=message)
    call check(count(truth) == 2 .and. .not. any(truth(3:)), 'logical(c_bool)')
    words = ['first', 'ab   ', 'xyz  ']
    call stria_copy(others, words(3:1:-1), stat=stat, errmsg=message)
    call check(all(others == words(3:1:-1)), 'characters')
  end subroutine

  subroutine functions()
    real(c_double) :: a(5, 7), b(5, 7), c(5, 7), s(7), total
    integer(c_int64_t) :: place(5)
    logical(c_bool) :: mask(5, 7)
    integer :: i
    call random_number(a)
    call random_number(b)
    call stria_call('hypot', c, a, b, stat=stat, errmsg=message)
    call check(stat == 0 .and. all(abs(c - sqrt(a**2 + b**2)) < 1e-15), 'hypot')
    call stria_call('add', c(:, ::2), a(:, ::2), b(5:1:-1, ::2), stat=stat, errmsg=message)
    call check(all(c(:, ::2) == a(:, ::2) + b(5:1:-1, ::2)), 'add of sections')
    call stria_call('mul', c, a, 2.0, stat=stat, errmsg=message)
    call check(all(c == a * 2), 'a number')
    call stria_call('sum', s, a, dim=1, stat=stat, errmsg=message)
    call check(all(abs(s - sum(a, dim=1)) < 1e-13), 'sum of a dim')
    call stria_call('sum', total, a, dim=[1, 2], stat=stat, errmsg=message)
    call check(abs(total - sum(a)) < 1e-13, 'sum of dims')
    call stria_call('max', total, a, stat=stat, errmsg=message)
    call check(total == maxval(a), 'max of all')
    call stria_call('argmax', place, a, dim=2, stat=stat, errmsg=message)
    call check(all(place + 1 == maxloc(a, dim=2)), 'argmax')
    mask = a > 0.5_c_double
    call stria_call('sum', s, a, dim=1, mask=mask, stat=stat, errmsg=message)
    call check(all(abs(s - sum(a, dim=1, mask=a > 0.5_c_double)) < 1e-13), 'sum with a mask')
    call stria_call('where', c, mask, a, b, stat=stat, errmsg=message)
    call check(all(c == merge(a, b, a > 0.5_c_double)), 'where')
    call stria_call('cumsum', c, a, dim=2, stat=stat, errmsg=message)
    call check(all([(abs(c(i, 7) - sum(a(i, :))) < 1e-13, i = 1, 5)]), 'cumsum')
    ! What writes into no array of the caller in PyTorch and NumPy does so here.
    call stria_call('sort', c, a, dim=2, stat=stat, errmsg=message)
    call check_refused(-1, 'not one array', 'sort, which gives indices, too')
    call stria_call('roll', c, a, 2, dim=1, stat=stat, errmsg=message)
    call check(stat == 0 .and. all(c == cshift(a, -2, dim=1)), 'roll')
    c = a
    call stria_call('flip', c, c, dim=[1, 2], stat=stat, errmsg=message)
    call check(stat == 0 .and. all(c == a(5:1:-1, 7:1:-1)), 'flip in place')
    call stria_call('isclose', mask, a, a, stat=stat, errmsg=message)
    call check(stat == 0 .and. all(logical(mask)), 'isclose')
    call stria_call('flip', place, a(:, 1), dim=1, stat=stat, errmsg=message)
    call check_refused(-9, 'same_kind', 'reals into integers')
  end subroutine

  subroutine text()
    real(c_double) :: x(6, 4), y(6, 4), w(4), r(4)
    integer(c_int) :: whole(4)
    integer :: j
    call random_number(x)
    call random_number(w)
    call stria_eval(y, '(x - x.mean(0)) * w', 'x w', x, w, stat=stat, errmsg=message)
    call check(stat == 0 .and. all([(all(abs(y(:, j) - (x(:, j) - sum(x(:, j)) / 6) * w(j)) < 1e-14), &
                                     j = 1, 4)]), 'an expression')
    call stria_eval(r, 'x[::2].sum(0) + w', 'x, w', x, w, stat=stat, errmsg=message)
    call check(all(abs(r - sum(x(::2, :), dim=1) - w) < 1e-14), 'a view in it')
    call stria_eval(y, 'x +', 'x', x, stat=stat, errmsg=message)
    call check_refused(-15, 'column', 'text that ends early')
    call stria_eval(y, 'x', 'x w', x, stat=stat, errmsg=message)
    call check_refused(-1, '2 names for 1', 'too many names')
    call stria_eval(y, 'x.shape', 'x', x, stat=stat, errmsg=message)
    call check_refused(-1, 'not one array', 'no array')
    whole = 7
    call stria_eval(whole, 'w * 2', 'w', w, stat=stat, errmsg=message)
    call check_refused(-9, 'same_kind', 'reals into integers')
    call check(all(whole == 7), 'nothing is written')
  end subroutine

  subroutine order()
    real(c_float) :: a(40, 3), b(40, 3)
    integer(c_int64_t) :: places(40, 3)
    integer :: i, j
    call random_number(a)
    a(7, :) = a(9, :)
    b = a
    call stria_sort(b, stat=stat, errmsg=message)
    call check(stat == 0 .and. all(b(:39, :) <= b(2:, :)), 'sort')
    call stria_argsort(places, a, stat=stat, errmsg=message)
    call check(all([((a(places(i, j), j) == b(i, j), i = 1, 40), j = 1, 3)]), 'argsort')
    call stria_sort(b, dim=2, descending=.true., stat=stat, errmsg=message)
    call check(all(b(:, :2) >= b(:, 2:)), 'descending along the second dim')
    call stria_sort(b, dim=3, stat=stat, errmsg=message)
    call check_refused(-3, 'dim 3 of 2 is not there', 'a dim that is not there')
    call stria_sort(b, dim=0, stat=stat, errmsg=message)
    call check_refused(-3, 'from 1', 'dim 0')
  end subroutine

  subroutine products()
    real(c_double) :: a(5, 8), b(8, 6), c(5, 6)
    integer(c_int32_t) :: i(3, 4), j(4, 2), k(3, 2)
    call random_number(a)
    call random_number(b)
    call stria_matmul(c, a, b, stat=stat, errmsg=message)
    call check(stat == 0 .and. all(abs(c - matmul(a, b)) < 1e-13), 'matmul')
    call stria_matmul(c(::2, :), a(5:1:-2, ::2), b(::2, :), stat=stat, errmsg=message)
    call check(all(abs(c(::2, :) - matmul(a(5:1:-2, ::2), b(::2, :))) < 1e-13), 'matmul of sections')
    i = reshape([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [3, 4])
    j = reshape([1, -2, 3, -4, 5, -6, 7, -8], [4, 2])
    call stria_matmul(k, i, j, stat=stat, errmsg=message)
    call check(all(k == matmul(i, j)), 'matmul of integers')
    call stria_matmul(c, b, a, stat=stat, errmsg=message)
    call check(stat /= 0, 'matmul of other shapes')
  end subroutine

  subroutine files()
    real(c_float) :: a(3, 4, 5)
    real(c_float), allocatable :: b(:, :, :)
    real(c_double), allocatable :: c(:, :, :)
    integer(c_int32_t), allocatable :: d(:, :, :)
    real(c_float), allocatable :: e(:, :)
    call random_number(a)
    call stria_save('fortran.npy', a(:, 4:1:-1, :), stat=stat, errmsg=message)
    call stria_load('fortran.npy', b, stat=stat, errmsg=message)
    call check(stat == 0 .and. all(b == a(:, 4:1:-1, :)), 'a file that was written')
    call stria_load('fortran.npy', c, stat=stat, errmsg=message)
    call check(all(c == b), 'into a wider type')
    call stria_load('fortran.npy', b, stat=stat, errmsg=message)
    call check(all(c == b), 'into an array that was allocated')
    call stria_load('fortran.npy', d, stat=stat, errmsg=message)
    call check_refused(-9, 'do not fit into an array of', 'a type that does not hold it')
    call check(.not. allocated(d), 'nothing is allocated then')
    call stria_load('fortran.npy', e, stat=stat, errmsg=message)
    call check_refused(-2, 'rank 2', 'another rank')
    call stria_load('nowhere.npy', b, stat=stat, errmsg=message)
    call check(stat == -14 .and. allocated(b), 'no file')
  end subroutine

  subroutine refusals()
    real(c_double) :: a(4, 5), b(4, 5)
    real(c_double), allocatable :: none(:, :)
    real(c_double), pointer :: nowhere(:, :)
    logical :: wide(3)
    logical(c_bool) :: truth(3)
    real(selected_real_kind(18)) :: long(3)
    type :: record
      integer :: i
      real(c_double) :: x
    end type
    type(record) :: r(3), s(3)
    a = 1
    b = 2
    wide = .true.
    long = 1
    nullify (nowhere)
    call stria_copy(none, a, stat=stat, errmsg=message)
    call check_refused(-1, 'not allocated', 'an array that is not allocated')
    call stria_copy(nowhere, a, stat=stat, errmsg=message)
    call check_refused(-1, 'not associated', 'a null pointer')
    call stria_copy(truth, wide, stat=stat, errmsg=message)
    call check_refused(-9, 'c_bool', 'logical of 4 bytes')
    call stria_copy(a, long, stat=stat, errmsg=message)
    call check_refused(-9, '16 bytes', 'a long real')
    call assumed_size(a, 4)
    r%i = [1, 2, 3]
    r%x = [4, 5, 6]
    call stria_copy(s, r(3:1:-1), stat=stat, errmsg=message)
    call check(stat == 0 .and. all(s%i == [3, 2, 1]) .and. all(s%x == [6, 5, 4]), 'derived types are copied')
    call stria_call('add', s, r, r, stat=stat, errmsg=message)
    call check(stat == -9, 'derived types have no sum')
    call stria_call('summ', a, b, stat=stat, errmsg=message)
    call check_refused(-1, 'sum', 'a name that is none')
    call stria_call('add', a, b, stat=stat, errmsg=message)
    call check_refused(-1, 'other is missing', 'too few arguments')
    call stria_call('add', a, b, b, b, stat=stat, errmsg=message)
    call check(stat == -1, 'too many arguments')
    call stria_call('add', a, b, c=b, stat=stat, errmsg=message)
    call check_refused(-1, 'array 3', 'a gap among arguments')
    call stria_call('sum', a, b, dim=3, stat=stat, errmsg=message)
    call check_refused(-3, 'dim 3 of 2 is not there', 'a dim beyond the last')
    call stria_copy(a, b, order=[2, 2], stat=stat, errmsg=message)
    call check_refused(-3, 'dim 2 of 2 is given twice', 'order counts from 1')
    call stria_copy(a, b, order=[2, 3], stat=stat, errmsg=message)
    call check_refused(-3, 'dim 3 of 2 is not there', 'order is within the rank')
    call stria_copy(a, b, order=[1, 1], stat=stat, errmsg=message)
    call check(stat == -3, 'a dim twice')
    call check(all(a == 1) .and. all(b == 2), 'nothing is written')
    message = 'x'
    call stria_copy(a, b, stat=stat, errmsg=message(1:4))
    call check(stat == 0 .and. message == 'x', 'no message without an error')
    call stria_copy(a, b(:3, :), stat=stat)
    call check(stat == -6, 'a status alone')
  end subroutine

  subroutine assumed_size(a, n)
    integer, intent(in) :: n
    real(c_double), intent(inout) :: a(n, *)
    call stria_fill(a, 0.0, stat=stat, errmsg=message)
    call check_refused(-2, 'assumed size', 'an array of assumed size')
    call stria_fill(a(:, :2), 1.0, stat=stat, errmsg=message)
    call check(stat == 0, 'a section of one')
  end subroutine
end program
