#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/wheels.sh BUILD PYTHON [WHEEL]
#
# Builds a wheel of an sdist in a bare environment, with a compiler and no other tool of the machine, or takes WHEEL, which was
# built so; has auditwheel judge it; and tries it on every Python from 3.11 on that is there, beside NumPy 1.26, 2.0 and the
# newest, before and after PyTorch where PYTHON has it, with kernels of each level of the machine, and on free-threaded builds.
# What cannot be had here is said. 77: PYTHON has no scikit-build-core or headers, or there is no index of packages.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"

work=$(realpath "$1")/wheels python=$2
tests=$root/bindings/python/tests
"$python" -c 'import os, scikit_build_core, sys, sysconfig
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2>/dev/null || exit 77
rm -rf "$work"
mkdir -p "$work/tools"

say "sdist and wheel"
"$python" -c 'import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])' "$work" >"$work/sdist.log" 2>&1
sdist=$(echo "$work"/*.tar.gz)
"$python" -m venv "$work/bare"
for tool in cc gcc c++ g++ as ld ar ranlib nm strip objcopy objdump readelf sh bash env uname; do
    found=$(command -v "$tool") && ln -s "$found" "$work/tools/$tool"
done
given=${3:-}
if [ -n "$given" ]; then mkdir "$work/wheel" && cp "$given" "$work/wheel"; fi
TIMEFORMAT='%U + %S seconds of the CPU'
[ -n "$given" ] || time env -i HOME="$HOME" PATH="$work/tools" "$work/bare/bin/python" -m pip wheel -q --no-deps \
    --disable-pip-version-check -w "$work/wheel" "$sdist" >"$work/wheel.log" 2>&1 || {
    tail -n 5 "$work/wheel.log"
    if grep -q 'No matching distribution\|Temporary failure' "$work/wheel.log"; then exit 77; fi
    fail "the sdist does not build with a compiler alone"
}
wheel=$(echo "$work"/wheel/*.whl)
size=$(stat -c %s "$wheel")
echo "${wheel##*/}: $size bytes"
[ "$size" -le $((4 << 20)) ] || fail "the wheel has $size bytes, more than 4 MiB"
"$work/bare/bin/python" -m pip install -q --no-deps --no-index --disable-pip-version-check "$wheel"
(cd "$work" && "$work/bare/bin/python" -m stria 0.5)
# It loads with the C library of manylinux_2_17, by what the extension asks for and by auditwheel's verdict. An OpenMP runtime
# is the system's, whose needs are not the wheel's.
newest=$(readelf -VW "$work"/bare/lib/python3.*/site-packages/stria/_core*.so | grep -o 'GLIBC_2\.[0-9]*' | sort -V | tail -n 1)
echo "the newest symbols are those of $newest"
[ "$(printf '%s\n' GLIBC_2.17 "$newest" | sort -V | tail -n 1)" = GLIBC_2.17 ] || fail "the wheel needs $newest"
wheel=$(repair_wheel "$python" "$wheel" "$work")
echo "tested: ${wheel##*/}"
[[ ! $wheel =~ /repaired/ || $wheel =~ manylinux_2_(17|5|12)_ ]] || fail "auditwheel finds newer symbols"

# environment NAME PYTHON PACKAGE...: makes one with the wheel; false where the index has no such packages.
environment() {
    local name=$1
    "$2" -m venv "$work/$name"
    shift 2
    "$work/$name/bin/python" -m pip install -q --disable-pip-version-check pytest "$wheel" "$@" >"$work/$name.log" 2>&1
}
# try NAME TESTS OPTION...: runs tests in an environment.
try() {
    local name=$1 files=() file
    for file in $2; do files+=("$tests/test_$file.py"); done
    shift 2
    (cd "$work" && PYTHONDONTWRITEBYTECODE=1 "$work/$name/bin/python" -m pytest -q -p no:cacheprovider \
        -c "$root/pyproject.toml" --rootdir "$tests" "$@" "${files[@]}")
}

# Tests skip, with a reason, what a NumPy has by rules of its own.
for minor in 11 12 13 14 15; do
    other=$(python_of "$minor") || { say "no Python 3.$minor here"; continue; }
    if environment "py3$minor" "$other" numpy array-api-strict threadpoolctl; then
        say "Python 3.$minor and the newest NumPy"
        try "py3$minor" "plain numpy ufunc standard small names linalg fft processes" -rs
    else
        say "Python 3.$minor: no NumPy or pytest can be had"
    fi
done
for version in 1.26 2.0; do
    if environment "np$version" "$python" "numpy==$version.*"; then
        say "NumPy $version"
        case $version in
        1.26) try np1.26 "plain numpy ufunc standard small" -rs ;;
        *) try "np$version" "plain numpy ufunc standard small names linalg fft" -rs ;;
        esac
    else
        say "NumPy $version: cannot be had for this Python"
    fi
done

say "PyTorch, loaded before and after"
if "$python" -c 'import torch' 2>/dev/null; then
    "$python" -m pip install -q --no-deps --no-index --disable-pip-version-check --target "$work/site" "$wheel"
    for order in "torch, stria" "stria, torch" "numpy, torch, stria" "stria, numpy, torch"; do
        (cd "$work" && PYTHONPATH=$work/site "$python" -c "import $order
x = stria.arange(1 << 20, dtype='float64')
t = torch.from_dlpack(x) * 2 + 1
assert (torch.mm(t.reshape(1024, 1024), t.reshape(1024, 1024)) >= 0).all()
assert bool(stria.all(stria.asarray(t) == x * 2 + 1)) and float((x.reshape(1024, 1024) @ x.reshape(1024, 1024)).sum()) > 0")
        echo "$order"
    done
else
    echo "$python has no PyTorch"
fi

say "kernels of other levels"
for level in base avx2 avx512; do
    # A machine without the level takes the best that it has.
    found=$(cd "$work" && STRIA_ISA=$level "$work/bare/bin/python" -c 'import stria; print(stria.isa_name())')
    [ "$found" = "$level" ] || echo "no $level here: $found"
    (cd "$work" && STRIA_ISA=$level "$work/bare/bin/python" -m stria 0.5 >/dev/null) || fail "level $level"
    echo "$found"
done

say "free-threaded builds"
for minor in 13 14 15; do
    if free=$(command -v "python3.${minor}t") && "$free" -m venv "$work/free$minor"; then
        "$work/free$minor/bin/python" -m pip install -q --disable-pip-version-check pytest "$sdist"
        try "free$minor" "plain small changing"
    else
        echo "no Python 3.${minor}t here"
    fi
done
# The code of such builds is compiled in any case, with the headers of a usual one.
if other=$(python_of 13) && include=$("$other" -c 'import sysconfig; print(sysconfig.get_path("include"))') && [ -e "$include/Python.h" ]; then
    mkdir -p "$work/free"
    for table in docs examples; do
        source=include/stria
        if [ "$table" = examples ]; then source=bindings/python/examples.txt; fi
        "$python" bindings/python/tools/docs.py "$source" "$work/free/$table.inc"
    done
    for file in bindings/python/src/*.c; do
        cc -std=c11 -fsyntax-only -Wall -Wextra -Werror -Wno-missing-field-initializers -Wno-cast-function-type -DPy_GIL_DISABLED=1 \
            -DNDEBUG -I"$include" -Iinclude -Isrc -I"$work/free" "$file"
    done
    echo "compiled with Py_GIL_DISABLED"
fi
