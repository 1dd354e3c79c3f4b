/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All families in one program; see README.md here for how to read the figures.
 *
 *   stria_bench --benchmark_filter='copy/transpose'
 */
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "support.h"

int main(int argc, char **argv)
{
    /* Stria uses one thread unless asked otherwise, as memcpy does. */
    if (!std::getenv("STRIA_NUM_THREADS")) bench::check(stria_set_threads(1));
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::AddCustomContext("stria", stria_version());
    benchmark::AddCustomContext("isa", stria_isa_name());
    benchmark::AddCustomContext("threads", std::to_string(stria_threads()));
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
