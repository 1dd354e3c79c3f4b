#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/check_symbols.sh LIBSTRIA.SO LIBSTRIA.A [CC [TOOL]]
#
# The shared library exports exactly the functions that the public headers declare, and under a version of
# its own those that the tool calls besides (src/base/tool_api.h). It needs
# nothing that a library has no business with: whatever prints, exits, aborts, installs handlers or
# changes the state of the host. What it may need is listed below; a new line wants a reason. The
# archive, which hides nothing, defines only stria_ names, and a program that is linked with it has
# no file of what is optional unless it calls that. The tool is hardened.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
library=${1:?usage: tools/check_symbols.sh LIBSTRIA.SO LIBSTRIA.A [CC [TOOL]]}
archive=${2:?usage: tools/check_symbols.sh LIBSTRIA.SO LIBSTRIA.A [CC [TOOL]]}
cc=${3:-cc}
tool=${4:-}

allowed='
bytes     mem(cpy|move|set|cmp|chr|rchr)
text      __ctype_(b|tolower)_loc|str(len|nlen|cmp|ncmp|chr|rchr|cspn|spn|pbrk|str|tol|toll|toul|toull|dup)|v?snprintf
numbers   strtod|localeconv
errors    __errno_location|strerror_r|__xpg_strerror_r
memory    (aligned_|re|c|m)?alloc|free|posix_memalign|madvise|mmap(64)?|munmap
files     open(at)?(64)?|close|read|write|p(read|write)(64)?|lseek(64)?|f?stat(at)?(64)?|f(data)?sync
files     poll|msync|sync_file_range|ftruncate(64)?|(posix_)?fallocate(64)?|fchmod|fchown|(unlink|rename|link|readlink|faccess)at
profile   fopen(64)?|f(gets|eof|error|close)
names     getpid|getrandom|clock_gettime
settings  (secure_)?getenv|getrlimit(64)?
cpus      sysconf|getauxval|sched_getaffinity|__sched_cpu(count|alloc|free)
threads   pthread_(self|getattr_np|attr_(getstack|destroy)|once|atfork|key_create|setspecific|mutex_(lock|unlock))|__register_atfork
openmp    GOMP_[a-z_]+|omp_[a-z_]+|__kmpc_[a-z_0-9]+
hash      XXH[A-Za-z0-9_]+
archives  zip_[a-z_]+|libdeflate_crc32
loading   dl(open|sym|close)|dladdr|stria_linalg_table
pictures  png_[a-zA-Z_0-9]+|_setjmp|longjmp
linking   __cxa_finalize|__gmon_start__|_ITM_[A-Za-z]+|__tls_get_addr|__stack_chk_fail|__[a-z]+_chk
'
allowed="^($(awk 'NF {print $2}' <<<"$allowed" | paste -sd '|'))\$"

# Symbols that are needed are printed as "name@version".
needed=$(nm -D --undefined-only "$library" | awk '{print $NF}' | sed 's/@.*//')
if grep -vE "$allowed" <<<"$needed"; then
    fail "$library needs the symbols above; none of them is in the list of $0"
fi

# The functions declared STRIA_API, as the compiler sees them.
declared=$(printf '#include "stria/stria.h"\n' | "$cc" -std=c11 -Iinclude -E -P -x c - | tr '\n' ' ' |
    sed 's/__attribute__((visibility("default")))/\n&/g' | sed -n '/^__attribute__((visib/p' |
    grep -oP '^[^;{]*?\bstria_\w+(?= *\()' | grep -oE 'stria_\w+$' | sort -u)
# What the tool and libstria_linalg call besides has a version of its own and is nobody else's.
exported=$(nm -D --defined-only "$library" | awk '$2 != "A" {print $NF}' | grep -v '@STRIA_PRIVATE_' | sed 's/@.*//' | sort -u)
if ! diff <(echo "$declared") <(echo "$exported") >&2; then
    fail "declared (<) and exported (>) functions differ"
fi
if nm -D --defined-only "$library" | awk '$2 != "A"' | grep -v '@@STRIA_'; then
    fail "the symbols above have no version"
fi
linalg=${library/libstria/libstria_linalg}
declared=$(cat include/stria/fft.h include/stria/linalg.h src/lang/linalg_table.h | tr '\n' ' ' | grep -oE 'STRIA_API [^(;]*\(' |
    grep -oE 'stria_\w+ *\(' | tr -d ' (' | sort -u)
if ! diff <(echo "$declared") <(nm -D --defined-only "$linalg" | awk '$2 != "A" {print $NF}' | sed 's/@.*//' | sort -u) >&2; then
    fail "$linalg: declared (<) and exported (>) functions differ"
fi
if nm -D --undefined-only "$linalg" | awk '{print $NF}' | sed 's/@.*//' | grep -vE "$allowed|^stria_" ; then
    fail "$linalg needs the symbols above"
fi
if nm -g --defined-only "$archive" | awk 'NF == 3 {print $3}' | grep -v '^stria_'; then
    fail "$archive defines the names above, which may be somebody else's"
fi
# Functions of optional families are called only by files of the same family, and those of sparse arrays also by name.
stray=$(nm -A "$archive" 2>/dev/null | awk -F: '
    {n = split($0, word, " "); symbol = word[n]; kind = word[n - 1]}
    {family = $2 ~ /^csv_/ ? "csv" : $2 ~ /^png_/ ? "png" : $2 ~ /^npz_/ ? "npz" : $2 ~ /^safetensors_/ ? "safetensors" \
              : $2 ~ /^(coo_[a-z]+|csr|csr_convert|places|sparse_check)\.c/ ? "sparse" : ""}
    kind ~ /^[TDBR]$/ && family {home[symbol] = family}
    kind == "U" {count++; user[count] = $2; used[count] = symbol; from[count] = family}
    END {
        for (i = 1; i <= count; i++)
            if (home[used[i]] && home[used[i]] != from[i] &&
                !(home[used[i]] == "sparse" && user[i] ~ /^(registry_rows|rows_sparse)\.c/))
                print user[i], "calls", used[i], "of", home[used[i]]
    }')
if [ -n "$stray" ]; then
    fail "what is optional is called by the core:
$stray"
fi
# A program takes the families of kernels that it uses: copies need moves and casts alone.
program=$(mktemp)
"$cc" -std=c11 -Iinclude tests/consumer/copies.c "$archive" -fopenmp -lm -o "$program"
"$program" || fail "tests/consumer/copies.c fails"
if nm "$program" | grep -E ' stria__[a-z]+_tables$'; then fail "a program of copies has the families of kernels above"; fi
rm -f "$program"
# grep reads to the end, since a pipe that it left would end the other command in failure.
readelf -d "$library" | grep 'SONAME.*\[libstria\.so\.[0-9.]*\]' >/dev/null || fail "$library has no SONAME"
if readelf -lW "$library" | grep 'GNU_STACK.*E' >/dev/null; then fail "$library has an executable stack"; fi
if readelf -d "$library" | grep TEXTREL >/dev/null; then fail "$library has text relocations"; fi
if [ -n "$tool" ] && readelf -d "$tool" | grep 'NEEDED.*libstria' >/dev/null; then
    private=$(nm -D --defined-only "$library" | sed -n 's/.* \(stria__.*\)@@STRIA_PRIVATE_.*/\1/p' | sort)
    used=$(nm -D --undefined-only "$tool" "$linalg" | sed -n 's/.* \(stria__.*\)@STRIA_PRIVATE_.*/\1/p' | sort -u)
    if ! diff <(echo "$used") <(echo "$private") >&2; then
        fail "functions that the tool and libstria_linalg call (<) and those marked TOOL_API and STRIA_FOR_LINALG (>) differ"
    fi
fi
if [ -n "$tool" ]; then
    readelf -lW "$tool" | grep GNU_RELRO >/dev/null || fail "$tool has no RELRO"
    readelf -d "$tool" | grep -E 'BIND_NOW|NOW' >/dev/null || fail "$tool has no full RELRO"
    for part in __stack_chk_fail __snprintf_chk; do
        nm -D --undefined-only "$tool" | grep " $part\(@\|$\)" >/dev/null || fail "$tool does not need $part"
    done
fi
echo "$(wc -l <<<"$exported") functions exported, $(wc -l <<<"$needed") symbols needed"
