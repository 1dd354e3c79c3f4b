#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/check_headers.sh [CC [CXX]]
#
# Every public header compiles alone and twice, as C11 and as C++17, without a warning, and all of them
# together as C99 to C23 and C++11 to C++23, by gcc and by clang with everything that they warn of. Functions
# that fill an owner say so to the compiler.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cc=${1:-cc} cxx=${2:-c++}
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iinclude -fsyntax-only)
for folder in $(mpicc.openmpi --showme:incdirs 2>/dev/null); do warnings+=(-isystem "$folder"); done

# Headers between Stria and another library, which stria.h leaves to those who have that library; they
# compile where its own header is found.
declare -A doors=([stria_fortran.h]=ISO_Fortran_binding.h [stria_fftw.h]=fftw3.h [stria_lapack.h]=lapacke.h [stria_mpi.h]=mpi.h)

count=0
for header in include/stria/*.h include/stria/mpi/*.h; do
    door=${doors[${header##*/}]:-}
    [[ $header != */mpi/* ]] || door=mpi.h
    if [ -n "$door" ] && ! has_header "$door" "$cc" "${warnings[@]}" >/dev/null 2>&1; then
        echo "$header is left out: there is no $door"
        continue
    fi
    text=$(printf '#include "%s"\n' "${header#include/}" "${header#include/}"; echo 'typedef int not_empty;')
    "$cc" -std=c11 "${warnings[@]}" -Wstrict-prototypes -x c - <<<"$text" ||
        fail "$header does not stand alone as C11"
    "$cxx" -std=c++17 "${warnings[@]}" -x c++ - <<<"$text" ||
        fail "$header does not stand alone as C++17"
    [ -n "$door" ] || grep -q "\"${header##*/}\"" include/stria/stria.h || [ "${header##*/}" = stria.h ] ||
        [[ ${header##*/} = @(export|fft|linalg).h ]] || fail "stria.h does not include $header"
    count=$((count + 1))
done

# together COMPILER LANGUAGE STANDARD...: all that stria.h has, and the doors that are there, with every warning.
# Standards that the compiler does not know are left out.
together() {
    local compiler=$1 language=$2 standard text=$'#include "stria/stria.h"\n#include "stria/fft.h"\n#include "stria/linalg.h"'
    shift 2
    for header in "${!doors[@]}"; do
        [ "$header" = stria_mpi.h ] || ! has_header "${doors[$header]}" "$compiler" >/dev/null 2>&1 ||
            text+=$'\n#include "stria/'$header'"'
    done
    text+=$'\ntypedef int not_empty;'
    for standard; do
        "$compiler" -std="$standard" -fsyntax-only -x "$language" - <<<'' 2>/dev/null || continue
        "$compiler" -std="$standard" -Iinclude -fsyntax-only -Werror "${strict[@]}" -x "$language" - <<<"$text" ||
            fail "the headers are not silent as $standard by $compiler"
        modes=$((modes + 1))
    done
}
modes=0
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual -Wcast-align -Wwrite-strings
        -Wdouble-promotion -Wformat=2 -Wredundant-decls)
for compiler in gcc g++ clang clang++; do
    has_command "$compiler" >/dev/null || continue
    case $compiler in
    gcc) more=(-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wjump-misses-init) ;;
    g++) more=(-Wold-style-cast -Wuseless-cast -Wzero-as-null-pointer-constant -Wextra-semi -Wmissing-declarations) ;;
    # Warnings of what is not older C or C++, and of padding, are of no use here.
    *) more=(-Weverything -Wno-padded -Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-declaration-after-statement
             -Wno-pre-c2x-compat -Wno-unsafe-buffer-usage -Wno-unknown-warning-option) ;;
    esac
    basic=("${strict[@]}")
    strict+=("${more[@]}")
    case $compiler in
    *++) together "$compiler" c++ c++11 c++14 c++17 c++20 c++2b ;;
    *) together "$compiler" c c99 c11 c2x ;;
    esac
    strict=("${basic[@]}")
done
if "$cc" -std=c11 -Iinclude -fshort-enums -fsyntax-only -x c - <<<'#include "stria/stria.h"' 2>/dev/null; then
    fail "-fshort-enums is not refused"
fi

# Those of C++ alone and twice, in their folder too.
for header in include/stria/*.hpp include/stria/cpp/*.hpp; do
    name=${header#include/}
    "$cxx" -std=c++17 "${warnings[@]}" -Wold-style-cast -x c++ - <<<"$(printf '#include "%s"\n' "$name" "$name")" ||
        fail "$header does not stand alone as C++17"
    count=$((count + 1))
done
unmarked=$(cat include/stria/*.h | tr '\n' ' ' | grep -oE 'STRIA_API [^;]*;' |
    grep -E 'stria_status +stria_\w+\( *stria_(array|coo|csr|results) \*' | grep -v STRIA_FILLS |
    grep -oE 'stria_\w+\(' | grep -vE '^stria_(resize|resize_zeroed|set)\($' || true) # these change an existing array
[ -z "$unmarked" ] || fail "no STRIA_FILLS: $unmarked"

# gcc says of each of these that a was never initialized, as array.h promises.
forms='#include "stria/stria.h"
int f1(stria_dtype d, const int64_t *s) { stria_array a; return stria_zeros(&a, d, 1, s); }
int f2(void) { stria_array a; return stria_zeros(&a, stria_dtype_of(STRIA_F32), 0, NULL); }
int f3(const int64_t *s) { stria_array a; const stria_dtype d = stria_dtype_of(STRIA_F32); return stria_empty(&a, d, 1, s); }
int f4(void) { stria_array a; return stria_npy_read(&a, "x", STRIA_NPY_READ, NULL); }
int f5(void) { stria_array a; return stria_arange_i64(&a, stria_dtype_of(STRIA_I64), 0, 5, 1, NULL); }
int f6(const stria_view *v) { stria_array a; return stria_elementwise_new(&a, STRIA_ABS, 1, &v, NULL); }
int f7(const stria_function *f) { stria_results a; return stria_call(&a, f, STRIA_PROMOTE_NUMPY, 0, NULL, NULL); }
int f8(void) { stria_results a; return stria_eval(&a, "1", 0, NULL, NULL); }'
if "$cc" --version | grep -q 'Free Software'; then
    warned=$(LC_ALL=C "$cc" -std=c11 -O2 -Wall -Iinclude -c -o /dev/null -x c - <<<"$forms" 2>&1 |
        grep -c 'warning: .a. .*used uninitialized' || true)
    [ "$warned" = 8 ] || fail "of 8 owners that nobody initialized $cc warns of $warned"
fi
echo "$count headers stand alone as C11 or C++17, and are silent together in $modes modes"
[ "$count" -gt 0 ]
