#!/bin/sh
# Computes the means of the columns of an .npy file by parts, several at a time:
#
#     sh means.sh big.npy means.npy [PARTS]
#
# Each part reads its slice alone, so that the file may be larger than memory. A part is there as a
# whole or not at all: run again, the script makes only those that are missing. JOBS says how many
# run at a time.
set -eu
file=$1 out=$2 count=${3:-16} folder=$2.parts
mkdir -p "$folder"
stria split "$file" --parts "$count" | while read -r slice; do
    [ -e "$folder/$slice.part" ] || echo "$slice"
done | xargs -P "${JOBS:-4}" -I{} \
    stria apply "$file" --partial --slice {} 'exact_mean(x, 0)' -o "$folder/{}.part" -q
stria merge "$folder"/*.part -o "$out"
