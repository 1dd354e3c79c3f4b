/* SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bench
{

void fail(stria_status status)
{
    std::fprintf(stderr, "%s: %s\n", stria_status_name(status), stria_last_error());
    std::exit(1);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

memory::memory(int64_t bytes)
{
    const size_t huge = size_t{2} << 20;
    const size_t size = (static_cast<size_t>(bytes) + huge - 1) / huge * huge;
    data_ = static_cast<char *>(std::aligned_alloc(huge, size));
    if (!data_) check(STRIA_ERR_MEMORY);
#if defined(__linux__)
    (void)madvise(data_, size, MADV_HUGEPAGE);
#endif
    for (size_t i = 0; i < size; i++)
        data_[i] = static_cast<char>(i * 2654435761u >> 13);
    check(stria_buffer_wrap(&buffer_, data_, bytes, false, nullptr, nullptr));
}

memory::~memory()
{
    stria_buffer_release(buffer_);
    std::free(data_);
}

/* ---- reference copies -------------------------------------------------------------------------
 */

#if defined(__SSE2__)
void streaming_copy(char *dst, const char *src, int64_t bytes)
{
    int64_t i = 0;
    for (; i + 64 <= bytes; i += 64)
        for (int64_t j = i; j < i + 64; j += 16)
            _mm_stream_si128(reinterpret_cast<__m128i *>(dst + j),
                             _mm_loadu_si128(reinterpret_cast<const __m128i *>(src + j)));
    _mm_sfence();
    std::memcpy(dst + i, src + i, static_cast<size_t>(bytes - i));
}

void streaming_fill(char *dst, char value, int64_t bytes)
{
    const __m128i v = _mm_set1_epi8(value);
    int64_t i = 0;
    for (; i + 16 <= bytes; i += 16)
        _mm_stream_si128(reinterpret_cast<__m128i *>(dst + i), v);
    _mm_sfence();
    std::memset(dst + i, value, static_cast<size_t>(bytes - i));
}
#else
void streaming_copy(char *dst, const char *src, int64_t bytes)
{
    std::memcpy(dst, src, static_cast<size_t>(bytes));
}

void streaming_fill(char *dst, char value, int64_t bytes)
{
    std::memset(dst, value, static_cast<size_t>(bytes));
}
#endif

/* ---- timing -----------------------------------------------------------------------------------
 */

namespace
{

using steady = std::chrono::steady_clock;

/*
 * Returns seconds for one of n calls in a row, after one that is not counted: it finds the caches
 * as the competitor before it left them, and streaming stores leave the destination outside.
 */
double time_of(const job &f, int64_t n)
{
    f();
    const auto start = steady::now();
    for (int64_t i = 0; i < n; i++) {
        f();
        benchmark::ClobberMemory();
    }
    return std::chrono::duration<double>(steady::now() - start).count() / static_cast<double>(n);
}

/* Returns the number of calls in a row that take long enough for the clock. */
int64_t batch(const job &f)
{
    const double enough = 50e-6;
    int64_t n = 1;
    while (n < 1 << 20 && time_of(f, n) * static_cast<double>(n) < enough)
        n *= 2;
    return n;
}

double quantile(std::vector<double> values, double q)
{
    const auto at = static_cast<size_t>(q * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    return values[at];
}

} // namespace

int rounds(int64_t bytes)
{
    return bytes >= int64_t{64} << 20 ? 11 : bytes >= int64_t{16} << 20 ? 25 : 51;
}

void run(benchmark::State &state, const contest &c)
{
    enum { subject, library, streaming, competitors };
    const std::array<const job *, competitors> jobs = {&c.subject, &c.library, &c.streaming};
    std::array<int64_t, competitors> calls{};
    for (size_t i = 0; i < competitors; i++)
        calls[i] = batch(*jobs[i]);
    std::vector<double> to_library, to_flat, own;
    size_t round = 0;
    for (auto _ : state) {
        std::array<double, competitors> seconds{};
        /* Rounds go up and down in turns, so that none follows the same competitor, or its state of
         * the caches, every time. */
        for (size_t i = 0; i < competitors; i++) {
            const size_t step = round % 2 ? competitors - i : i;
            const size_t turn = (round / 2 + step) % competitors;
            seconds[turn] = time_of(*jobs[turn], calls[turn]);
        }
        round++;
        state.SetIterationTime(seconds[subject]);
        own.push_back(seconds[subject]);
        to_library.push_back(seconds[library] / seconds[subject]);
        to_flat.push_back(std::min(seconds[library], seconds[streaming]) / seconds[subject]);
    }
    const double naive = std::min(time_of(c.naive, 1), time_of(c.naive, 1));
    state.SetBytesProcessed(state.iterations() * c.moved);
    state.counters[std::string("vs_") + c.library_name] = quantile(to_library, 0.5);
    state.counters["q1"] = quantile(to_library, 0.25);
    state.counters["q3"] = quantile(to_library, 0.75);
    state.counters["vs_flat"] = quantile(to_flat, 0.5);
    state.counters["vs_naive"] = naive / quantile(own, 0.5);
}

} // namespace bench
