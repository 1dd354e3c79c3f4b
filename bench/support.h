/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Helpers that every family of benchmarks shares: memory, and a contest. A contest times a subject
 * and its references in turns, in one process, on the same bytes, and reports medians of the
 * ratios: noise and clock changes hit both sides alike. A ratio of 1 is as fast as the reference,
 * above 1 faster.
 *
 *   vs_memcpy  against memcpy of as many bytes as the subject writes; vs_memset likewise
 *   vs_flat    against the better of that and a streaming loop, the ceiling of this machine
 *   vs_naive   against the plain loop nest one would write
 *   q1, q3     quartiles of that ratio
 */
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>

#include "stria/stria.h"

namespace bench
{

/* Ends the program with the library's message: a benchmark that fails measures nothing. */
[[noreturn]] void fail(stria_status status);
inline void check(stria_status status)
{
    if (status != STRIA_OK) fail(status);
}

/* A block of touched memory on a 2 MiB boundary, huge pages advised, filled with a pattern. */
class memory
{
  public:
    explicit memory(int64_t bytes);
    ~memory();
    memory(const memory &) = delete;
    memory &operator=(const memory &) = delete;
    stria_buffer *buffer() const
    {
        return buffer_;
    }
    char *data() const
    {
        return data_;
    }

  private:
    char *data_;
    stria_buffer *buffer_;
};

using job = std::function<void()>;

struct contest {
    job subject;
    const char *library_name; /* Name of the library's function, "memcpy" or "memset". */
    job library;
    job streaming; /* The same past the caches. */
    job naive;
    int64_t written; /* Bytes that are written. */
    int64_t moved;   /* Bytes read and written, which GB/s count. */
};

/* Runs one round for each iteration of a benchmark with manual time. */
void run(benchmark::State &state, const contest &c);

/* Returns how many rounds are enough for so many bytes per call. */
int rounds(int64_t bytes);

/* Copies and fills with non-temporal stores if the machine has them. */
void streaming_copy(char *dst, const char *src, int64_t bytes);
void streaming_fill(char *dst, char value, int64_t bytes);

} // namespace bench
