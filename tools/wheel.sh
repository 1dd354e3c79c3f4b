#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/wheel.sh BUILD [PYTHON]
#
# Makes the wheel of the Python package with the library that folder BUILD holds, compiled already, and runs
# the package's tests of what is installed from it: on PYTHON, which has scikit-build-core and pytest, and
# on one that is newer, if there is one that can have pytest. 77: PYTHON lacks these. Where auditwheel can be had, the
# wheel is repaired. It is tried in bare environments of PYTHON and of
# each version from 3.11 on that the machine has. tests/nightly/wheels.sh builds it of an sdist, and tries more.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

build=$(realpath "$1") python=${2:-python3}
if ! "$python" -c 'import scikit_build_core, pytest, sysconfig, os, sys
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2>/dev/null; then
    echo "$python has no scikit-build-core, pytest or headers: no wheel"
    exit 77
fi
work=$build/python
rm -rf "$work/wheel" "$work/site" "$work/newer"
mkdir -p "$work/wheel"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"

# CFLAGS and LDFLAGS are those of the library, for the runtime of a sanitizer.
CMAKE_PREFIX_PATH=$work/prefix "$python" -m pip wheel . -q --no-deps --no-build-isolation --disable-pip-version-check \
    --no-index -w "$work/wheel" -C build-dir="$work/build" -C cmake.define.STRIA_INSTALLED=ON \
    -C cmake.define.STRIA_WERROR=ON </dev/null
wheel=$(echo "$work"/wheel/*.whl)
size=$(stat -c %s "$wheel")
echo "${wheel##*/}: $size bytes"
[ "$size" -le $((5 << 20)) ] || fail "the wheel is larger than 5 MiB" # whatever compiler BUILD has
wheel=$(repair_wheel "$python" "$wheel" "$work")
echo "tested: ${wheel##*/}"

# An environment without any other package has all that the package needs.
try_bare() { # PYTHON [SECONDS]
    rm -rf "$work/bare"
    "$1" -m venv "$work/bare"
    "$work/bare/bin/pip" install -q --no-deps --no-index --disable-pip-version-check "$wheel"
    (cd "$work" && "$work/bare/bin/python" -m stria "${2:-0.5}")
}

# The package is found where it was installed, and nowhere else: tests run outside of the tree.
run_tests() { # PYTHON SITE
    (cd "$work" && PYTHONPATH=$2 PYTHONDONTWRITEBYTECODE=1 "$1" -m pytest -q -x -p no:cacheprovider \
        -c "$root/pyproject.toml" --rootdir "$root/bindings/python/tests" "$root/bindings/python/tests")
}
"$python" -m pip install -q --no-deps --no-index --disable-pip-version-check --target "$work/site" "$wheel"
run_tests "$python" "$work/site"
try_bare "$python"

# With the library that is installed: one copy of the kernels for it, the tool and the package.
# The path of the library is told, since CMake takes a prefix below its sources for a part of the project.
if [ "${STRIA_SWEEP:-}" = full ] && [ -e "$build/libstria.so" ]; then
    cmake -S . -B "$work/shared" -DCMAKE_BUILD_TYPE=Release -DSTRIA_INSTALLED=ON -DSTRIA_PYTHON_SHARED=ON \
        -DPython_EXECUTABLE="$("$python" -c "import sys; print(sys.executable)")" \
        -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_INSTALL_RPATH="$(echo "$work"/prefix/lib*)" \
        -DCMAKE_INSTALL_PREFIX="$work/shared/site" >"$work/shared.log"
    cmake --build "$work/shared" -j "$jobs" >>"$work/shared.log"
    cmake --install "$work/shared" --component python >>"$work/shared.log"
    run_tests "$python" "$work/shared/site"
    size=$(cat "$work"/prefix/lib*/libstria.so.*.*.* "$work"/prefix/bin/stria "$work"/shared/site/stria/_core*.so | wc -c)
    echo "library, tool and package: $size bytes"
    [ "$size" -le 12000000 ] || fail "library, tool and package are larger than 12 MB"
fi

# Every Python on the machine that the wheel is for; for the newest, pytest is fetched.
newest=
for minor in 11 12 13 14 15; do
    candidate=$(python_of "$minor") || continue
    newest=$candidate
    try_bare "$candidate" >/dev/null
    say "Python 3.$minor: a bare environment has all that the wheel needs"
done
newest=${STRIA_NEWER_PYTHON:-$newest}
others=() # these modules are missing, so that tests skip; nights have them
if [ "${STRIA_SWEEP:-}" = full ]; then others=(numpy dask distributed hypothesis array-api-strict mypy); fi
if [ -z "$newest" ] || "$newest" -c 'import sys; sys.exit(sys.version_info >= (3, 12))'; then
    echo "no newer Python"
elif "$newest" -m pip install -q --disable-pip-version-check --target "$work/newer" pytest "${others[@]}" "$wheel" >"$work/pip.log" 2>&1; then
    "$newest" --version
    try_bare "$newest"
    run_tests "$newest" "$work/newer"
else
    echo "$newest: pytest cannot be had"
fi
