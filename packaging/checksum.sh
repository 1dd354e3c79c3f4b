#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# packaging/checksum.sh TARBALL URL
#
# Writes where the release lies, and its checksums, into the recipes: URL is the folder that has the tarball.
set -euo pipefail
tarball=$1 url=${2%/}
cd "$(dirname "$0")"
sum=$(sha256sum "$tarball" | cut -d' ' -f1)
sum512=$(sha512sum "$tarball" | cut -d' ' -f1)
recipes=(conda/recipe.yaml conan/conandata.yml spack/package.py arch/PKGBUILD homebrew/stria.rb)
sed -E -i "s/(sha256(sums)?[^0-9a-f]*)[0-9a-f]{64}/\1$sum/" "${recipes[@]}"
sed -E -i "s/SHA512 [0-9a-f]+/SHA512 $sum512/" vcpkg/portfile.cmake
sed -i "s|https://example.org/stria/releases|$url|" "${recipes[@]}" vcpkg/portfile.cmake debian/watch
