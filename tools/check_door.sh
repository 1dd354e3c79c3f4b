#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/check_door.sh [CC]
#
# tests/test_door.c calls every public function that takes a view, an array, a plan or an exec with
# bad ones. Its table names exactly the functions that the public headers declare with such an
# argument; it makes the rows of elementwise operations and reductions from op.h and reduce.h.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cc=${1:-cc}

declared=$(printf '#include "stria/stria.h"\n' | "$cc" -std=c11 -Iinclude -E -P -x c - | tr '\n' ' ' |
    sed 's/__attribute__((visibility("default")))/\n&/g' | sed -n '/^__attribute__((visib/p' |
    sed 's/;.*//' | grep -E '\(.*\bstria_(view|array|coo|csr|plan|copy_plan|exec) \*' |
    grep -oP '^[^;{]*?\bstria_\w+(?= *\()' | grep -oE 'stria_\w+$' |
    grep -vxE 'stria_(results_at|graph_geometry)' | sort -u) # they give a view, and take none
tested=$({
    grep -hoP '\b(ROW|QUESTION|PLAN|VOID)\(\Kstria_\w+' tests/door_rows.h tests/test_door.c
    # Rows of lists: by element and reductions with their forms that make arrays, checked ones, scans.
    grep -hoP '\bNAME\(STRIA_\w+, \K\w+' include/stria/op.h include/stria/reduce.h | sed 's/.*/stria_&\nstria_&_new/'
    grep -hoP '\bNAME\(STRIA_\w+, \K\w+(?=, [12]\))' include/stria/checked.h | sed 's/.*/stria_&_checked_new/'
    grep -hoP '\bNAME\(STRIA_\w+, \K\w+' include/stria/scan.h | sed 's/.*/stria_&_new/'
} | sort -u)
if ! diff <(echo "$declared") <(echo "$tested") >&2; then
    fail "declared (<) and tested (>) functions differ: give tests/door_rows.h a row for each"
fi
echo "$(wc -l <<<"$declared") functions are tested with bad operands"
