#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/gdb/run.sh CC: what the pretty printers of tools/gdb show of views made by hand. 77: no gdb.
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v gdb >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${1:-cc}" -g -O0 -std=c11 -Iinclude tests/gdb/views.c -o "$folder/views"
shown=$(gdb -q -batch -nx -iex 'set auto-load off' -ex 'source tools/gdb/stria_gdb.py' -ex 'break here' \
    -ex run -ex 'print turned' -ex 'print line' -ex 'print cleared' -ex 'print owner' -ex 'print line.dtype' \
    "$folder/views" 2>&1) || true
case $shown in *'Breakpoint 1, here'*) ;; *) echo "gdb cannot run programs here: $shown" && exit 77 ;; esac
shown=$(grep -E '^\$' <<<"$shown" | sed -E 's/0x[0-9a-f]+/ADDRESS/')
wanted='$1 = f32 (3, 2), strides (4, 12) bytes, at ADDRESS, read-only: 0 -3 1 4 2.5 5
$2 = i64 (20,), strides (8,) bytes, at ADDRESS: 7 8 9 0 0 0 ...
$3 = cleared
$4 = owner of nothing, i64 (20,), strides (8,) bytes, at ADDRESS: 7 8 9 0 0 0 ...
$5 = i64'
diff <(echo "$wanted") <(echo "$shown")
