#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/check_headers.sh [CC [CXX]]
#
# Every public header compiles alone and twice, as C11 and as C++17, without a warning. Functions that
# fill an owner say so to the compiler.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cc=${1:-cc} cxx=${2:-c++}
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iinclude -fsyntax-only)

count=0
for header in include/stria/*.h; do
    text=$(printf '#include "%s"\n' "${header#include/}" "${header#include/}"; echo 'typedef int not_empty;')
    "$cc" -std=c11 "${warnings[@]}" -Wstrict-prototypes -x c - <<<"$text" ||
        fail "$header does not stand alone as C11"
    "$cxx" -std=c++17 "${warnings[@]}" -x c++ - <<<"$text" ||
        fail "$header does not stand alone as C++17"
    grep -q "\"${header##*/}\"" include/stria/stria.h || [ "${header##*/}" = stria.h ] ||
        [ "${header##*/}" = export.h ] || fail "stria.h does not include $header"
    count=$((count + 1))
done
"$cxx" -std=c++17 "${warnings[@]}" -x c++ - <<<$'#include "stria/stria.hpp"\n#include "stria/stria.hpp"' ||
    fail "stria.hpp does not stand alone as C++17"
unmarked=$(cat include/stria/*.h | tr '\n' ' ' | grep -oE 'STRIA_API [^;]*;' |
    grep -E 'stria_status +stria_\w+\( *stria_(array|coo|csr) \*' | grep -v STRIA_FILLS |
    grep -oE 'stria_\w+\(' | grep -vE '^stria_(resize|resize_zeroed|set)\($' || true) # these change what is there
[ -z "$unmarked" ] || fail "no STRIA_FILLS: $unmarked"
echo "$count headers stand alone as C11 and C++17"
[ "$count" -gt 0 ]
