#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/machine_bits.sh MACHINE [PYTHON]: the library and the playground's program for another machine, with assertions,
# give the bits of tests/data/bits.txt under qemu, those of Windows under wine, WebAssembly under Node.js. Nothing but the
# cross compiler is needed, so that this serves machines for which Debian has no packages. x86_64 is the library of AVX2 alone on
# a CPU that has none. musl, loongarch64 and any other target of Zig's compiler, such as aarch64-macos, are its own; what
# cannot run here is compiled and linked. 77: what is needed is not installed.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

machine=$1 python=${2:-python3}
triplet=$machine-linux-gnu runner=qemu-$machine
compiler='' levels=${STRIA_LEVELS:-}
options=(-DSTRIA_SHARED=OFF) targets=(playground)
toolchain=debian cross=$machine
case $machine in
ppc64le) triplet=powerpc64le-linux-gnu ;;
armhf) triplet=arm-linux-gnueabihf runner=qemu-arm ;;
i686) # most x86-64 systems run it; qemu 7.2 hangs where OpenMP starts a thread
    runner=qemu-i386 loader=/usr/i686-linux-gnu/lib/ld-linux.so.2
    if "$loader" --version >/dev/null 2>&1; then runner=$loader; fi
    ;;
mips64el) triplet=mips64el-linux-gnuabi64 ;;
x86_64) levels=avx2 ;;
musl | loongarch64 | *-*)
    toolchain=zig compiler=zig
    options+=(-DSTRIA_OPENMP=OFF)
    case $machine in
    musl) cross=x86_64-linux-musl runner=env ;;
    loongarch64) # all of whose code has LSX, which qemu 7.2 does not know
        cross=loongarch64-linux-musl
        grep -q max <<<"$("$runner" -cpu help 2>/dev/null)" || runner="qemu-loongarch64 with LSX"
        ;;
    *) runner=true targets+=(stria playground_with_linalg stria_tool) ;;
    esac
    ;;
windows)
    triplet=x86_64-w64-mingw32 compiler=x86_64-w64-mingw32-gcc-posix runner=/usr/lib/wine/wine64
    options=(-DSTRIA_SHARED=ON -DCMAKE_EXE_LINKER_FLAGS=-static) targets+=(stria)
    ;;
wasm32)
    compiler=emcc runner=node
    options+=(-DSTRIA_OPENMP=OFF -DSTRIA_INSTALL=OFF)
    ;;
esac
compiler=${compiler:-$triplet-gcc}
if ! has_command "$compiler" >/dev/null || ! has_command "$runner" >/dev/null; then
    echo "$compiler or $runner is not installed"
    exit 77
fi
build=build-bits-$machine
mkdir -p "$build"
if [ "$runner" = true ]; then
    tools/sysroot.sh "$build/sysroot" "$machine"
    options+=(-DSTRIA_SHARED=ON -DSTRIA_BUILD_TOOL=ON -DSTRIA_jansson_INCLUDE_DIR="$PWD/$build/sysroot/usr/include"
        -DSTRIA_jansson_LIBRARY="$(find "$PWD/$build/sysroot" -name libjansson.a)")
fi
configure=(cmake "-DCMAKE_TOOLCHAIN_FILE=cmake/$toolchain-cross.cmake" -DSTRIA_CROSS="$cross")
if [ "$machine" = wasm32 ]; then configure=(emcmake cmake); fi
"${configure[@]}" -S . -B "$build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 -DSTRIA_BUILD_TOOL=OFF \
    -DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_BENCH=OFF -DSTRIA_NPZ=OFF -DSTRIA_PNG=OFF -DSTRIA_BUNDLED_XXHASH=ON \
    -DSTRIA_BUILD_PLAYGROUND=ON -DSTRIA_LEVELS="$levels" "${options[@]}" >"$build/build.log" 2>&1 || {
    tail -n 30 "$build/build.log"
    exit 1
}
build_into "$build/build.log" "$build" --target "${targets[@]}" || {
    grep -A 8 -E 'error|undefined reference' "$build/build.log" | head -n 40
    exit 1
}

program=$build/tools/site/playground
command=("$runner" -L "/usr/$triplet")
if [ "$runner" = true ]; then
    echo "$machine: compiled and linked, never run"
    exit 0
fi
case $machine in
riscv64) command+=(-cpu "rv64,v=true,vext_spec=v1.0") ;; # the first model has no vectors
x86_64) command+=(-cpu Nehalem) ;;
musl) command=("$runner") ;; # linked statically
i686)
    if [ "$runner" = "$loader" ]; then
        command=("$runner" --library-path "/usr/$triplet/lib")
    else
        export OMP_NUM_THREADS=1
    fi
    ;;
windows)
    command=("$runner")
    program+=.exe
    gomp=$(dirname "$("$compiler" -print-file-name=libgomp-1.dll)") # -static leaves OpenMP's library as it is
    export WINEPREFIX=$PWD/$build/wine WINEDEBUG=-all WINEPATH="Z:$gomp;Z:/usr/$triplet/lib"
    ;;
wasm32)
    command=("$runner" tests/nightly/worker.js)
    program+=.wasm
    ;;
esac
"$python" tests/text_bits.py "${command[@]}" "$program"
