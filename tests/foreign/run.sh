#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh LANGUAGE LIBRARY [PYTHON]: luajit, cffi or rust calls the shared library without C between. 77: it is not here.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
library=$2 folder=$(dirname "$2")
cdef=$here/../../include/stria/stria.cdef
missing() { echo "$1 is not installed" && exit 77; }
case $1 in
luajit)
    command -v luajit >/dev/null || missing luajit
    luajit "$here/calls.lua" "$cdef" "$library"
    ;;
cffi)
    "$3" -c 'import cffi' 2>/dev/null || missing cffi
    "$3" "$here/calls.py" "$cdef" "$library"
    ;;
rust)
    rustc --version >/dev/null 2>&1 || missing rustc
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    rustc -D warnings -L "$folder" -C "link-arg=-Wl,-rpath,$folder" "$here/calls.rs" -o "$work/calls"
    "$work/calls"
    ;;
esac
