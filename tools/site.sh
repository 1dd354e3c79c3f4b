#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/site.sh [OUT]
#
# Makes the site in OUT (build-site/): files that any web server takes, and that fetch nothing from elsewhere. The C
# reference is Doxygen's, the playground is the library compiled by emscripten; where one of these is not installed (or cmark-gfm
# and a built library in build-site/build or STRIA_LIBRARY) it says so and ends with 77. STRIA_SITE_FAST=1 keeps a playground that
# is there.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

out=${1:-build-site}
for command in emcmake doxygen cmark-gfm; do
    if ! has_command "$command" >/dev/null; then
        echo "$command is not installed (packages emscripten, doxygen, cmark-gfm): no site"
        exit 77
    fi
done
mkdir -p "$out"
out=$(cd "$out" && pwd)
wasm=build-wasm library=${STRIA_LIBRARY:-}
mkdir -p "$wasm"

say "the reference"
rm -rf "$out/c"
doxygen - <<<"$(cat tools/site/Doxyfile)
OUTPUT_DIRECTORY=$out
PROJECT_NUMBER=$(sed -n 's/^#define STRIA_VERSION_M[AI][JN]OR *//p' include/stria/version.h | paste -sd.)"

if [ -z "$library" ]; then
    say "the library"
    cmake -S . -B "$wasm/native" -DCMAKE_BUILD_TYPE=Release -DSTRIA_BUILD_TOOL=OFF -DSTRIA_BUILD_TESTS=OFF \
        -DSTRIA_BUILD_BENCH=OFF -DSTRIA_LEVELS=base >"$wasm/build.log"
    build_into "$wasm/build.log" "$wasm/native" --target stria
    library=$wasm/native/libstria.so
fi

if [ -z "${STRIA_SITE_FAST:-}" ] || [ ! -e "$out/playground.wasm.gz" ]; then
    say "the playground"
    emcmake cmake -S . -B "$wasm" -DCMAKE_BUILD_TYPE=Release -DSTRIA_SHARED=OFF -DSTRIA_BUILD_TOOL=OFF \
        -DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_BENCH=OFF -DSTRIA_INSTALL=OFF -DSTRIA_OPENMP=OFF -DSTRIA_NPZ=OFF \
        -DSTRIA_PNG=OFF -DSTRIA_BUNDLED_XXHASH=ON -DSTRIA_BUILD_PLAYGROUND=ON >"$wasm/build.log" 2>&1
    build_into "$wasm/build.log" "$wasm" --target playground
    gzip -9nc "$wasm/tools/site/playground.wasm" >"$out/playground.wasm.gz"
fi

say "the pages"
python3 tools/site/pages.py "$out" "$library"
echo "$(find "$out" -type f | wc -l) files, $(du -sm "$out" | cut -f1) MB in $out; to look at them: python3 -m http.server -d $out"
