#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/amalgamate.sh BUILD
#
# Makes stria.c and stria.h, compiles them by gcc and clang, and runs the examples, which print what they print with the
# library in BUILD, and the texts of tests/data/bits.txt, which have their bits. Other forms are compiled, too: with
# OpenMP, with AVX2 and of one family.
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/tests/amalgamate
rm -rf "$work"
mkdir -p "$work/include"
"$source/tools/amalgamate.sh" "$work"
ln -s .. "$work/include/stria"
compilers=(gcc)
if command -v clang >/dev/null; then compilers+=(clang); fi
cd "$source" # where readme.c finds its picture
for cc in "${compilers[@]}"; do
    "$cc" -std=c11 -O1 -Werror -c "$work/stria.c" -o "$work/stria.o"
    for example in readme interpreter own_kernel user_function; do
        "$cc" -std=c11 -O1 -I"$work/include" "examples/$example.c" "$work/stria.o" -lm -o "$work/single"
        "$cc" -std=c11 -O1 -Iinclude "examples/$example.c" -L"$build" -lstria -Wl,-rpath,"$build" -lm -o "$work/shared"
        diff <("$work/single") <("$work/shared")
        echo "$cc: $example prints the same"
    done
    "$cc" -std=c11 -O1 -Iinclude -Isrc tools/site/playground.c "$work/stria.o" -lm -o "$work/playground"
    python3 tests/text_bits.py "$work/playground"
done
"$source/tools/amalgamate.sh" "$work/copy" "" copy
forms=("$work/stria.c" "$work/copy/stria.c")
if [[ $(gcc -dumpmachine) == x86_64-* ]]; then
    "$source/tools/amalgamate.sh" "$work/avx2" "base;avx2"
    forms+=("$work/avx2/stria.c")
fi
for cc in "${compilers[@]}"; do
    for form in "${forms[@]}"; do
        "$cc" -fsyntax-only -Werror "$form"
        echo '#include <omp.h>' | "$cc" -fopenmp -E -x c - >/dev/null 2>&1 || continue # clang's is a package of its own
        "$cc" -fopenmp -fsyntax-only -Werror "$form"
    done
done
echo "${#forms[@]} forms compile"
