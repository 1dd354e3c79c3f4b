#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/quickstart.sh
#
# Installs what is missing, builds the tool and the library into build/, and shows the main job on a
# photograph and an elevation map: look, slice, permute, reinterpret, materialize. Every step says
# whether bytes moved; every result is compared with NumPy's where NumPy is at hand. A short table
# of speeds against memcpy comes last. Results are left in build/quickstart/.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

data=examples/data
out=build/quickstart

want_build
install_missing

# The tool is linked with all of the library; programs that use the library are shown at the end.
say "building build/stria"
mkdir -p "$out"
log=$out/build.log
build_failed() {
    grep -vE '^\[' "$log" | tail -n 40 >&2
    fail "the build failed; all of its output is in $log"
}
cmake --preset release -DSTRIA_BUILD_TESTS=OFF -DSTRIA_BUILD_BENCH=OFF >"$log" 2>&1 || build_failed
build_into "$log" build --target stria_tool || build_failed
echo "build/stria: $(build/stria --version | head -n 1)"

# ---- the main job ---------------------------------------------------------------------------

python=${STRIA_PYTHON:-python3}
has_numpy() { "$1" -c 'import numpy' >/dev/null 2>&1; }
if ! has_numpy "$python"; then
    python=build-venv/bin/python
    has_numpy "$python" || python=
fi
compared=0

# Runs the tool and prints the command, ready to be pasted into a shell.
show() {
    local word line='$ build/stria'
    for word in "$@"; do
        case $word in
        *\'*) line+=" \"$word\"" ;;
        *[!A-Za-z0-9_./,=-]*) line+=" '$word'" ;;
        *) line+=" $word" ;;
        esac
    done
    echo "$line"
    build/stria "$@"
}

# step WHAT FILE EXPR NUMPY NAME [UNITS]: runs EXPR on an example into NAME.npy and compares the
# result with what NumPy makes of the array `a` by the expression NUMPY: the same bytes, or numbers
# that are at most so many units in the last place apart.
step() {
    local what=$1 file=$2 expr=$3 numpy=$4 result=$out/$5.npy units=${6:-0}
    say "$what"
    show apply "$data/$file.npy" "$expr" -o "$result"
    [ -n "$python" ] || return 0
    "$python" - "$data/$file.npy" "$numpy" "$result" "$units" <<'PYTHON'
import sys

import numpy as np

a, ours = np.load(sys.argv[1]), np.load(sys.argv[3])
theirs = eval(sys.argv[2], {"a": a, "np": np})
units, alike = int(sys.argv[4]), ours.dtype == theirs.dtype and ours.shape == theirs.shape
same = alike and ours.tobytes() == theirs.tobytes()
close = alike and units > 0 and np.all(np.abs(ours - theirs) <= units * np.spacing(np.abs(theirs)))
verdict = "the same bytes" if same else f"within {units} units in the last place" if close else "DIFFERENT"
print(f"NumPy {np.__version__}, {sys.argv[2]}: {verdict}")
sys.exit(not (same or close))
PYTHON
    compared=$((compared + 1))
}

say "a photograph and an elevation map"
show info "$data/astronaut.npy"
show info "$data/jacksboro_dem.npy"

step "slice: every second row and column, mirrored" astronaut \
    '[::2, ::-2]' 'a[::2, ::-2]' mirrored
step "permute: channels first, as networks want them" astronaut \
    '.permute(2, 0, 1).contiguous()' 'np.ascontiguousarray(a.transpose(2, 0, 1))' planes
step "reinterpret: each pixel as one item of three bytes" astronaut \
    ".view('V3')" "a.view('V3')" pixels
step "windows: the map in tiles of 43 x 31" jacksboro_dem \
    '.unfold(0, 43, 43).unfold(1, 31, 31)' \
    'np.lib.stride_tricks.sliding_window_view(a, (43, 31))[::43, ::31]' tiles
step "reinterpret and materialize: the map's bytes, low and high apart" jacksboro_dem \
    '.unsqueeze(-1).view(uint8).permute(2, 0, 1).contiguous()' \
    "a[..., None].view('u1').transpose(2, 0, 1).copy()" bytes

step "math in one pass: the photograph in linear light" astronaut \
    '(x / 255.0) ** 2.2' "(a / np.float32(255)) ** np.float32(2.2)" linear 2
step "reduction: the mean of each channel" astronaut \
    'np.mean(x, (0, 1))' 'np.mean(a, (0, 1))' means

say "what a copy would do, without doing it"
show explain "$data/astronaut.npy" '.permute(2, 0, 1)[:, ::2, ::-1]'

say "a refusal that teaches"
show explain "$data/astronaut.npy" '[:, :500].permute(2, 0, 1).view(3, -1)' || true

say "building the rest: the libraries and the manual pages"
build_into "$log" build || build_failed

# ---- speed ----------------------------------------------------------------------------------

# race NAME SHAPE DTYPE EXPR: prints one row of the table.
race() {
    local name=$1
    build/stria bench --shape "$2" --dtype "$3" --expr "$4" --threads 1 --seconds 1 |
        awk -v name="$name" '
            /^memcpy /    { memcpy = $2 }
            /^this case / { printf "%-34s %8.2f %8.2f %10s\n", name, $3, memcpy, $(NF - 1) }'
}

say "speed, one thread: GB/s read plus written, median of interleaved rounds"
printf '%-34s %8s %8s %10s\n' "" stria memcpy "x memcpy"
race "transpose 4096 x 4096 f32" 4096,4096 f32 .T
race "transpose 2048 x 2048 u8" 2048,2048 u8 .T
race "channels first 1024 x 1024 x 3 u8" 1024,1024,3 u8 '.permute(2, 0, 1)'
race "flip columns 4096 x 4096 f32" 4096,4096 f32 '[:, ::-1]'
race "slice [:, :1000] of 4096 x 4096 f32" 4096,4096 f32 '[:, :1000]'

if [ "$compared" -gt 0 ]; then
    say "done: $compared results are NumPy's, as said above; they lie in $out/"
else
    say "done: results lie in $out/; no NumPy here to compare them with (apt-get install python3-numpy)"
fi
