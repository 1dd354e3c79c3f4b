#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh find_package|pkg_config|folders|subdirectory|families SOURCE BUILD CC CXX
#
# Builds and runs the consumer project against BUILD: installed into a prefix that is moved
# afterwards, or with SOURCE as a subdirectory. folders: what a build with folders of its own would
# install knows them.
set -euo pipefail
way=$1 source=$2 build=$3 cc=$4 cxx=$5
here=$(cd "$(dirname "$0")" && pwd)
work=$build/tests/consumer-$way
rm -rf "$work"
mkdir -p "$work"
unset CFLAGS CXXFLAGS LDFLAGS

build_and_run() { # OPTION...
    rm -rf "$work/build"
    cmake -S "$here" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" "$@"
    cmake --build "$work/build"
    ctest --test-dir "$work/build" --output-on-failure --no-tests=error
}

install_moved() {
    cmake --install "$build" --prefix "$work/first"
    mv "$work/first" "$work/prefix"
    if grep -rIl -e "$work/first" -e "$build" -e "$source" "$work/prefix"; then
        echo "the files above hold absolute paths" >&2
        exit 1
    fi
}

case $way in
find_package)
    install_moved
    if [ -e "$work/prefix/bin/stria" ]; then # which finds its library in the prefix
        "$work/prefix/bin/stria" show 'arange(6).reshape(2, 3)' | grep '3 4 5'
    fi
    build_and_run -DCMAKE_PREFIX_PATH="$work/prefix"
    build_and_run -DCMAKE_PREFIX_PATH="$work/prefix" -DCXX_ONLY=ON
    rm -rf "$work/build"
    cmake -S "$here" -B "$work/build" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$work/prefix" -DSTRIA_deflate_LIBRARY=NO -DWITHOUT_DEPENDENCIES=ON
    ;;
pkg_config)
    install_moved
    export PKG_CONFIG_PATH
    PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name stria.pc)")
    libdir=$(pkg-config --variable=libdir stria)
    read -ra flags < <(pkg-config --cflags --libs stria)
    "$cc" -std=c11 "$here/main.c" "${flags[@]}" -Wl,-rpath,"$libdir" -o "$work/shared"
    "$work/shared"
    "$cxx" -std=c++17 "$here/main.cc" "${flags[@]}" -Wl,-rpath,"$libdir" -o "$work/shared_cxx"
    "$work/shared_cxx"
    # A program of another ABI number is told so by the dynamic linker, also where it finds this library under that name.
    soname=$(readelf -d "$libdir/libstria.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
    abi=${soname#libstria.so.}
    other=${abi%"${abi##*[!0-9]}"}$((${abi##*[!0-9]} + 1))
    mkdir "$work/other"
    echo "STRIA_${other//./_} { global: stria_version; local: *; };" >"$work/other/map"
    echo 'const char *stria_version(void) { return "of another ABI"; }' >"$work/other/library.c"
    echo 'const char *stria_version(void); int main(void) { return !stria_version(); }' >"$work/other/main.c"
    "$cc" -shared -fPIC "$work/other/library.c" -Wl,--version-script="$work/other/map" \
        -Wl,-soname,"libstria.so.$other" -o "$work/other/libstria.so.$other"
    "$cc" "$work/other/main.c" "$work/other/libstria.so.$other" -o "$work/other/main"
    LD_LIBRARY_PATH=$work/other "$work/other/main"
    refused() { # SENTENCE
        if LC_ALL=C LD_LIBRARY_PATH=$libdir "$work/other/main" 2>"$work/other/told"; then
            echo "a program of ABI $other runs with $soname" >&2
            exit 1
        fi
        grep -e "$1" "$work/other/told"
    }
    refused "libstria.so.$other: cannot open shared object file"
    ln -s "$soname" "$libdir/libstria.so.$other"
    refused "version .STRIA_${other//./_}. not found"
    ls "$libdir"/libstria.so.*
    rm "$libdir"/libstria.so*
    read -ra flags < <(pkg-config --cflags --libs --static stria)
    "$cc" -std=c11 "$here/main.c" "${flags[@]}" -o "$work/static"
    "$work/static"
    # Without a dynamic linker at all, where the dependencies have archives.
    if [ -e "$("$cc" -print-file-name=libdeflate.a)" ]; then
        read -ra flags < <(pkg-config --cflags --libs --static stria)
        "$cc" -std=c11 -static "$here/main.c" "${flags[@]}" -o "$work/alone"
        "$work/alone"
        if readelf -l "$work/alone" | grep -q INTERP; then
            echo "$work/alone is not static" >&2
            exit 1
        fi
    fi
    ;;
folders)
    for include in include/deeper /elsewhere/include; do
        rm -rf "$work/build"
        cmake -S "$source" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DSTRIA_BUILD_TOOL=OFF \
            -DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_BENCH=OFF -DCMAKE_INSTALL_PREFIX="$work/prefix" \
            -DCMAKE_INSTALL_LIBDIR="$work/prefix/lib" -DCMAKE_INSTALL_INCLUDEDIR=$include
        found=$(pkg-config --variable=includedir "$work/build/stria.pc")
        case $include in /*) wanted=$include ;; *) wanted=$work/prefix/$include ;; esac
        [ "$found" = "$wanted" ] || { echo "stria.pc has $found for $wanted" >&2; exit 1; }
        [ "$(pkg-config --variable=libdir "$work/build/stria.pc")" = "$work/prefix/lib" ]
        grep -r INTERFACE_INCLUDE_DIRECTORIES "$work/build/CMakeFiles/Export" |
            grep -c -e "\"$include\"" -e "{_IMPORT_PREFIX}/$include\"" | grep -qx 2
    done
    ;;
subdirectory)
    # Without OpenMP, which no other build by day is. -O1 costs less than -O0, which compiles what it
    # could leave out. The project's own flags are not to reach the library's results.
    build_and_run -DSTRIA_SOURCE="$source" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O1 -ffast-math' \
        -DSTRIA_WERROR=ON -DSTRIA_LEVELS=scalar -DSTRIA_OPENMP=OFF
    ;;
families)
    # By night: what -DSTRIA_FAMILIES and -DSTRIA_DTYPES leave out refuses and has no weight.
    build_some() { # FAMILIES PROGRAM [DTYPES]
        local build=$work/build-$2
        cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release -DSTRIA_WERROR=ON \
            -DSTRIA_FAMILIES="$1" -DSTRIA_DTYPES="${3:-}" -DSTRIA_LEVELS="base;avx2" -DSTRIA_SHARED=OFF -DSTRIA_BUILD_TOOL=OFF \
            -DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_BENCH=OFF -DSTRIA_NPZ=OFF -DSTRIA_PNG=OFF
        cmake --build "$build" -j 2
        "$cc" -std=c11 -I"$source/include" "$here/$2.c" "$build/libstria.a" -fopenmp -lm -o "$work/$2"
        strip "$work/$2"
        "$work/$2"
        echo "$2: $(stat -c %s "$work/$2") bytes"
    }
    build_some "copy;elementwise;reduce" families
    build_some copy copies
    [ "$(stat -c %s "$work/copies")" -le 900000 ]
    build_some "copy;elementwise;reduce" floats f32
    [ "$(stat -c %s "$work/floats")" -le 2000000 ]
    if cmake -S "$source" -B "$work/other" -DSTRIA_FAMILIES=fly 2>"$work/other.log"; then exit 1; fi
    grep "no family 'fly'" "$work/other.log"
    if cmake -S "$source" -B "$work/other" -DSTRIA_FAMILIES= -DSTRIA_DTYPES=f31 2>"$work/other.log"; then exit 1; fi
    grep "no dtypes 'f31'" "$work/other.log"
    ;;
*)
    echo "unknown way: $way" >&2
    exit 2
    ;;
esac
