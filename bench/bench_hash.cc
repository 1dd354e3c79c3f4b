/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * XXH3-128 of views, against that of as many dense bytes (vs_hash), and against that of a dense
 * copy that is made first, in memory that exists already (vs_naive).
 */
#include <cstdlib>
#include <string>
#include <vector>

#include "support.h"

namespace
{

using sizes = std::vector<int64_t>;

void hash(benchmark::State &state, const sizes &shape, const sizes &strides)
{
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    const int ndim = static_cast<int>(shape.size());
    int64_t bytes = 4, span = 4, first = 0;
    for (size_t d = 0; d < shape.size(); d++) {
        const int64_t reach = (shape[d] - 1) * strides[d];
        bytes *= shape[d];
        span += std::abs(reach);
        if (reach < 0) first -= reach;
    }
    const bench::memory memory(span), dense(bytes);
    stria_view a, flat;
    bench::check(
        stria_view_make(&a, memory.buffer(), f32, ndim, shape.data(), strides.data(), first));
    bench::check(stria_view_make(&flat, dense.buffer(), f32, ndim, shape.data(), nullptr, 0));
    const auto hash_of = [](const stria_view &view) {
        stria_hash128 result;
        bench::check(stria_hash(&result, &view, NULL));
        benchmark::DoNotOptimize(result);
    };
    const bench::job of_flat = [&] { hash_of(flat); };
    bench::run(state, {
                          [&] { hash_of(a); },
                          "hash",
                          of_flat,
                          of_flat,
                          [&] {
                              bench::check(stria_copy(&flat, &a, NULL));
                              hash_of(flat);
                          },
                          bytes,
                          bytes,
                      });
}

void add(const char *name, const sizes &shape, const sizes &strides)
{
    benchmark::RegisterBenchmark((std::string("hash/f32/") + name).c_str(), hash, shape, strides)
        ->UseManualTime()
        ->Iterations(25);
}

const bool registered = [] {
    add("64MiB", {1 << 24}, {4});
    add("rows of 4000 bytes in 4096, 64MiB", {16384, 1000}, {4096, 4});
    add("rows of 8000 bytes in 16384, 64MiB", {8192, 2000}, {16384, 4});
    add("rows of 1024 bytes in 2048, 64MiB", {65536, 256}, {2048, 4});
    add("rows of 148 bytes in 256, 36MiB", {1 << 18, 37}, {256, 4});
    add("rows of 4000 bytes in 4096, 128KiB", {32, 1000}, {4096, 4});
    add("rows of 1000 bytes in 1024, 128KiB", {131, 250}, {1024, 4});
    add("rows of 256 bytes in 512, 128KiB", {512, 64}, {512, 4});
    add("rows of 128 bytes in 192, 128KiB", {1024, 32}, {192, 4});
    add("rows of 512 bytes in 576, 4MiB", {8192, 128}, {576, 4});
    add("rows of 2048 bytes in 2112, 4MiB", {2048, 512}, {2112, 4});
    add("rows of 16384 bytes in 24576, 64MiB", {4096, 4096}, {24576, 4});
    add("rows of 4096 bytes, last first, 64MiB", {16384, 1024}, {-4096, 4});
    add("rows of 128 bytes in 256, 64MiB", {1 << 19, 32}, {256, 4});
    add("4096x4096.T", {4096, 4096}, {4, 16384});
    add("1024x1024.T", {1024, 1024}, {4, 4096});
    add("16x1024x16x64 (0,2,1,3)", {16, 16, 1024, 64}, {4194304, 256, 4096, 4});
    return true;
}();

} // namespace
