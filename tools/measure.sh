#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/measure.sh
#
# Measures what docs/performance.md tells, on this machine: all suites at the best instruction set, at
# avx2 and on two threads, and the same cases beside the libraries that are there. Up to an hour.
# Results are left in build-performance/figures/: documents (*.json), report.html, performance.svg,
# performance.md, the section of docs/performance.md for this machine.
#
# All of it is gone through three times, one pass after the other, so that a bad minute of the machine
# spoils one of a case's passes; a figure is the median of them (bench/passes.py). Results are held
# against NumPy's in the first.
#
#   STRIA_PYTHON=...    another Python with NumPy; STRIA_TORCH=1 installs PyTorch beside NumPy
#   STRIA_HPTT_DIR=...  a checkout of HPTT that was built
#   STRIA_BESIDE=...    a command to run each measurement under, such as "taskset -c 1"
#   STRIA_PASSES=N      so many passes instead of 3
#   STRIA_STEPS=...     only these: best, avx2, threads, peers, page; all when left out
#   STRIA_RESUME=1      keeps what an interrupted run has measured
#
# A step is several measurements of up to a minute each, a document each.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

build="build-performance"
out=$build/figures
steps=${STRIA_STEPS:-best avx2 threads peers page}
passes=${STRIA_PASSES:-3}
read -r -a beside <<<"${STRIA_BESIDE:-}"

want_build
want g++ has_command c++
want libbenchmark-dev has_header_cxx benchmark/benchmark.h
want python3 has_command python3
install_missing
need_python numpy
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

# measure NAME COMMAND...: makes the document NAME.json, unless it exists.
measure() {
    local file=$out/$1.json
    shift
    if [ -s "$file" ]; then return; fi
    echo "$file"
    "${beside[@]}" "$@" >"$file.part"
    mv "$file.part" "$file"
}

# join NAME PART...: makes one document of several.
parts=()
join() {
    local name=$1 part reports=()
    shift
    for part in "$@"; do reports+=(--report "$out/$part.json"); done
    "$build"/stria bench "${reports[@]}" --json >"$out/$name.json"
}

# suites NAME [OPTION...]: measures every suite, TTC by the first digit of its cases' numbers.
suites() {
    local name=$1 suite digit
    shift
    parts=()
    for suite in layouts convert fill small elementwise reduce; do
        parts+=("$name-$suite")
        measure "$name-$suite" "$build"/stria bench --suite "$suite" --seconds 0.3 --json "$@"
    done
    for digit in 1 2 3 4 5 6 7 8 9; do
        parts+=("$name-ttc-$digit")
        measure "$name-ttc-$digit" "$build"/stria bench --suite ttc --filter "#$digit" --seconds 0.3 --json "$@"
    done
    join "$name" "${parts[@]}"
}

# compare NAME COUNT [OPTION...]: measures beside other libraries, in so many parts.
compare() {
    local name=$1 count=$2 k
    shift 2
    for ((k = 1; k <= count; k++)); do
        parts+=("$name-$k")
        measure "$name-$k" "$python" bench/compare.py --build "$build" --quiet --json /dev/stdout --part "$k/$count" "$@"
    done
}

# compare_all NAME [OPTION...]: compares all; TTC is large: every case beside HPTT, a few beside all.
compare_all() {
    local name=$1
    shift
    parts=()
    if [ -e "$build"/bench/peers/peer_hptt.so ]; then
        compare "$name-ttc" 2 --suite ttc --peers hptt --rounds 2 "$@"
    fi
    compare "$name-some" 1 --suite ttc --sample 7 --rounds 1 "$@"
    compare "$name-layouts" 2 --suite layouts --rounds 2 "$@"
    compare "$name-rest" 1 --suite convert --suite fill --suite small --rounds 3 "$@"
    compare "$name-math" 1 --suite elementwise --suite reduce --rounds 3 "$@"
    join "$name" "${parts[@]}"
}

# medians NAME: makes one document of all passes.
medians() {
    local pass documents=()
    for ((pass = 1; pass <= passes; pass++)); do documents+=("$out/$1-$pass.json"); done
    "$python" bench/passes.py "${documents[@]}" | "$build"/stria bench --report - --json >"$out/$1.json"
}

for ((pass = 1; pass <= passes; pass++)); do
    checked=()
    if [ "$pass" -gt 1 ]; then checked=(--unchecked); fi
    for step in $steps; do
        if [ "$step" != page ]; then say "$step, pass $pass of $passes"; fi
        case $step in
        best) suites "best-$pass" ;;
        avx2) suites "avx2-$pass" --isa avx2 ;;
        threads) suites "threads-$pass" --threads 2 ;;
        peers) compare_all "peers-$pass" "${checked[@]}" ;;
        page) ;;
        *) fail "there is no step '$step'" ;;
        esac
    done
done

for step in $steps; do
    case $step in
    page)
        say "$step"
        options=(--best "$out/best.json")
        if [ -s "$out/avx2.json" ]; then options+=(--avx2 "$out/avx2.json"); fi
        if [ -s "$out/threads.json" ]; then options+=(--threads "$out/threads.json"); fi
        if [ -s "$out/peers.json" ]; then options+=(--peers "$out/peers.json"); fi
        "$python" bench/performance.py "${options[@]}" | tee "$out/performance.md"
        "$build"/stria bench --report "$out/best.json" >"$out/best.txt"
        "$python" bench/report.py "$out/best.json" --html "$out/report.html" --svg "$out/performance.svg"
        if [ -s "$out/peers.json" ]; then
            "$build"/stria bench --report "$out/peers.json" >"$out/peers.txt"
            "$python" bench/report.py "$out/peers.json" --html "$out/peers.html"
        fi
        ;;
    *) medians "$step" ;;
    esac
done
