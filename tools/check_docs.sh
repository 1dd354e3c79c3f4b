#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Every relative link of the Markdown files leads to a file, and to a heading of it where it names one;
# every path in backticks that starts with a folder of the tree exists, and so does every file that a
# comment of the sources names. Whatever names the version of the library names that of version.h.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

pages=0
errors=0

# Prints the anchors that GitHub makes of the headings of a page.
anchors() {
    awk '/^```/ { code = !code }
         !code && /^#+ / {
             sub(/^#+ +/, "")
             gsub(/\]\([^)]*\)/, "") # the target of a link is not shown
             anchor = tolower($0)
             gsub(/[^a-z0-9 _-]/, "", anchor)
             gsub(/ /, "-", anchor)
             print anchor (seen[anchor]++ ? "-" seen[anchor] - 1 : "")
         }' "$1"
}

while IFS= read -r page; do
    pages=$((pages + 1))
    while IFS= read -r target; do
        file=$(dirname "$page")/${target%%#*}
        case $target in '#'*) file=$page ;; esac
        if [ ! -e "$file" ]; then
            echo "$page: no file at the link $target" >&2
            errors=$((errors + 1))
        elif [[ $target == *.md#* || $target == '#'* ]] && ! anchors "$file" | grep -qxF -e "${target#*#}"; then
            echo "$page: no heading at the link $target" >&2
            errors=$((errors + 1))
        fi
    done < <(grep -oE '\]\([^)]+\)' "$page" | sed -E 's/^\]\((.*)\)$/\1/' | grep -vE '^https?:')
    while IFS= read -r path; do
        # shellcheck disable=SC2086 # a path may be a pattern: tests/test_*.c
        if ! compgen -G "$path" >/dev/null; then
            echo "$page: there is no $path" >&2
            errors=$((errors + 1))
        fi
    done < <(grep -oE '`(\./)?(src|include|tests|tools|bench|docs|cmake|examples)/[A-Za-z0-9_./*-]*`' "$page" |
        tr -d '`')
done < <(find . -name '*.md' -not -path './build*' | sort)

named_in_comments() { # FILE NAME
    find bench examples include src tests tools \( -name '*.[ch]' -o -name '*.inc' -o -name '*.cc' \) \
        -exec grep -HoE '(^ \*|/\*).*' {} + | awk -F: '{
            text = substr($0, length($1) + 2) " "
            while (match(text, /[a-z0-9_][a-z0-9_][a-z0-9_]+\.(c|h|inc|cc|py|sh|md)[^A-Za-z0-9_]/)) {
                print $1, substr(text, RSTART, RLENGTH - 1)
                text = substr(text, RSTART + RLENGTH - 1)
            }
        }'
}
declare -A known
while IFS= read -r name; do known[$name]=1; done < <(find . -type f -not -path './build*' -printf '%f\n')
while read -r file name; do
    if [ -z "${known[$name]:-}" ]; then
        echo "$file: a comment names $name, which is not there" >&2
        errors=$((errors + 1))
    fi
done < <(named_in_comments)

version=$(sed -n 's/^#define STRIA_VERSION_M[AI][JN]OR *//p; s/^#define STRIA_VERSION_PATCH *//p' include/stria/version.h | paste -sd.)
while IFS=: read -r file line; do
    if ! grep -qE "(^|[^0-9.])${version//./\\.}([^0-9.]|$)" <<<"$line"; then
        echo "$file: another version than $version: $line" >&2
        errors=$((errors + 1))
    fi
done < <(grep -m 1 -HE '^ *"?(version|## \[[0-9]|pkgver|stria \()' CITATION.cff CHANGELOG.md bindings/fortran/fpm.toml \
    packaging/{arch/PKGBUILD,conan/conanfile.py,conda/recipe.yaml,debian/changelog,spack/package.py,vcpkg/vcpkg.json})
echo "$pages pages, $errors broken links, paths and versions"
[ "$errors" = 0 ] && [ "$pages" -gt 0 ]
