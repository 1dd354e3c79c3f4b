#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/oss_fuzz.sh [SECONDS]: packaging/oss-fuzz/build.sh as OSS-Fuzz runs it, with clang and AddressSanitizer; every target
# runs for SECONDS, 10 where nothing is said. 77: there is no clang with libFuzzer, or no cmocka or zip.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

seconds=${1:-10}
clang=$(command -v clang-19 || command -v clang || true)
program='#include <stddef.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) { return (void)data, (void)size, 0; }'
export WORK=$root/build-oss-fuzz OUT=$root/build-oss-fuzz/out CC=$clang CXX=$clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer
export CFLAGS='-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link'
rm -rf "$OUT"
mkdir -p "$OUT"
# shellcheck disable=SC2086 # words
if [ -z "$clang" ] || ! has_command zip >/dev/null || ! has_header cmocka.h cc -include stdarg.h -include stddef.h -include stdint.h \
    -include setjmp.h || ! "$clang" $CFLAGS $LIB_FUZZING_ENGINE -x c - -o "$WORK/probe" <<<"$program" >/dev/null 2>&1; then
    echo "clang with libFuzzer, cmocka or zip is not installed"
    exit 77
fi
packaging/oss-fuzz/build.sh >"$WORK/build.log" 2>&1 || {
    tail -n 40 "$WORK/build.log"
    fail "packaging/oss-fuzz/build.sh"
}
failed=0 count=0
for target in "$OUT"/fuzz_*; do
    [ -x "$target" ] || continue
    ! readelf -d "$target" | grep cmocka || fail "$target needs a library that OSS-Fuzz's machines lack"
    options=(-max_total_time="$seconds" -rss_limit_mb=4096 -artifact_prefix="$WORK/")
    if [ -e "$target.dict" ]; then options+=(-dict="$target.dict"); fi
    corpus=$(mktemp -d -p "$WORK")
    if [ -e "${target}_seed_corpus.zip" ]; then (cd "$corpus" && unzip -q "${target}_seed_corpus.zip"); fi
    if ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0 "$target" "${options[@]}" "$corpus" >"$target.log" 2>&1; then
        echo "$(basename "$target"): $(sed -n 's/^Done \([0-9]* runs in .*\)/\1/p' "$target.log")"
    else
        tail -n 40 "$target.log"
        failed=$((failed + 1))
    fi
    rm -rf "$corpus"
    count=$((count + 1))
done
echo "$count targets, $failed failed"
[ "$failed" = 0 ] && [ "$count" -gt 0 ]
