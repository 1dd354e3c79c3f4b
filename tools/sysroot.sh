#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/sysroot.sh FOLDER ARCHITECTURE
#
# Unpacks Debian's builds for ARCHITECTURE (arm64, s390x, ...) of the libraries that Stria and its tests link into
# FOLDER, for the cross compiler. They are fetched by apt with a state of its own: nothing of the machine changes,
# and root is not needed. Debian 12 has no builds for riscv64, nor ever for windows and targets of Zig's compiler, such as
# aarch64-macos, for which its sources are compiled.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

packages=(libxxhash-dev libxxhash0 libjansson-dev libjansson4 libcmocka-dev libcmocka0)
sysroot=${1:?usage: tools/sysroot.sh FOLDER ARCHITECTURE}
architecture=${2:?}

if [ -e "$sysroot/complete" ]; then exit 0; fi
rm -rf "$sysroot"
mkdir -p "$sysroot/apt/lists/partial" "$sysroot/apt/cache/archives/partial"
sysroot=$(cd "$sysroot" && pwd)
: >"$sysroot/apt/status"
apt=(apt-get -qq -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o APT::Sandbox::User=
     -o Dir::State="$sysroot/apt" -o Dir::State::status="$sysroot/apt/status"
     -o Dir::Cache="$sysroot/apt/cache")

# Compiles Debian's sources of these libraries into the sysroot.
build_sources() {
    local triplet=$architecture-linux-gnu system=Linux compiler source
    compiler=$triplet-gcc
    if [ "$architecture" = windows ]; then triplet=x86_64-w64-mingw32 system=Windows compiler=$triplet-gcc-posix; fi
    local target=$sysroot/usr/lib/$triplet names=(cmocka jansson xxhash)
    local how=("-DCMAKE_SYSTEM_NAME=$system" "-DCMAKE_C_COMPILER=$compiler")
    if [[ $architecture = *-* ]]; then # the tool needs jansson
        names=(jansson)
        how=("-DCMAKE_TOOLCHAIN_FILE=$root/cmake/zig-cross.cmake" "-DSTRIA_CROSS=$architecture")
    fi
    apt-get indextargets --format '$(ORIGIN) deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
        sed -n -E 's/^(Debian|Ubuntu) //p' | sort -u >"$sysroot/apt/sources"
    apt=(apt-get -qq -o "Dir::Etc::sourcelist=$sysroot/apt/sources" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=
         -o Dir::State="$sysroot/apt" -o Dir::Cache="$sysroot/apt/cache")
    want dpkg-dev has_command dpkg-source
    install_missing
    say "fetching and compiling sources for $architecture: ${names[*]}"
    "${apt[@]}" update </dev/null || true
    (cd "$sysroot/apt" && "${apt[@]}" source "${names[@]}" </dev/null >/dev/null)
    for source in cmocka jansson; do
        if ! ls -d "$sysroot/apt/$source"-*/ >/dev/null 2>&1; then continue; fi
        cmake -Wno-dev -S "$sysroot/apt/$source"-*/ -B "$sysroot/apt/$source" "${how[@]}" -DCMAKE_INSTALL_PREFIX="$sysroot/usr" \
            -DCMAKE_INSTALL_LIBDIR="$target" -DCMAKE_BUILD_TYPE=Release -DCMAKE_POLICY_VERSION_MINIMUM=3.5 \
            -DBUILD_SHARED_LIBS=OFF -DWITH_EXAMPLES=OFF -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON \
            -DJANSSON_EXAMPLES=OFF
        cmake --build "$sysroot/apt/$source" --target install
    done >"$sysroot/apt/log" 2>&1 || {
        tail -n 20 "$sysroot/apt/log" >&2
        return 1
    }
    if ! ls -d "$sysroot"/apt/xxhash-*/ >/dev/null 2>&1; then return; fi
    cp "$sysroot"/apt/xxhash-*/*.h "$sysroot/usr/include"
    "$compiler" -O2 -c "$sysroot"/apt/xxhash-*/xxhash.c -o "$sysroot/apt/xxhash.o"
    ar rcs "$target/libxxhash.a" "$sysroot/apt/xxhash.o"
}

case $architecture in
riscv64 | windows | *-*)
    build_sources
    rm -rf "$sysroot/apt"
    touch "$sysroot/complete"
    exit 0
    ;;
esac
say "fetching $architecture packages: ${packages[*]}"
"${apt[@]}" update </dev/null || true # a list that a mirror is renewing: what is missed by it fails below
(cd "$sysroot/apt" && "${apt[@]}" download "${packages[@]}" </dev/null)
for deb in "$sysroot"/apt/*.deb; do dpkg-deb -x "$deb" "$sysroot"; done
rm -rf "$sysroot/apt"
touch "$sysroot/complete"
