#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/flang.sh BUILD
#
# Compiles the module for Fortran and its test by LLVM's flang, against the library in BUILD, and runs it.
# FLANG is the compiler, flang-new-19 and the like where it is not set. 77: there is none here.
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
flang=${FLANG:-$(command -v flang-new-19 || command -v flang-new-20 || command -v flang-new || command -v flang || true)}
[ -n "$flang" ] || exit 77
work=$build/tests/flang
header=$(dirname "$(readlink -f "$flang")")/../include/flang/ISO_Fortran_binding.h
[ -e "$header" ] || exit 77
mkdir -p "$work/include"
cp "$header" "$work/include" # copied alone: the headers beside it are those of its own C library
cd "$work"
cc -std=c11 -O1 -Wall -Iinclude -I"$source/include" -c "$source/bindings/fortran/stria_fortran.c" -o glue.o
"$flang" -O1 -c "$source/bindings/fortran/stria.f90" -o module.o 2> warnings.txt || { cat warnings.txt; exit 1; }
for program in tests/fortran/test_fortran.f90 examples/fortran.f90; do
    "$flang" -O1 "$source/$program" module.o glue.o -L"$build" -lstria -Wl,-rpath,"$build" -lstdc++ -o program
    ./program
done
"$flang" --version | head -n 1
