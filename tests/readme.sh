#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/readme.sh SOURCE PROGRAM
#
# The C example of README.md is examples/readme.c word for word, and PROGRAM, built from that,
# prints what README.md says it prints: the comment in the first block of shell that runs it.
set -euo pipefail
source=$1 program=$2
cd "$source"

block=$(sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d')
[ -n "$block" ] || { echo "README.md has no C example" >&2; exit 1; }
diff <(sed '1,/^$/!b;/^\/\*.*\*\/$/d' examples/readme.c) <(printf '%s\n' "$block")

promised=$(sed -n 's/^It prints `\(.*\)`.*/\1/p' README.md)
printed=$("$program")
if [ "$printed" != "$promised" ]; then
    printf 'README.md promises: %s\nthe program prints: %s\n' "$promised" "$printed" >&2
    exit 1
fi
