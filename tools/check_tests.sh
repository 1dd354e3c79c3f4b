#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The table of docs/testing.md names a test for every source file of the library: each file of src is
# matched by a pattern of its first column, each pattern matches a file, and each test of its second
# column, which may be a pattern too, is there. Each promise of docs/guarantees.md is held by a test that is there, and so is each
# test that it names.
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

# Names of tests with variables in them serve as patterns; those of tests/test_*.c and tests/fuzz are their sources'.
page=docs/guarantees.md
mapfile -t patterns < <(grep -rhoE 'add_test\(NAME [^ )]+' --include=CMakeLists.txt tests | sed -E 's/.*NAME //; s/\$\{[^}]*\}/*/g' |
    grep -vx -F '*')
promises=0
while IFS='|' read -r _ promise _ tests _; do
    promises=$((promises + 1))
    held=
    while IFS= read -r test; do
        case $test in */*) continue ;; esac
        held=$(find tests -name "$test.c" -o -name "$test.py")
        for pattern in "${patterns[@]}"; do
            # shellcheck disable=SC2053 # a pattern
            if [[ $test == $pattern ]]; then held=$pattern; fi
        done
        [ -n "$held" ] || wrong "there is no test $test"
    done < <(quoted "$tests")
    [ -n "$held" ] || wrong "nothing holds$promise"
done < <(grep -E '^\| \*\*' "$page")
echo "${#tested[@]} files and folders, $promises promises, $errors errors"
[ "$errors" = 0 ] && [ "${#tested[@]}" -gt 0 ] && [ "$promises" -gt 0 ]
