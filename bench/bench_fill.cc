/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills with one item: against memset of the same bytes, a streaming loop and the plain loop. */
#include <cstring>
#include <string>

#include "support.h"

namespace
{

void naive_fill(const stria_view &dst, uint32_t item)
{
    for (int64_t i = 0; i < dst.shape[0]; i++) {
        auto *row = reinterpret_cast<uint32_t *>(dst.data + i * dst.strides[0]);
        for (int64_t j = 0; j < dst.shape[1]; j++)
            row[j] = item;
    }
}

/* Fills rows x columns of f32 in an array of `pitch` columns. */
void fill(benchmark::State &state, int64_t rows, int64_t columns, int64_t pitch)
{
    const bench::memory to(rows * pitch * 4);
    const int64_t shape[] = {rows, columns}, strides[] = {pitch * 4, 4};
    const uint32_t item = 0x3fc00000; /* The bits of 1.5f. */
    stria_view dst;
    bench::check(
        stria_view_make(&dst, to.buffer(), stria_dtype_of(STRIA_F32), 2, shape, strides, 0));
    const int64_t bytes = rows * columns * 4;
    bench::run(state, {
                          [&] { bench::check(stria_fill_item(&dst, &item, NULL)); },
                          "memset",
                          [&] { std::memset(to.data(), 0x3f, static_cast<size_t>(bytes)); },
                          [&] { bench::streaming_fill(to.data(), 0x3f, bytes); },
                          [&] { naive_fill(dst, item); },
                          bytes,
                          bytes,
                      });
}

void add(const std::string &name, int64_t rows, int64_t columns, int64_t pitch)
{
    benchmark::RegisterBenchmark(("fill/f32/" + name).c_str(), fill, rows, columns, pitch)
        ->UseManualTime()
        ->Iterations(bench::rounds(rows * columns * 4));
}

const bool registered = [] {
    for (const int64_t kib : {4, 32, 256, 1024, 4096, 16384, 65536, 262144})
        add(std::to_string(kib) + "KiB", kib, 256, 256);
    add("4096x4096[:, :1000]", 4096, 1000, 4096);
    add("131072x64[:, :37]", 131072, 37, 64);
    add("65536x64[:, ::1], one column", 65536, 1, 64);
    return true;
}();

} // namespace
