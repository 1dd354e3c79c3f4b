#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/test.sh [PRESET...]
#
# Installs what the tests need, builds with warnings as errors and runs every test. PRESET is a
# configure preset of CMakePresets.json; without one it is `test`, the library as it is shipped.
# .ci/run names those of every change, .ci/night those of nights, which leave nothing out; `nightly` are the programs of
# tests/nightly, in the build of `test`. STRIA_PYTHON=... is another Python with NumPy; STRIA_TORCH=1 installs
# PyTorch beside NumPy, as a second oracle.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

presets=("${@:-test}")
passed=0
failed=0
skipped=0

want_test() {
    want_build
    want g++ has_command c++
    want binutils has_command nm
    want pkg-config has_command pkg-config
    want libcmocka-dev has_header cmocka.h cc -include stdarg.h -include stddef.h \
        -include stdint.h -include setjmp.h
    want libxxhash-dev has_header xxhash.h
    want libmpfr-dev has_header mpfr.h
    want libfftw3-dev has_header fftw3.h
    want liblapacke-dev has_header lapacke.h
    want libopenblas0-pthread eval "ldconfig -p | grep libopenblas" # not -q, which ends ldconfig early
    want libbenchmark-dev has_header_cxx benchmark/benchmark.h
    want python3 has_command python3
    want python3-dev has_python_headers
    case $1 in
    test | nightly)
        want clang-format has_command clang-format
        want abigail-tools has_command abidiff
        want shellcheck has_command shellcheck
        want gfortran has_command gfortran
        want libopenmpi-dev has_command mpicc.openmpi
        want openmpi-bin has_command mpirun.openmpi
        want libmpich-dev has_command mpicc.mpich
        want mpich has_command mpirun.mpich
        want qemu-user has_command qemu-x86_64 # a CPU without AVX
        ;;&
    nightly) want_nightly ;;
    clang* | tsan* | ubsan)
        want clang has_command clang
        want libomp-dev has_header omp.h clang -fopenmp
        ;;&
    tsan* | ubsan) # the runtime of sanitizers depends on the version of clang, which is installed by now
        install_missing
        want "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" links_sanitizer
        ;;
    esac
    if [ "$1" = windows ]; then
        want gcc-mingw-w64-x86-64-posix has_command x86_64-w64-mingw32-gcc-posix
        want wine64 test -e /usr/lib/wine/wine64
    elif other_machine "$1"; then
        want "gcc-$triplet" has_command "$triplet-gcc"
        want "libc6-dev-$architecture-cross" test -e "/usr/$triplet/include/stdio.h"
        want qemu-user has_command qemu-aarch64
    fi
}

# Wants what the programs of tests/nightly need besides: compilers for other machines, makers of packages, and a browser for the
# site. A program is skipped where something that it needs is missing.
want_nightly() {
    local pair machine
    for pair in aarch64-linux-gnu:arm64 riscv64-linux-gnu:riscv64 powerpc64le-linux-gnu:ppc64el s390x-linux-gnu:s390x \
        arm-linux-gnueabihf:armhf i686-linux-gnu:i386 mips64el-linux-gnuabi64:mips64el sparc64-linux-gnu:sparc64; do
        machine=${pair%:*}
        want "gcc-$machine" has_command "$machine-gcc"
        want "libc6-dev-${pair#*:}-cross" test -e "/usr/$machine/include/stdio.h"
    done
    want gcc-mingw-w64-x86-64-posix has_command x86_64-w64-mingw32-gcc-posix
    want wine64 test -e /usr/lib/wine/wine64
    want emscripten has_command emcc
    want doxygen has_command doxygen
    want cmark-gfm has_command cmark-gfm
    want chromium has_command chromium
    want debhelper has_command dh
    want dpkg-dev has_command dpkg-buildpackage
    want dh-python has_command dh_python3
    want lintian has_command lintian
    want makepkg has_command makepkg
    want pacman-package-manager has_command pacman
    want libarchive-tools has_command bsdtar
    want ruby has_command ruby
    want clang-19 has_command clang-19
    want libc++-19-dev test -e /usr/lib/llvm-19/include/c++
    want libclang-rt-19-dev test -e /usr/lib/llvm-19/lib/clang/19/lib
    want flang-19 has_command flang-new-19
    want zip has_command zip
    want luajit has_command luajit
}

# Puts Zig's compiler and Conan, which only pip has, at the end of PATH, in build-tools/ where they are not installed.
need_python_tools() {
    local tools=$root/build-tools
    if ! has_command zig >/dev/null || ! has_command conan >/dev/null; then
        if [ ! -e "$tools/bin/conan" ]; then
            python3 -m venv "$tools"
            "$tools/bin/python" -m pip install --quiet --disable-pip-version-check ziglang conan </dev/null
            printf '#!/bin/sh\nexec "%s" -m ziglang "$@"\n' "$tools/bin/python" >"$tools/bin/zig"
            chmod +x "$tools/bin/zig"
        fi
        mkdir -p "$tools/path"
        ln -sf ../bin/zig ../bin/conan "$tools/path"
        PATH=$PATH:$tools/path
    fi
}

# Sets how compilers and Debian call the machine that preset $1 builds for; false where it is this one.
other_machine() {
    case $1 in
    aarch64*) triplet=aarch64-linux-gnu architecture=arm64 ;;
    s390x*) triplet=s390x-linux-gnu architecture=s390x ;;
    riscv64) triplet=riscv64-linux-gnu architecture=riscv64 ;;
    ppc64le) triplet=powerpc64le-linux-gnu architecture=ppc64el ;;
    armhf) triplet=arm-linux-gnueabihf architecture=armhf ;;
    i686) triplet=i686-linux-gnu architecture=i386 ;;
    windows) triplet=x86_64-w64-mingw32 architecture=windows ;;
    *) return 1 ;;
    esac
}

links_sanitizer() { echo 'int main(void) { return 0; }' | clang -fsanitize=thread -x c - -o /dev/null; }

has_python_headers() {
    "${STRIA_PYTHON:-python3}" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
}

# Adds what CTest's closing lines in $1 say to the totals: "98% tests passed, 1 tests failed out of 50",
# or, from newer versions when nothing failed, "100% tests passed out of 50".
count_tests() {
    local line total lost left
    line=$(grep -E 'tests passed.* out of [0-9]+$' "$1" | tail -n 1)
    total=$(sed -n 's/.* out of \([0-9]*\)$/\1/p' <<<"$line")
    lost=$(sed -n 's/.* \([0-9]*\) tests* failed.*/\1/p' <<<"$line")
    left=$(grep -c '\*\*\*Skipped' "$1" || true)
    passed=$((passed + ${total:-0} - ${lost:-0} - left))
    failed=$((failed + ${lost:-0}))
    skipped=$((skipped + left))
    [ "${total:-0}" -gt 0 ]
}

run_preset() {
    local preset=$1 build=build-$1 targets=() some=() options=() modules=() at_once=$jobs
    local settings=(OMP_WAIT_POLICY=passive) # threads that wait leave the CPUs to other tests
    want_test "$preset"
    install_missing
    if [ "$preset" = nightly ]; then
        need_python_tools
        modules=(hypothesis)
    fi
    need_python "${modules[@]}"
    if other_machine "$preset"; then tools/sysroot.sh "build-${preset%%-*}/sysroot" "$architecture" || return; fi

    case $preset in
    nightly) # programs of hours, which use all CPUs themselves
        preset=test build=build-test some=(-C nightly -L nightly) at_once=1
        ;;
    serial) # the other tests are the same without OpenMP
        some=(-L threads)
        targets=(--target threaded_tests)
        ;;
    clang) # the tests left out here run in test, and most of them in asan
        some=(-LE 'numpy|oracle|fuzz' -E '^test_(cancel|exec)$')
        settings+=(STRIA_SWEEP=few)
        ;;
    clang-all) some=(-LE 'numpy|oracle') ;;
    tsan*) # the other tests would take ten times as long
        some=(-L threads)
        targets=(--target threaded_tests)
        settings+=(TSAN_OPTIONS=allocator_may_return_null=1:ignore_noninstrumented_modules=1
                  OMP_TOOL_LIBRARIES="$(find /usr/lib/llvm-* -name libarcher.so | sort -V | tail -n 1)")
        ;;
    asan*) # kernels read and write between inaccessible pages in the other builds
        if [ "$preset" = asan ]; then some=(-LE 'kernels|slow'); fi
        # The gold linker, if there is one, halves the time that linking takes.
        if has_command ld.gold >/dev/null; then options+=(-DCMAKE_EXE_LINKER_FLAGS="-no-pie -fuse-ld=gold"); fi
        settings+=(ASAN_OPTIONS=allocator_may_return_null=1)
        ;;
    aarch64) # an emulator is slow
        some=(-L 'isa|package')
        targets=(--target stria_tool isa_tests)
        ;;
    aarch64-all) some=(-LE fuzz) ;;
    s390x-few) # order of bytes, and both levels
        some=(-R '^(text_bits|test_(bytes|byteswap|combine_kernels|hash|kernels_mask|npy|random|raw))$')
        targets=(--target playground test_bytes test_byteswap test_combine_kernels test_hash test_kernels_mask test_npy
                 test_random test_raw)
        ;;
    windows) # DLLs lie beside the libraries, and that of OpenMP with the compiler
        some=(-L 'isa|files')
        targets=(--target isa_tests file_tests stria_tool)
        local gomp
        gomp=$(dirname "$("$triplet-gcc-posix" -print-file-name=libgomp-1.dll)")
        settings+=(STRIA_SWEEP=few WINEDEBUG=-all "WINEPREFIX=$PWD/$build/wine"
                   "WINEPATH=Z:$PWD/$build/sysroot/usr/bin;Z:/usr/$triplet/lib;Z:$gomp")
        ;;
    s390x | riscv64 | ppc64le | armhf | i686)
        some=(-L isa)
        targets=(--target stria_tool isa_tests)
        # Its first model has no vectors.
        if [ "$preset" = riscv64 ]; then settings+=("QEMU_CPU=rv64,v=true,vext_spec=v1.0"); fi
        # qemu 7.2 reads 16 bytes where a scalar vfmadd reads 4 or 8, and so beyond the end of an array.
        if [ "$preset" = i686 ]; then settings+=("QEMU_CPU=max,-fma"); fi
        ;;
    esac

    say "$preset: build"
    mkdir -p "$build"
    cmake --preset "$preset" -DSTRIA_PYTHON="$python" "${options[@]}" >"$build/build.log" || return
    if ! build_into "$build/build.log" "$build" "${targets[@]}"; then
        grep -A 8 -E '(error|undefined reference)' "$build/build.log" | head -n 60
        return 1
    fi

    # The first program of a new folder for wine makes it, and not two at once. Its server stays for a minute after
    # each program, since one that starts while the server ends may fail.
    if [ "$preset" = windows ]; then
        env "${settings[@]}" /usr/lib/wine/wineserver64 -p60 >/dev/null 2>&1 || true
        env "${settings[@]}" /usr/lib/wine/wine64 cmd /c exit >/dev/null 2>&1 || true
    fi
    say "$preset: tests"
    env "${settings[@]}" ctest --test-dir "$build" "${some[@]}" -j "$at_once" --output-on-failure \
        --no-tests=error </dev/null 2>&1 | tee "$build/ctest.log" || true
    count_tests "$build/ctest.log"
}

# Prints the last line, however the script ends.
summary() {
    local status=$?
    if [ "$status" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
    if [ "$skipped" != 0 ]; then printf '\n%d skipped' "$skipped"; fi
    printf '\n%d passed, %d failed\n' "$passed" "$failed"
}
trap summary EXIT

for preset in "${presets[@]}"; do
    if ! run_preset "$preset"; then
        printf '%s: could not be built or run\n' "$preset" >&2
        failed=$((failed + 1))
    fi
done
[ "$failed" = 0 ]
