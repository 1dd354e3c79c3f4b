#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/amalgamate.sh OUT [LEVELS [FAMILIES [DTYPES]]]        (CC in the environment names another gcc)
#
# Writes the library as two files, OUT/stria.h and OUT/stria.c, which `cc -O2 -c stria.c` compiles without CMake and
# without any other library. LEVELS, FAMILIES and DTYPES are STRIA_LEVELS, STRIA_FAMILIES and STRIA_DTYPES: `base`, the
# lowest of the machine (scalar where that has another name), and all families and dtypes if they are not given. The
# files are for machines and systems as that of the compiler, by gcc or clang. They have neither stria::linalg, .npz
# archives nor PNG files.
out=$(realpath -m "${1:?usage: tools/amalgamate.sh OUT [LEVELS [FAMILIES [DTYPES]]]}")
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cc=${CC:-gcc}
levels=scalar
case $("$cc" -dumpmachine) in x86_64-*) levels=base ;; esac
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cmake -S . -B "$build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
    -DSTRIA_LEVELS="${2:-$levels}" -DSTRIA_FAMILIES="${3:-}" -DSTRIA_DTYPES="${4:-}" \
    -DSTRIA_BUNDLED_XXHASH=ON -DSTRIA_NPZ=OFF -DSTRIA_PNG=OFF \
    -DSTRIA_BUILD_TOOL=OFF -DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_BENCH=OFF -DSTRIA_INSTALL=OFF >"$build/log" ||
    { cat "$build/log"; exit 1; }
python3 tools/amalgamate.py "$out" "$build"
