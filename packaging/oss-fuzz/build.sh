#!/bin/bash -eu
# SPDX-License-Identifier: BSD-3-Clause
#
# Run by OSS-Fuzz in the folder of the sources: builds all targets of tests/fuzz with $CC, $CFLAGS and $LIB_FUZZING_ENGINE into
# $OUT, each with its corpus and dictionary. Without libzip and libpng, which no target needs, programs have no libraries to carry.
build=$WORK/stria
cmake -G Ninja -S . -B "$build" -DCMAKE_BUILD_TYPE=None -DSTRIA_FUZZ=ON -DSTRIA_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
    -DSTRIA_SHARED=OFF -DSTRIA_OPENMP=OFF -DSTRIA_NPZ=OFF -DSTRIA_PNG=OFF -DSTRIA_BUNDLED_XXHASH=ON -DSTRIA_BUILD_TOOL=OFF \
    -DSTRIA_BUILD_TESTS=ON -DSTRIA_BUILD_BENCH=OFF -DSTRIA_INSTALL=OFF -DSTRIA_LEVELS="${STRIA_LEVELS:-}" \
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed # cmocka stays behind
cmake --build "$build" --target fuzz_targets
for target in tests/fuzz/fuzz_*.c; do
    name=$(basename "$target" .c)
    cp "$build/tests/fuzz/$name" "$OUT/"
    corpus=tests/fuzz/${name#fuzz_}
    if [ -d "$corpus" ]; then zip -qjr "$OUT/${name}_seed_corpus.zip" "$corpus"; fi
    if [ -e "$corpus.dict" ]; then cp "$corpus.dict" "$OUT/$name.dict"; fi
done
