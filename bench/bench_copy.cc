/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies between two layouts: flat, transposed, permuted, sliced, flipped, repeated. One thread. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cases.h"
#include "support.h"

namespace
{

/* The loop nest that one would write: one loop for each dim, the last one innermost, items of type
 * T. */
template <typename T>
void naive_copy(const stria_view &dst, const stria_view &src, int d, char *to, const char *from)
{
    const int64_t n = dst.shape[d], s = dst.strides[d], t = src.strides[d];
    if (d + 1 < dst.ndim) {
        for (int64_t i = 0; i < n; i++)
            naive_copy<T>(dst, src, d + 1, to + i * s, from + i * t);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        *reinterpret_cast<T *>(to + i * s) = *reinterpret_cast<const T *>(from + i * t);
}

struct pair16 {
    uint64_t low, high;
};

void naive(const stria_view &dst, const stria_view &src)
{
    switch (dst.dtype.itemsize) {
    case 1: return naive_copy<uint8_t>(dst, src, 0, dst.data, src.data);
    case 2: return naive_copy<uint16_t>(dst, src, 0, dst.data, src.data);
    case 4: return naive_copy<uint32_t>(dst, src, 0, dst.data, src.data);
    case 8: return naive_copy<uint64_t>(dst, src, 0, dst.data, src.data);
    default: return naive_copy<pair16>(dst, src, 0, dst.data, src.data);
    }
}

/* Compares the result with the naive loop's first, since measuring a wrong copy means nothing. */
void check_result(const stria_view &dst, const stria_view &src, const bench::memory &to,
                  int64_t bytes)
{
    const size_t n = static_cast<size_t>(bytes);
    std::memset(to.data(), 0, n);
    naive(dst, src);
    const std::vector<char> wanted(to.data(), to.data() + n);
    std::memset(to.data(), 0, n);
    bench::check(stria_copy(&dst, &src, NULL));
    if (std::memcmp(to.data(), wanted.data(), n)) {
        std::fprintf(stderr, "stria_bench: a copy differs from the naive loop's\n");
        std::exit(1);
    }
}

void copy(benchmark::State &state, const bench::copy_case &c)
{
    const bench::memory from(bench::source_bytes(c));
    const stria_view src = bench::source_view(c, from.buffer());
    const int64_t target = bench::target_bytes(c, src);
    const bench::memory to(target);
    const stria_view dst = bench::target_view(c, src, to.buffer());
    check_result(dst, src, to, target);

    /* The references read the source, too, or a buffer of their own if that is smaller. */
    const int64_t bytes = stria_nbytes(&dst);
    const bool enough = bench::source_bytes(c) >= bytes;
    const bench::memory other(enough ? 1 : bytes);
    const bench::memory &flat = enough ? from : other;
    bench::run(state, {
                          [&] { bench::check(stria_copy(&dst, &src, NULL)); },
                          "memcpy",
                          [&] { std::memcpy(to.data(), flat.data(), static_cast<size_t>(bytes)); },
                          [&] { bench::streaming_copy(to.data(), flat.data(), bytes); },
                          [&] { naive(dst, src); },
                          bytes,
                          bytes + std::min(bytes, bench::source_bytes(c)),
                      });
}

/* Measures an n x n transposition, planned once, or as a call like any other. */
void small_copy(benchmark::State &state, int64_t n, bool planned)
{
    const bench::copy_case c = {"",
                                STRIA_F32,
                                {n, n},
                                [](const stria_view &a) {
                                    stria_view out;
                                    bench::check(stria_reverse_dims(&out, &a));
                                    return out;
                                },
                                {},
                                nullptr};
    const bench::memory from(bench::source_bytes(c)), to(bench::source_bytes(c));
    const stria_view src = bench::source_view(c, from.buffer());
    const stria_view dst = bench::target_view(c, src, to.buffer());
    stria_copy_plan plan;
    bench::check(stria_copy_plan_make(&plan, &dst, &src, nullptr));
    for (auto _ : state) {
        if (planned)
            stria_copy_plan_run(&plan);
        else
            bench::check(stria_copy(&dst, &src, NULL));
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * 2 * stria_nbytes(&dst));
}

const bool registered = [] {
    for (const bench::copy_case &c : bench::copy_cases())
        benchmark::RegisterBenchmark(("copy/" + c.name).c_str(), copy, c)
            ->UseManualTime()
            ->Iterations(bench::rounds(bench::bytes_written(c)));
    for (const int64_t n : {4, 16, 64}) {
        const std::string name = "/f32/" + std::to_string(n) + "x" + std::to_string(n);
        benchmark::RegisterBenchmark(("planned" + name).c_str(), small_copy, n, true);
        benchmark::RegisterBenchmark(("called" + name).c_str(), small_copy, n, false);
    }
    return true;
}();

} // namespace
