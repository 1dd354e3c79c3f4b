/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Permutations in the memory of the array. memcpy of as many bytes stands beside them, though no
 * copy can do the same without a second buffer; vs_naive is against going there and back.
 */
#include <cstring>
#include <string>
#include <vector>

#include "support.h"

namespace
{

void permute(benchmark::State &state, stria_kind kind, const std::vector<int64_t> &shape,
             const std::vector<int> &dims)
{
    const stria_dtype dtype = stria_dtype_of(kind);
    const int ndim = static_cast<int>(shape.size());
    int64_t bytes = dtype.itemsize;
    for (const int64_t n : shape)
        bytes *= n;
    const bench::memory memory(bytes), flat(bytes);
    stria_view a;
    bench::check(stria_view_make(&a, memory.buffer(), dtype, ndim, shape.data(), nullptr, 0));
    const bench::job in_place = [&] {
        stria_view out;
        bench::check(stria_permute_in_place(&out, &a, ndim, dims.data(), NULL));
    };
    stria_view permuted, aside;
    bench::check(stria_permute(&permuted, &a, ndim, dims.data()));
    bench::check(stria_view_make(&aside, flat.buffer(), dtype, ndim, permuted.shape, nullptr, 0));
    const bench::job there_and_back = [&] {
        bench::check(stria_copy(&aside, &permuted, NULL));
        std::memcpy(memory.data(), flat.data(), static_cast<size_t>(bytes));
    };
    bench::run(state,
               {
                   in_place,
                   "memcpy",
                   [&] { std::memcpy(memory.data(), flat.data(), static_cast<size_t>(bytes)); },
                   [&] { bench::streaming_copy(memory.data(), flat.data(), bytes); },
                   there_and_back,
                   bytes,
                   2 * bytes,
               });
}

void add(const char *name, stria_kind kind, const std::vector<int64_t> &shape,
         const std::vector<int> &dims)
{
    benchmark::RegisterBenchmark((std::string("in_place/") + name).c_str(), permute, kind, shape,
                                 dims)
        ->UseManualTime()
        ->Iterations(11);
}

const bool registered = [] {
    add("f32 4096x4096", STRIA_F32, {4096, 4096}, {1, 0});
    add("f32 4095x4095", STRIA_F32, {4095, 4095}, {1, 0});
    add("u8 8192x8192", STRIA_U8, {8192, 8192}, {1, 0});
    add("f32 3000x5000", STRIA_F32, {3000, 5000}, {1, 0});
    add("f32 4096x8192", STRIA_F32, {4096, 8192}, {1, 0});
    add("f32 5000000x3", STRIA_F32, {5000000, 3}, {1, 0});
    add("u8 3x20000000", STRIA_U8, {3, 20000000}, {1, 0});
    add("u8 7919x8009", STRIA_U8, {7919, 8009}, {1, 0});
    add("f32 256^3 (2,1,0)", STRIA_F32, {256, 256, 256}, {2, 1, 0});
    add("f32 16x1024x16x64 (0,2,1,3)", STRIA_F32, {16, 1024, 16, 64}, {0, 2, 1, 3});
    add("f32 32x224x224x3 (0,3,1,2)", STRIA_F32, {32, 224, 224, 3}, {0, 3, 1, 2});
    return true;
}();

} // namespace
