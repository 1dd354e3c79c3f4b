#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/mpi/run.sh MPI BUILD RANKS...
#
# Builds stria_mpi.h's test and examples by mpicc.MPI against the library in BUILD, runs the test on each
# number of ranks, and holds what the examples print on several ranks against what they print on one.
set -euo pipefail
mpi=$1 build=$2
shift 2
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/tests/mpi-$mpi
mkdir -p "$work"
# Open MPI as root, on fewer cores than ranks, in containers.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_base_warn_component_unused=0
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMP_NUM_THREADS=1

compile() { # SOURCE PROGRAM
    "mpicc.$mpi" -std=c11 -O1 -g -Wall -Wextra -Wconversion -Wshadow -Werror -I"$source/include" "$1" \
        -o "$work/$2" -L"$build" -lstria -Wl,-rpath,"$build"
}
on_ranks() { timeout 100 "mpirun.$mpi" -n "$1" "$work/$2"; } # RANKS PROGRAM

compile "$source/tests/mpi/test_mpi.c" test_mpi
compile "$source/examples/mpi/heat.c" heat
fortran=$build/bindings/fortran
if [ -e "$fortran/libstria_fortran.a" ]; then
    "mpifort.$mpi" -O1 -I"$fortran/modules" "$source/examples/mpi/heat.f90" -o "$work/heat_fortran" \
        -L"$fortran" -lstria_fortran -L"$build" -lstria -Wl,-rpath,"$build"
fi
one=$(on_ranks 1 heat)
for ranks in "$@"; do
    on_ranks "$ranks" test_mpi
    several=$(on_ranks "$ranks" heat)
    [ "$one" = "$several" ] || { printf 'on 1 rank:  %s\non %s ranks: %s\n' "$one" "$ranks" "$several" >&2; exit 1; }
    if [ -e "$work/heat_fortran" ]; then # whose sum is not exact
        diff <(printf 'heat after 50 steps: %.4f\n' "${one##* }") <(on_ranks "$ranks" heat_fortran)
    fi
done
echo "$one"
