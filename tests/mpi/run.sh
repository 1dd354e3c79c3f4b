#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tests/mpi/run.sh MPI BUILD RANKS...
#
# Builds stria_mpi.h's test and examples against the library in BUILD by mpicc.MPI, or by the mpicc in the
# folder MPI; runs the test on each number of ranks, and holds what the examples print on several ranks
# against what they print on one. Examples that need FFTW, PETSc or the module for Fortran are left out
# where these are not.
set -euo pipefail
mpi=$1 build=$2
shift 2
source=$(cd "$(dirname "$0")/../.." && pwd)
cc=mpicc.$mpi fortran=mpifort.$mpi run=mpirun.$mpi work=$build/tests/mpi-$mpi
if [ -d "$mpi" ]; then
    cc=$mpi/mpicc fortran='' run=$mpi/mpirun work=$build/tests/mpi-$(basename "$(dirname "$mpi")")
fi
mkdir -p "$work"
# Lets Open MPI run as root, on fewer cores than ranks, in containers.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_base_warn_component_unused=0
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMP_NUM_THREADS=1

compile() { # SOURCE PROGRAM FLAGS...
    "$cc" -std=c11 -O1 -g -Wall -Wextra -Wconversion -Wshadow -Werror -I"$source/include" "$1" \
        -o "$work/$2" -L"$build" -lstria -Wl,-rpath,"$build" "${@:3}"
}
# RANKS PROGRAM ARGUMENTS...; ranks that spin while they wait take minutes on a machine that others use, too.
on_ranks() { timeout 900 "$run" -n "$1" "$work/$2" "${@:3}"; }

examples=(heat)
compile "$source/tests/mpi/test_mpi.c" test_mpi
compile "$source/examples/mpi/heat.c" heat
if pkg-config --exists fftw3; then
    # shellcheck disable=SC2046 # flags are words
    compile "$source/examples/mpi/pencil_fft.c" pencil_fft $(pkg-config --cflags --libs fftw3) -lm
    examples+=(pencil_fft)
fi
if [ "$mpi" = openmpi ] && pkg-config --exists PETSc; then # Debian's PETSc is built for Open MPI
    # shellcheck disable=SC2046
    compile "$source/examples/mpi/dmda.c" dmda -Wno-conversion $(pkg-config --cflags --libs PETSc)
    examples+=(dmda)
fi
module=$build/bindings/fortran
if [ -n "$fortran" ] && [ -e "$module/libstria_fortran.a" ]; then
    "$fortran" -O1 -I"$module/modules" "$source/examples/mpi/heat.f90" -o "$work/heat_fortran" \
        -L"$module" -lstria_fortran -L"$build" -lstria -Wl,-rpath,"$build"
fi
for example in "${examples[@]}"; do
    on_ranks 1 "$example" > "$work/$example.out"
    cat "$work/$example.out"
done
grep -q 'and nothing else' "$work"/pencil_fft.out 2>/dev/null || [ ! -e "$work/pencil_fft" ]
for ranks in "$@"; do
    on_ranks "$ranks" test_mpi
    for example in "${examples[@]}"; do
        on_ranks "$ranks" "$example" | diff "$work/$example.out" -
    done
    if [ -n "$fortran" ] && [ -e "$work/heat_fortran" ]; then # its sum is not exact
        diff <(sed 's/: .*/: /' "$work/heat.out" | tr -d '\n'; awk '{ printf "%.4f\n", $NF }' "$work/heat.out") \
            <(on_ranks "$ranks" heat_fortran)
    fi
    # A rank that finds an error ends the others, which wait for it. MPICH loses what such a rank printed now and then.
    for _ in 1 2 3 4 5; do
        status=0
        on_ranks "$ranks" test_mpi fail > "$work/fail.out" 2>&1 || status=$?
        if [ "$status" = 0 ] || [ "$status" = 124 ]; then
            echo "a rank failed, and the program ended with $status" >&2
            exit 1
        fi
        ! grep -q 'argc == 1' "$work/fail.out" || break
    done
    grep -q 'argc == 1' "$work/fail.out" || {
        echo "the rank that failed said nothing of it: $(cat "$work/fail.out")" >&2
        exit 1
    }
done
