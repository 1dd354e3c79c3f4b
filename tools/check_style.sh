#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Every C and C++ file is as clang-format 14 leaves it, Debian 12's, because versions differ; names
# and comments keep two rules; the scripts give nothing for shellcheck to say. Exits with 77 where one of the two
# programs is not there.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

skipped=0
files=$(find bench bindings examples include src tests tools -name '*.[ch]' -o -name '*.inc' -o -name '*.hpp' -o -name '*.cc' | sort)
format=$(command -v clang-format-14 || command -v clang-format || true)
version=$("${format:-false}" --version 2>/dev/null | sed -E 's/.*version ([0-9]+).*/\1/' || true)
if [ "$version" = 14 ]; then
    xargs "$format" --dry-run --Werror <<<"$files" || fail "clang-format -i on the files above"
    echo "$(wc -l <<<"$files") files are formatted"
else
    echo "formats are not checked: clang-format 14 is needed, here is ${version:-none}"
    skipped=77
fi

# A function of a file says of what it runs or checks, and a comment is a sentence with a subject.
! grep -rnE '^static [^=;]*[ *](run|check|begin|refuse|request)\(' src || fail "say of what the functions above are"
! grep -rnE '(/\*+|^ *\*) (Of|What) [a-z]' src include tools tests bindings --include='*.[ch]' --include='*.inc' ||
    fail "give the comments above a subject"

scripts=$(find .ci packaging tests tools -type f -name '*.sh' -o -path '.ci/*' | sort)
if has_command shellcheck >/dev/null; then
    # Patterns of awk and sed and Markdown's backticks stand in single quotes.
    xargs shellcheck --external-sources --source-path=SCRIPTDIR --exclude=SC2016 <<<"$scripts"
    echo "$(wc -l <<<"$scripts") scripts are clean"
else
    echo "scripts are not checked: shellcheck is needed"
    skipped=77
fi
exit "$skipped"
