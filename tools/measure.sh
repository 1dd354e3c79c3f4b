#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/measure.sh
#
# Measures what docs/performance.md tells, on this machine: all suites at the best instruction set and
# at avx2, then the same cases beside the libraries that are there. About half an hour. Results are
# left in build-performance/figures/: documents (*.json), report.html, performance.svg, performance.md.
#
#   STRIA_PYTHON=...    another Python with NumPy; STRIA_TORCH=1 installs PyTorch beside NumPy
#   STRIA_HPTT_DIR=...  a checkout of HPTT that was built
#   STRIA_BESIDE=...    a command to run each measurement under, such as "taskset -c 1"
#   STRIA_STEPS=...     only these: best, avx2, peers, page; all when left out
#   STRIA_RESUME=1      keeps what an interrupted run has measured
#
# A step is several measurements of up to a minute each, a document each.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

build=build-performance
out=$build/figures
steps=${STRIA_STEPS:-best avx2 peers page}
read -r -a beside <<<"${STRIA_BESIDE:-}"

want_build
want g++ has_command c++
want libbenchmark-dev has_header_cxx benchmark/benchmark.h
want python3 has_command python3
install_missing
need_python
mkdir -p "$out"
say "building into $build/"
options=(-DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_BENCH=ON)
if [ -n "${STRIA_HPTT_DIR:-}" ]; then options+=("-DSTRIA_HPTT_DIR=$STRIA_HPTT_DIR"); fi
if ! { cmake -S . -B "$build" "${options[@]}" && cmake --build "$build" -j "$jobs" --target stria_tool stria peers; } \
    >"$out/build.log" 2>&1; then
    tail -n 40 "$out/build.log" >&2
    fail "the build failed; all of its output is in $out/build.log"
fi

if [ -z "${STRIA_RESUME:-}" ]; then
    for step in $steps; do rm -f "$out/$step"*.json; done
fi

# measure NAME COMMAND...: the document NAME.json, unless it is there.
measure() {
    local file=$out/$1.json
    shift
    if [ -s "$file" ]; then return; fi
    echo "$file"
    "${beside[@]}" "$@" >"$file.part"
    mv "$file.part" "$file"
}

# join NAME PART...: one document of several.
join() {
    local name=$1 part reports=()
    shift
    for part in "$@"; do reports+=(--report "$out/$part.json"); done
    "$build"/stria bench "${reports[@]}" --json >"$out/$name.json"
}

# suites NAME [OPTION...]: every suite, TTC by the first digit of its cases' numbers.
suites() {
    local name=$1 parts=() suite digit
    shift
    for suite in layouts convert fill small; do
        parts+=("$name-$suite")
        measure "$name-$suite" "$build"/stria bench --suite "$suite" --json "$@"
    done
    for digit in 1 2 3 4 5 6 7 8 9; do
        parts+=("$name-ttc-$digit")
        measure "$name-ttc-$digit" "$build"/stria bench --suite ttc --filter "#$digit" --json "$@"
    done
    join "$name" "${parts[@]}"
}

# compare NAME COUNT [OPTION...]: with other libraries, in so many parts.
compared=()
compare() {
    local name=$1 count=$2 k
    shift 2
    for ((k = 1; k <= count; k++)); do
        compared+=("$name-$k")
        measure "$name-$k" "$python" bench/compare.py --build "$build" --quiet --json /dev/stdout --part "$k/$count" "$@"
    done
}

for step in $steps; do
    say "$step"
    case $step in
    best) suites best ;;
    avx2) suites avx2 --isa avx2 ;;
    peers)
        # TTC is large: every case beside HPTT, a few beside all.
        if [ -e "$build"/bench/peers/peer_hptt.so ]; then
            compare peers-ttc 6 --suite ttc --peers hptt --rounds 5
        fi
        compare peers-some 2 --suite ttc --sample 7 --rounds 3
        compare peers-layouts 8 --suite layouts --rounds 5
        compare peers-rest 3 --suite convert --suite fill --suite small
        join peers "${compared[@]}"
        ;;
    page)
        options=(--best "$out/best.json")
        if [ -s "$out/avx2.json" ]; then options+=(--avx2 "$out/avx2.json"); fi
        if [ -s "$out/peers.json" ]; then options+=(--peers "$out/peers.json"); fi
        "$python" bench/performance.py "${options[@]}" | tee "$out/performance.md"
        "$build"/stria bench --report "$out/best.json" --html "$out/report.html" --svg "$out/performance.svg" >"$out/best.txt"
        if [ -s "$out/peers.json" ]; then
            "$build"/stria bench --report "$out/peers.json" --html "$out/peers.html" >"$out/peers.txt"
        fi
        ;;
    *) fail "there is no step '$step'" ;;
    esac
done
