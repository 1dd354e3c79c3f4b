#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Includes only point down the layers of src/README.md, and the instruction set is known in
# dispatch, cpu, fp_mode and simd/ only. A file that belongs to no layer is an error: name its layer here.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

shopt -s extglob
errors=0
complain() {
    printf '%s\n' "$*" >&2
    errors=$((errors + 1))
}

# Sets layer to that of a file, a number that grows upwards.
layer_of() {
    case $1 in
    include/stria/stria.h) layer=11 ;;
    include/stria/@(status|export|version|alloc|buffer|date|dtype|geometry).h) layer=0 ;;
    include/stria/@(view|array|array_small|axes|broadcast|complex|overlap|record|ref|reinterpret|split|window).h) layer=3 ;;
    include/stria/@(threads|machine|watch).h) layer=5 ;;
    include/stria/plan.h) layer=6 ;;
    src/graph/* | include/stria/graph.h) layer=10 ;;
    src/lang/* | include/stria/@(call|eval).h) layer=11 ;;
    src/linalg/*) layer=12 ;;
    include/stria/*.h) layer=8 ;;
    src/base/*) layer=0 ;;
    src/dtype/*) layer=1 ;;
    src/layout/*) layer=2 ;;
    src/view/*) layer=3 ;;
    src/simd/*) layer=4 ;;
    src/machine/*) layer=5 ;;
    src/plan/*) layer=6 ;;
    src/move/*) layer=7 ;;
    src/engine/*) layer=8 ;;
    src/ops/* | src/io/*) layer=9 ;;
    *) layer=unknown ;;
    esac
}

# The folders of ops; each includes headers of itself and of those before it.
ops_folders=(value copy format create in_place elementwise index expr reduce fold order exact window contract sparse composed)

# Sets rank to the place of a folder of ops, -1 for a file in none of them.
rank_of() {
    local i name=${1#src/ops/}
    rank=-1
    [ "$name" != "$1" ] && [ "$name" != "${name%/*}" ] || return 0
    for i in "${!ops_folders[@]}"; do
        if [ "${ops_folders[i]}" = "${name%%/*}" ]; then rank=$i && return; fi
    done
    complain "$1: its folder has no place in ops_folders of tools/check_layers.sh"
}

# Sets target to where "$2" in a file of folder $1 is found: beside the file, in src/ or in include/.
resolve() {
    local folder
    for folder in "$1" src include; do
        target=$folder/$2
        if [ -e "$target" ]; then
            case $target in *../*) target=$(realpath --relative-to=. "$target") ;; esac
            return
        fi
    done
    target=
}

files=0
while IFS= read -r file; do
    files=$((files + 1))
    layer_of "$file"
    from=$layer
    if [ "$from" = unknown ]; then
        complain "$file: belongs to no layer; give it one in tools/check_layers.sh"
        continue
    fi
    rank_of "$file"
    own_rank=$rank
    while IFS= read -r name; do
        resolve "${file%/*}" "$name"
        if [ -z "$target" ]; then
            complain "$file: \"$name\" is not found"
            continue
        fi
        layer_of "$target"
        to=$layer
        face=${target##*/}
        face=${face%.h}
        if [ "$to" = unknown ] || [ "$to" -gt "$from" ]; then
            case $file:$target in
            # The loop contract (stria_dim, stria_loop) is public and declared with the plan.
            src/simd/*:include/stria/plan.h) ;;
            # The numbers of the ops (stria_op) are, too.
            src/simd/*:include/stria/op.h) ;;
            # A source includes the public header that declares it: record.c and record.h.
            src/*/"$face"*:include/*/"$face".h | src/"$face"*:include/*/"$face".h) ;;
            *) complain "$file (layer $from) includes $target (layer $to)" ;;
            esac
        fi
        rank_of "$target"
        if [ "$own_rank" -ge 0 ] && [ "$rank" -gt "$own_rank" ]; then
            complain "$file includes $target, whose folder is above its own"
        fi
        case $file:$target in
        src/simd/*:src/simd/* | src/simd/*:include/*) ;;
        src/simd/*) complain "$file: simd/ includes nothing of src/ but its own folder" ;;
        esac
    done < <(sed -nE 's/^ *# *include *("([^"]+)"|<(stria\/[^>]+)>).*/\2\3/p' "$file")
    case $file in
    src/simd/* | src/machine/@(dispatch|cpu|fp_mode).*) ;;
    *)
        if grep -nE '__(AVX|SSE|FMA|ARM_|aarch64|x86_64|i386)|<(imm|arm|x86)[a-z]*\.h>' "$file"; then
            complain "$file: only cpu, dispatch and simd/ know instruction sets"
        fi
        ;;
    esac
done < <(find include src -type f \( -name '*.c' -o -name '*.h' -o -name '*.inc' \) | sort)

# The benchmarks are users like any other: public headers only. The tool is made of commands over
# src/lang and sees nothing else of src.
while IFS= read -r line; do
    complain "$line: the tool sees public headers and those of lang, the benchmarks public headers"
done < <(
    grep -rnE '# *include "((\.\./)+src|lang)/' bench --include='*.[ch]' --include='*.cc'
    grep -rnE '# *include "(\.\./|([a-z]+\.h))' tools/stria --include='*.[ch]' | while IFS= read -r line; do
        name=${line##*include \"}
        compgen -G "tools/stria/*/${name%\"*}" >/dev/null || printf '%s\n' "$line"
    done
    grep -rnE '# *include "[a-z_]+/' tools/stria --include='*.[ch]' | grep -vE '# *include "(lang|stria)/'
)

echo "$files files, $errors includes that point up"
[ "$errors" = 0 ] && [ "$files" -gt 0 ]
