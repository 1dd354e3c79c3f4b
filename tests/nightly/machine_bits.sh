#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/machine_bits.sh MACHINE [PYTHON]: the library and the playground's program for another machine, with assertions,
# give the bits of tests/data/bits.txt under qemu, and those of Windows under wine. Nothing but the cross compiler is needed, so
# that this serves machines for which Debian has no packages. 77: that is not installed.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

machine=$1 python=${2:-python3}
triplet=$machine-linux-gnu qemu=qemu-$machine
case $machine in
ppc64le) triplet=powerpc64le-linux-gnu ;;
armhf) triplet=arm-linux-gnueabihf qemu=qemu-arm ;;
i686) qemu="qemu-i386" ;;
windows) triplet=x86_64-w64-mingw32 qemu=/usr/lib/wine/wine64 ;;
esac
if ! has_command "$triplet-gcc" >/dev/null || ! has_command "$qemu" >/dev/null; then
    echo "$triplet-gcc or $qemu is not installed"
    exit 77
fi
build=build-bits-$machine linked=() targets=(playground)
if [ "$machine" = windows ]; then
    linked=(-DSTRIA_SHARED=ON -DCMAKE_EXE_LINKER_FLAGS=-static) targets+=(stria)
fi
mkdir -p "$build"
cmake -S . -B "$build" -DCMAKE_TOOLCHAIN_FILE=cmake/debian-cross.cmake -DSTRIA_CROSS="$machine" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-O1 -DSTRIA_SHARED=OFF -DSTRIA_BUILD_TOOL=OFF -DSTRIA_BUILD_TESTS=OFF \
    -DSTRIA_BUILD_BENCH=OFF -DSTRIA_NPZ=OFF -DSTRIA_PNG=OFF -DSTRIA_BUNDLED_XXHASH=ON -DSTRIA_BUILD_PLAYGROUND=ON \
    -DSTRIA_LEVELS="${STRIA_LEVELS:-}" "${linked[@]}" >"$build/build.log"
build_into "$build/build.log" "$build" --target "${targets[@]}" || {
    grep -A 8 -E 'error|undefined reference' "$build/build.log" | head -n 40
    exit 1
}
# qemu's first model of RISC-V has no vectors.
options=(-L "/usr/$triplet")
program=$build/tools/site/playground
if [ "$machine" = windows ]; then
    options=() program+=.exe
    gomp=$(dirname "$("$triplet-gcc-posix" -print-file-name=libgomp-1.dll)") # -static leaves OpenMP's library as it is
    export WINEPREFIX=$PWD/$build/wine WINEDEBUG=-all WINEPATH="Z:$gomp;Z:/usr/$triplet/lib"
fi
if [ "$machine" = riscv64 ]; then options+=(-cpu "rv64,v=true,vext_spec=v1.0"); fi
"$python" tests/text_bits.py "$qemu" "${options[@]}" "$program"
