#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/machine_bits.sh MACHINE [PYTHON]: the library and the playground's program for another machine, with assertions,
# give the bits of tests/data/bits.txt under qemu. Nothing but the cross compiler is needed, so
# that this serves machines for which Debian has no packages. 77: that is not installed.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

machine=$1 python=${2:-python3}
triplet=$machine-linux-gnu qemu=qemu-$machine
case $machine in
ppc64le) triplet=powerpc64le-linux-gnu ;;
armhf) triplet=arm-linux-gnueabihf qemu=qemu-arm ;;
i686) qemu="qemu-i386" ;;
esac
if ! has_command "$triplet-gcc" >/dev/null || ! has_command "$qemu" >/dev/null; then
    echo "$triplet-gcc or $qemu is not installed"
    exit 77
fi
build=build-bits-$machine
mkdir -p "$build"
cmake -S . -B "$build" -DCMAKE_TOOLCHAIN_FILE=cmake/debian-cross.cmake -DSTRIA_CROSS="$machine" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-O1 -DSTRIA_SHARED=OFF -DSTRIA_BUILD_TOOL=OFF -DSTRIA_BUILD_TESTS=OFF \
    -DSTRIA_BUILD_BENCH=OFF -DSTRIA_NPZ=OFF -DSTRIA_PNG=OFF -DSTRIA_BUNDLED_XXHASH=ON -DSTRIA_BUILD_PLAYGROUND=ON \
    -DSTRIA_LEVELS="${STRIA_LEVELS:-}" >"$build/build.log"
build_into "$build/build.log" "$build" --target playground || {
    grep -A 8 -E 'error|undefined reference' "$build/build.log" | head -n 40
    exit 1
}
# qemu's first model of RISC-V has no vectors.
options=(-L "/usr/$triplet")
if [ "$machine" = riscv64 ]; then options+=(-cpu "rv64,v=true,vext_spec=v1.0"); fi
"$python" tests/text_bits.py "$qemu" "${options[@]}" "$build/tools/site/playground"
