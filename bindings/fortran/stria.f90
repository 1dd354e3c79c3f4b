! SPDX-License-Identifier: BSD-3-Clause
!
! Stria for Fortran: arrays of every type, rank and layout, sections with steps of either sign among
! them, go to the library as they lie in memory, without a copy.
!
! - Dims count from 1, in Fortran's order. Indices that functions of stria_call and stria_eval give
!   or take count from 0, as in C; those of stria_argsort from 1.
! - Errors: stat is 0 or a status of stria/status.h, errmsg the message; without stat the program
!   ends with the message. Nothing is written on failure.
! - Refused by name: arrays that are not allocated, of assumed size, logical of more than one byte
!   (logical(c_bool) has a dtype), real(10), real(16). Derived types are copied and compared as bytes.
module stria
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: stria_copy, stria_fill, stria_call, stria_eval, stria_sort, stria_argsort, stria_matmul, &
            stria_load, stria_save

  interface
    ! Writes the elements of from, converted and broadcast as NumPy does it, into to:
    ! dims of 1, and dims that from lacks at its beginning, repeat. order: dim i of to is dim order(i) of from,
    ! numpy's transpose; reshape(order=) has the inverse.
    subroutine stria_copy(to, from, order, stat, errmsg) &
      bind(C, name="stria_fortran_copy")
      import
      type(*), dimension(..), intent(inout) :: to
      type(*), dimension(..), intent(in) :: from
      integer(c_int), intent(in), optional :: order(:)
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    ! Writes a number, or an array that is broadcast, into every element.
    subroutine stria_fill(array, value, stat, errmsg) &
      bind(C, name="stria_fortran_fill")
      import
      type(*), dimension(..), intent(inout) :: array
      type(*), dimension(..), intent(in) :: value
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    ! Calls the function of that name, PyTorch's or NumPy's, on up to four arrays or numbers:
    ! call stria_call('hypot', c, a, b), call stria_call('sum', s, a, dim=2), where all elements are summed
    ! without dim. mask chooses elements, as where= does. out has the shape of the result; numbers are
    ! converted to its type within their kind.
    subroutine stria_call(name, out, a, b, c, d, dim, mask, stat, errmsg) &
      bind(C, name="stria_fortran_call")
      import
      character(kind=c_char, len=*), intent(in) :: name
      type(*), dimension(..), intent(inout) :: out
      type(*), dimension(..), intent(in) :: a
      type(*), dimension(..), intent(in), optional :: b, c, d
      integer(c_int), dimension(..), intent(in), optional :: dim
      type(*), dimension(..), intent(in), optional :: mask
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    ! Computes an expression in Python's words over named arrays into out:
    ! call stria_eval(y, '(x - x.mean(0)) * w', 'x w', x, w). Its dims count from 0.
    ! docs/language.md has the language.
    subroutine stria_eval(out, expression, names, a, b, c, d, e, f, g, h, stat, errmsg) &
      bind(C, name="stria_fortran_eval")
      import
      type(*), dimension(..), intent(inout) :: out
      character(kind=c_char, len=*), intent(in) :: expression, names
      type(*), dimension(..), intent(in), optional :: a, b, c, d, e, f, g, h
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    ! Sorts along a dim, the first one if it is not given, keeping the order of equals; NaN come last.
    ! descending: a logical of any kind.
    subroutine stria_sort(array, dim, descending, stat, errmsg) &
      bind(C, name="stria_fortran_sort")
      import
      type(*), dimension(..), intent(inout) :: array
      integer(c_int), intent(in), dimension(..), optional :: dim
      type(*), dimension(..), intent(in), optional :: descending
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    ! Computes the places, from 1, that would sort array, into integers of 8 bytes.
    subroutine stria_argsort(out, array, dim, descending, stat, errmsg) &
      bind(C, name="stria_fortran_argsort")
      import
      type(*), dimension(..), intent(inout) :: out
      type(*), dimension(..), intent(in) :: array
      integer(c_int), intent(in), dimension(..), optional :: dim
      type(*), dimension(..), intent(in), optional :: descending
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    ! Multiplies matrices, or stacks of them along the first dims: those of the last two dims.
    subroutine stria_matmul(out, a, b, stat, errmsg) &
      bind(C, name="stria_fortran_matmul")
      import
      type(*), dimension(..), intent(inout) :: out
      type(*), dimension(..), intent(in) :: a, b
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    ! Writes an .npy file, in Fortran order, that replaces an old one as a whole; numpy.save.
    subroutine stria_save(path, array, stat, errmsg) &
      bind(C, name="stria_fortran_save")
      import
      character(kind=c_char, len=*), intent(in) :: path
      type(*), dimension(..), intent(in) :: array
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine
  end interface

  ! Reads an .npy file into an allocatable array, which is allocated anew. Its rank is the file's, its
  ! type holds every value of the file's. Element (i, j) is numpy's [i - 1, j - 1]; numpy.load.
  interface stria_load
    subroutine stria_load_f32(path, array, stat, errmsg) &
      bind(C, name="stria_fortran_load")
      import
      character(kind=c_char, len=*), intent(in) :: path
      real(c_float), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    subroutine stria_load_f64(path, array, stat, errmsg) &
      bind(C, name="stria_fortran_load")
      import
      character(kind=c_char, len=*), intent(in) :: path
      real(c_double), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    subroutine stria_load_c64(path, array, stat, errmsg) &
      bind(C, name="stria_fortran_load")
      import
      character(kind=c_char, len=*), intent(in) :: path
      complex(c_float_complex), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    subroutine stria_load_c128(path, array, stat, errmsg) &
      bind(C, name="stria_fortran_load")
      import
      character(kind=c_char, len=*), intent(in) :: path
      complex(c_double_complex), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    subroutine stria_load_i8(path, array, stat, errmsg) &
      bind(C, name="stria_fortran_load")
      import
      character(kind=c_char, len=*), intent(in) :: path
      integer(c_int8_t), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    subroutine stria_load_i16(path, array, stat, errmsg) &
      bind(C, name="stria_fortran_load")
      import
      character(kind=c_char, len=*), intent(in) :: path
      integer(c_int16_t), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    subroutine stria_load_i32(path, array, stat, errmsg) &
      bind(C, name="stria_fortran_load")
      import
      character(kind=c_char, len=*), intent(in) :: path
      integer(c_int32_t), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    subroutine stria_load_i64(path, array, stat, errmsg) &
      bind(C, name="stria_fortran_load")
      import
      character(kind=c_char, len=*), intent(in) :: path
      integer(c_int64_t), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine

    subroutine stria_load_bool(path, array, stat, errmsg) &
      bind(C, name="stria_fortran_load")
      import
      character(kind=c_char, len=*), intent(in) :: path
      logical(c_bool), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: stat
      character(kind=c_char, len=*), intent(inout), optional :: errmsg
    end subroutine
  end interface

contains

  ! Ends the program with a message, for bindings/fortran/stria_fortran.c.
  subroutine stria_fortran_stop(message, length) bind(C)
    integer(c_size_t), value :: length
    character(kind=c_char), intent(in) :: message(length)
    character(len=length) :: text
    integer(c_size_t) :: i
    do i = 1, length
      text(i:i) = message(i)
    end do
    error stop text
  end subroutine
end module
