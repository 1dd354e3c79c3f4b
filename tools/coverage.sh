#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/coverage.sh [ctest arguments]
#
# Builds in build-coverage what counts how often each line and each branch of the library runs, its
# kernels aside, runs the tests, and tells the figures by folder. The tests of every input, of the
# package and of the tree are left out: they add nothing. For one file:
#     python3 tools/coverage.py build-coverage --missed src/ops/index/take.c
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
build="build-coverage"
cmake --preset test -B "$build" -DSTRIA_COVERAGE=ON -DSTRIA_BUILD_BENCH=OFF >/dev/null
cmake --build "$build" -j "$jobs"
find "$build" -name '*.gcda' -delete
ctest --test-dir "$build" -j "$jobs" -LE 'package|tree|bench' "$@" | tail -n 12 || true
python3 tools/coverage.py "$build"
