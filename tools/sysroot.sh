#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/sysroot.sh FOLDER ARCHITECTURE
#
# Unpacks Debian's builds for ARCHITECTURE (arm64, s390x, ...) of the libraries that Stria and its tests link into FOLDER, for the
# cross compiler. They are fetched by apt with a state of its own: nothing of the machine changes,
# and root is not needed.
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

say "fetching $architecture packages: ${packages[*]}"
"${apt[@]}" update </dev/null || true # a list that a mirror is renewing: what is missed by it fails below
(cd "$sysroot/apt" && "${apt[@]}" download "${packages[@]}" </dev/null)
for deb in "$sysroot"/apt/*.deb; do dpkg-deb -x "$deb" "$sysroot"; done
rm -rf "$sysroot/apt"
touch "$sysroot/complete"
