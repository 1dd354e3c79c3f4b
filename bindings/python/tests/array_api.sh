#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# bindings/python/tests/array_api.sh CHECKOUT [PYTEST ARGUMENT...]
#
# Runs the official suite of the Array API (github.com/data-apis/array-api-tests at 55fcc60, with its submodule)
# against the installed package. What is allowed to fail stands with its reason in
# array_api_xfails.txt, what is not there in array_api_skips.txt. NumPy is loaded, whose decompositions linalg has then.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
checkout=${1:?a checkout of array-api-tests}
shift
cd "$checkout"
ARRAY_API_TESTS_MODULE=stria ARRAY_API_TESTS_VERSION=2025.12 exec "${PYTHON:-python3}" -m pytest array_api_tests/ \
    --disable-deadline --derandomize --xfails-file "$here/array_api_xfails.txt" --skips-file "$here/array_api_skips.txt" \
    -p no:cacheprovider -p numpy -q --max-examples 100 "$@"
