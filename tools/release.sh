#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/release.sh [COMMIT]
#
# Makes what a release consists of in build-release/: the sources as stria-VERSION.tar.xz, which has
# the same bytes from any clone, the notes of that version from CHANGELOG.md, a list of all files with
# their licences (SPDX, where `reuse` is installed) and SHA256SUMS.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

commit=${1:-HEAD}
number() { git show "$commit:include/stria/version.h" | sed -n "s/^#define STRIA_VERSION_$1 *//p"; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
out=build-release name=stria-$version
rm -rf "$out"
mkdir -p "$out"

# The time of the commit is that of all files; xz with one thread and its default preset is the same everywhere.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" "$commit" | xz -6 -T1 >"$out/$name.tar.xz"

# The section of this version, or the one that is not released yet.
git show "$commit:CHANGELOG.md" | awk -v version="[$version]" '
    /^## / { inside = index($0, version) || (!found && /Unreleased/); if (inside) found = 1; next }
    inside' >"$out/notes.md"
[ -s "$out/notes.md" ] || fail "CHANGELOG.md has no section for $version"

if has_command reuse >/dev/null; then
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    tar -xJf "$out/$name.tar.xz" -C "$tree"
    reuse --root "$tree/$name" spdx -o "$root/$out/$name.spdx"
else
    say "reuse is not installed: no list of licences"
fi
(cd "$out" && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
say "$out:"
cat "$out/SHA256SUMS"
