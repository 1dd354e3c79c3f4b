#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/reproducible.sh: two builds of a release's tarball give the same bytes, the second one as another user, of sources
# that nobody may write, in a folder with spaces and letters beyond ASCII, without git; tests that read and write files pass there.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

tools/release.sh >/dev/null
tarball=$(ls build-release/stria-*.tar.xz)
git clone -q . build-release/clone
(cd build-release/clone && tools/release.sh >/dev/null)
cmp "$tarball" build-release/clone/build-release/*.tar.xz
rm -rf build-release/clone

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
mkdir "$work/one" "$work/zwei Bäume" "$work/out"
for folder in one "zwei Bäume"; do tar -xJf "$tarball" -C "$work/$folder" --strip-components=1; done
chmod -R a-w "$work/zwei Bäume"
chmod 755 "$work"

tests=(test_npy test_npz test_csv test_view_axes test_eval test_machine)
libraries=(libstria.so libstria.a libstria_linalg.so libstria_linalg.a stria)

build() { # SOURCE OUT TESTS COMMAND...
    local source=$1 out=$2 with=$3
    shift 3
    "$@" cmake -S "$source" -B "$out" -DSTRIA_BUILD_TESTS="$with" -DSTRIA_BUILD_BENCH=OFF -DSTRIA_LEVELS="${STRIA_LEVELS:-}" >/dev/null
    "$@" cmake --build "$out" -j "$jobs" --target stria stria_static stria_linalg stria_linalg_static stria_tool >/dev/null
}
other=()
if [ "$(id -u)" = 0 ]; then
    other=(runuser -u nobody -- env HOME="$work/out")
    chown nobody "$work/out"
fi
out="$work/out/Größe und mehr"
build "$work/one" "$work/one/build" OFF
build "$work/zwei Bäume" "$out" ON "${other[@]}"
for file in "${libraries[@]}"; do
    cmp "$work/one/build/$file" "$out/$file"
    echo "$(sha256sum <"$out/$file" | cut -c1-16) $file"
done
echo "${#libraries[@]} files have the same bytes in both builds"
"${other[@]}" "$out/stria" explain --shape 2,3 .T >/dev/null
"${other[@]}" cmake --build "$out" -j "$jobs" --target "${tests[@]}" >/dev/null
"${other[@]}" ctest --test-dir "$out" -R "^($(IFS='|' && echo "${tests[*]}"))\$" -j "$jobs" --output-on-failure
