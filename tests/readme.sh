#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/readme.sh SOURCE PROGRAM [TOOL]
#
# The C example of README.md is examples/readme.c word for word, as are those of docs/interpreter.md and docs/user-functions.md, and PROGRAM, built from that,
# prints what README.md says it prints. With TOOL: every command `build/stria ...` that a page shows
# can be pasted; benchmarks run for a moment only.
set -euo pipefail
source=$1 program=$2 tool=${3:-}
cd "$source"

block=$(sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d')
[ -n "$block" ] || { echo "README.md has no C example" >&2; exit 1; }
diff <(sed '1,/^$/!b;/^\/\*.*\*\/$/d' examples/readme.c) <(printf '%s\n' "$block")

# A page that shows a whole example shows the file, but for the comment that opens it.
for page in interpreter:interpreter user_function:user-functions; do
    diff <(sed -n '/^#include/,$p' "examples/${page%:*}.c") <(sed -n '/^```c$/,/^```$/p' "docs/${page#*:}.md" | sed '1d;$d')
done

diff <(sed -n '/^#include/,$p' examples/mpi/heat.c) <(sed -n '/^```c$/,/^```$/p' docs/mpi.md | sed '1d;$d')
diff <(sed -n '/^program/,$p' examples/fortran.f90) <(sed -n '/^```fortran$/,/^```$/p' docs/fortran.md | sed '1d;$d')

promised=$(sed -n 's/^It prints `\(.*\)`.*/\1/p' README.md)
printed=$("$program")
if [ "$printed" != "$promised" ]; then
    printf 'README.md promises: %s\nthe program prints: %s\n' "$promised" "$printed" >&2
    exit 1
fi

[ -n "$tool" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/build"
ln -s "$(realpath "$tool")" "$work/build/stria"
ln -s "$source/examples" "$source/bench" "$work"
shown=0
while IFS= read -r command; do
    case $command in
    *' bench '*'| python3 '*) command=${command/ bench / bench --rounds 1 --limit 65536 } ;;
    *' bench '*--suite*) command="$(sed 's/#.*//; s/ --html [^ ]*//' <<<"$command") --list" ;;
    *' bench '*) command="${command%%#*} --rounds 3 --limit 65536" ;;
    esac
    if ! (cd "$work" && eval "$command") >"$work/log" 2>&1; then
        printf '%s\n' "$command" >&2
        cat "$work/log" >&2
        exit 1
    fi
    shown=$((shown + 1))
done < <(cat README.md docs/*.md bench/README.md |
    sed -nE '/^```/,/^```$/s/^(STRIA_ISA=[a-z0-9]+ )?(build\/stria .*)/\2/p
             s/^Check: `(build\/stria [^`]*)`.*/\1/p')
echo "$shown commands"
[ "$shown" -gt 8 ]
