#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Every relative link of the Markdown files leads to a file, and every path in backticks that starts
# with a folder of the tree exists.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

pages=0
errors=0
while IFS= read -r page; do
    pages=$((pages + 1))
    while IFS= read -r target; do
        if [ ! -e "$(dirname "$page")/${target%%#*}" ]; then
            echo "$page: no file at the link $target" >&2
            errors=$((errors + 1))
        fi
    done < <(grep -oE '\]\([^)]+\)' "$page" | sed -E 's/^\]\((.*)\)$/\1/' | grep -vE '^(https?:|#)')
    while IFS= read -r path; do
        # shellcheck disable=SC2086 # a path may be a pattern: tests/test_*.c
        if ! compgen -G "$path" >/dev/null; then
            echo "$page: there is no $path" >&2
            errors=$((errors + 1))
        fi
    done < <(grep -oE '`(\./)?(src|include|tests|tools|bench|docs|cmake|examples)/[A-Za-z0-9_./*-]*`' "$page" |
        tr -d '`')
done < <(find . -name '*.md' -not -path './build*' | sort)
echo "$pages pages, $errors broken links and paths"
[ "$errors" = 0 ] && [ "$pages" -gt 0 ]
