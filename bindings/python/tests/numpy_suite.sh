#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# bindings/python/tests/numpy_suite.sh [FOLDER]
#
# Runs NumPy's own tests of ufuncs, indexing, shapes, reductions, einsum and linalg on the installed package, by numpy_suite.py.
# What fails is listed with its reason in numpy_suite.txt. 77: there is no NumPy 2.4 with its tests.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
"$python" -c 'import os, sys, numpy, pytest, hypothesis, stria
sys.exit(not numpy.__version__.startswith("2.4.") or not os.path.isdir(os.path.dirname(numpy.__file__) + "/_core/tests"))' 2>/dev/null || {
    echo "$python has no NumPy 2.4 with its tests, or no pytest, hypothesis and stria"
    exit 77
}
folder=${1:-$(mktemp -d)}
exec "$python" "$here/numpy_suite.py" "$folder"
