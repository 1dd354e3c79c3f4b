#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/python_asan.sh BUILD PYTHON [SECONDS]
#
# Builds the Python package with AddressSanitizer, into a folder of BUILD, and runs its fuzzers for SECONDS
# each, 600 where nothing is said: python_asan.sh build-test python3 60. 77: PYTHON has no headers.
set -euo pipefail
build=$(realpath "$1")/python-asan seconds=${3:-600}
source=$(cd "$(dirname "$0")/../.." && pwd)
python=$("$2" -c 'import sys; print(sys.executable)') # the interpreter itself, not a script that starts it
"$python" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' || exit 77
cmake -S "$source" --preset asan -B "$build" -G Ninja -DSTRIA_PYTHON="$python" -DPython_EXECUTABLE="$python" \
    -DSTRIA_BUILD_PYTHON=ON -DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_TOOL=OFF >"$build.log"
cmake --build "$build" --target stria_python >>"$build.log" || { tail -n 40 "$build.log"; exit 1; }
cp "$source"/bindings/python/stria/*.py "$build/bindings/python/stria"

# Python itself is built without a sanitizer: it allocates with malloc, so that AddressSanitizer sees each object.
runtime=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
for script in fuzz_changing.py fuzz.py; do
    echo "$script"
    env LD_PRELOAD="$runtime" ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=500 PYTHONMALLOC=malloc \
        STRIA_FUZZ_ALL_MEMORY=1 OMP_WAIT_POLICY=passive PYTHONPATH="$build/bindings/python" PYTHONDONTWRITEBYTECODE=1 \
        "$python" -X faulthandler "$source/bindings/python/tests/$script" "$seconds" "$(date +%j)000"
done
