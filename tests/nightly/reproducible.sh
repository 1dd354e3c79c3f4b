#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/reproducible.sh: two builds of a release's tarball give the same bytes, the second one as another user, of sources
# that nobody may write, in a folder with spaces and letters beyond ASCII, without git.
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

build() { # SOURCE OUT COMMAND...
    local source=$1 out=$2
    shift 2
    "$@" cmake -S "$source" -B "$out" -DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_BENCH=OFF -DSTRIA_LEVELS="${STRIA_LEVELS:-}" >/dev/null
    "$@" cmake --build "$out" -j "$jobs" >/dev/null
}
other=()
if [ "$(id -u)" = 0 ]; then
    other=(runuser -u nobody -- env HOME="$work/out")
    chown nobody "$work/out"
fi
build "$work/one" "$work/one/build"
build "$work/zwei Bäume" "$work/out/Größe und mehr" "${other[@]}"
count=0
for file in libstria.so libstria.a stria; do
    cmp "$work/one/build/$file" "$work/out/Größe und mehr/$file"
    count=$((count + 1))
done
"$work/out/Größe und mehr/stria" explain --shape 2,3 .T >/dev/null
echo "$count files have the same bytes in both builds"
