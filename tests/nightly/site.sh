#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/site.sh LIBRARY PYTHON: makes the site with the library that was built, and drives it in a browser. 77: what
# that needs is not installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
STRIA_LIBRARY=$1 tools/site.sh build-site
"$2" tests/nightly/site.py build-site
