#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# packaging/build.sh [TARBALL]
#
# Builds from the release's tarball (that of tools/release.sh, made where none is named) what can be built on this
# machine, in build-packages/: Debian's packages, which lintian checks, and whose autopkgtests run with them unpacked in a
# folder; and reads the other recipes with the programs that are there. 77: Debian's packages cannot be built.
. "$(dirname "${BASH_SOURCE[0]}")/../tools/lib.sh"

tarball=${1:-}
if [ -z "$tarball" ]; then
    tools/release.sh >/dev/null
    tarball=$(ls build-release/stria-*.tar.xz)
fi
tarball=$(realpath "$tarball")
version=$(basename "$tarball" .tar.xz)
version=${version#stria-}
out=build-packages
rm -rf "$out"
mkdir -p "$out"

say "recipes"
bash -n packaging/arch/PKGBUILD
python3 - packaging <<'PROGRAM'
import json, pathlib, sys
root = pathlib.Path(sys.argv[1])
json.loads((root / "vcpkg/vcpkg.json").read_text())
for name in ("spack/package.py", "conan/conanfile.py"):
    compile((root / name).read_text(), name, "exec")
PROGRAM
grep -rhoE '0\.[0-9]+\.[0-9]+' packaging/conda packaging/conan/conanfile.py packaging/vcpkg/vcpkg.json packaging/arch \
    packaging/homebrew | grep -qx "$version" || fail "the recipes are of another version than $version"
if has_command ruby >/dev/null; then ruby -c packaging/homebrew/stria.rb; fi
if has_command rattler-build >/dev/null; then rattler-build build --render-only -r packaging/conda/recipe.yaml >"$out/conda.log"; fi

# The recipes as whoever publishes the tarball would have them, but for its place, which is this machine.
cp -r packaging "$out/packaging"
"$out/packaging/checksum.sh" "$tarball" "file://$(dirname "$tarball")"
if has_command conan >/dev/null; then
    say "Conan's package"
    export CONAN_HOME=$root/$out/conan
    for shared in True False; do
        conan profile detect --force >"$out/conan.log" 2>&1
        conan create "$out/packaging/conan" -o "stria/*:shared=$shared" >>"$out/conan.log" 2>&1 || {
            tail -n 40 "$out/conan.log" >&2
            fail "conan create"
        }
        echo "shared=$shared: built, and the program of its test ran"
    done
fi
if has_command makepkg >/dev/null && has_command pacman >/dev/null && has_command bsdtar >/dev/null; then
    say "Arch's package"
    cp "$tarball" "$out/packaging/arch/"
    maker=()
    if [ "$(id -u)" = 0 ]; then # makepkg refuses root
        chown -R nobody "$out/packaging/arch"
        maker=(runuser -u nobody -- env HOME=/nonexistent)
    fi
    (cd "$out/packaging/arch" && "${maker[@]}" makepkg --nodeps >../../arch.log 2>&1) || {
        tail -n 40 "$out/arch.log" >&2
        fail "makepkg"
    }
    ls -l "$out"/packaging/arch/*.pkg.tar.*
fi

if ! has_command dh >/dev/null || ! has_command dpkg-buildpackage >/dev/null; then
    echo "debhelper is not installed: Debian's packages are not built"
    exit 77
fi
say "Debian's packages"
cp "$tarball" "$out/stria_$version.orig.tar.xz"
tar -xJf "$tarball" -C "$out"
cp -r "$out/stria-$version/packaging/debian" "$out/stria-$version/"
(cd "$out/stria-$version" && dpkg-buildpackage -us -uc -b -d >../build.log 2>&1) || {
    tail -n 40 "$out/build.log" >&2
    fail "dpkg-buildpackage"
}
ls -l "$out"/*.deb
if has_command lintian >/dev/null; then
    # No bug report asks for the package yet, and no mail reaches its maintainer.
    lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs,bogus-mail-host \
        "$out"/*.changes || fail "lintian"
fi
say "the packages, unpacked"
tree=$root/$out/tree
for package in "$out"/*_"$version"-*.deb; do dpkg-deb -x "$package" "$tree"; done
library=$(dirname "$(find "$tree" -name libstria.so)")
total=0
for part in "$library"/libstria.so.*.* "$library"/libstria_linalg.so.*.* "$tree/usr/bin/stria" "$tree/usr/lib/python3/dist-packages/stria"; do
    [ ! -L "$part" ] || continue
    size=$(du -sb --apparent-size "$part" | cut -f1)
    total=$((total + size))
    printf '%9d bytes: %s\n' "$size" "${part#"$tree"}"
done
echo "$total bytes: what is installed of library, tool and Python package"
[ "$total" -le 16000000 ] || fail "that is more than 16 MB"
for test in program tool-and-python; do
    PATH=$tree/usr/bin:$PATH LD_LIBRARY_PATH=$library PKG_CONFIG_PATH=$library/pkgconfig \
        PYTHONPATH=$tree/usr/lib/python3/dist-packages AUTOPKGTEST_TMP=$(mktemp -d -p "$out") "packaging/debian/tests/$test"
    echo "$test passed"
done
# Nothing of a machine without AVX may be missed: the lowest level does all that the others do.
STRIA_ISA=base PATH=$tree/usr/bin:$PATH LD_LIBRARY_PATH=$library stria explain --shape 2,3 .T >/dev/null
