#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The table of docs/testing.md names a test for every source file of the library: each file of src is
# matched by a pattern of its first column, each pattern matches a file, and each test of its second
# column, which may be a pattern too, is there.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

page=docs/testing.md
errors=0
wrong() {
    echo "$page: $*" >&2
    errors=$((errors + 1))
}
quoted() { grep -oE '`[^`]+`' <<<"$1" | tr -d '`'; }

declare -A tested
while IFS='|' read -r _ sources tests _; do
    while IFS= read -r pattern; do
        found=$(compgen -G "$pattern") || wrong "$pattern is no file"
        while IFS= read -r file; do tested[$file]=1; done <<<"$found"
    done < <(quoted "$sources")
    while IFS= read -r test; do
        case $test in
        oracle_*) found=$(compgen -G "tests/oracle/${test#oracle_}.py") ;;
        *) found=$(find tests -name "$test.c" -o -name "$test.py") ;;
        esac
        [ -n "$found" ] || wrong "there is no test $test"
    done < <(quoted "$tests")
done < <(grep -E '^\| `src/[^|]*\| `(test|fuzz)_' "$page")

while IFS= read -r file; do
    [ -n "${tested[$file]:-}" ] || wrong "$file has no test"
done < <(find src -name '*.[ch]' -o -name '*.inc' | sort)
echo "${#tested[@]} files and folders, $errors errors"
[ "$errors" = 0 ] && [ "${#tested[@]}" -gt 0 ]
