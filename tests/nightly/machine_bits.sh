#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/machine_bits.sh MACHINE [PYTHON]: the library and the playground's program for another machine, with assertions and
# linked statically, give the bits of tests/data/bits.txt under qemu. Nothing but the cross compiler is needed, so
# that this serves machines for which Debian has no packages. 77: that is not installed.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

machine=$1 python=${2:-python3}
case $machine in
ppc64le) compiler=powerpc64le-linux-gnu-gcc qemu=qemu-ppc64le ;;
armhf) compiler=arm-linux-gnueabihf-gcc qemu=qemu-arm ;;
i686) compiler=i686-linux-gnu-gcc qemu=qemu-i386 ;;
*) compiler=$machine-linux-gnu-gcc qemu=qemu-$machine ;;
esac
if ! has_command "$compiler" >/dev/null || ! has_command "$qemu" >/dev/null; then
    echo "$compiler or $qemu is not installed"
    exit 77
fi
build=build-bits-$machine
mkdir -p "$build"
cmake -S . -B "$build" -DCMAKE_TOOLCHAIN_FILE=cmake/debian-cross.cmake -DSTRIA_CROSS="$machine" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-O1 -DCMAKE_EXE_LINKER_FLAGS=-static -DSTRIA_SHARED=OFF -DSTRIA_BUILD_TOOL=OFF -DSTRIA_BUILD_TESTS=OFF \
    -DSTRIA_BUILD_BENCH=OFF -DSTRIA_NPZ=OFF -DSTRIA_PNG=OFF -DSTRIA_BUNDLED_XXHASH=ON -DSTRIA_BUILD_PLAYGROUND=ON \
    -DSTRIA_LEVELS="${STRIA_LEVELS:-}" >"$build/build.log"
build_into "$build/build.log" "$build" --target playground || {
    grep -A 8 -E 'error|undefined reference' "$build/build.log" | head -n 40
    exit 1
}
# qemu's first models have no vectors: -cpu max has all that it knows.
options=()
if [ "$machine" = riscv64 ]; then options=(-cpu "rv64,v=true,vext_spec=v1.0"); fi
"$python" tests/text_bits.py "$qemu" "${options[@]}" "$build/tools/site/playground"
