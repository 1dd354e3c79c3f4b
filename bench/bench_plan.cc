/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of planning, the cost of the odometer for each call of a loop, and the size from which
 * two threads are worth their start. Planning moves no bytes, so there is no flat copy beside it.
 */
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "stria/stria.h"

namespace
{

stria_exec on_threads(int threads)
{
    stria_exec exec = {};
    exec.threads = threads;
    return exec;
}

enum layout { contiguous, reversed, rotated, repeated };
const char *const layout_names[] = {"contiguous", "reversed", "rotated", "repeated"};

/* Makes a view of 3 x 4 x 5 ... items in foreign memory that nobody touches. */
stria_view operand(int ndim, layout how)
{
    int64_t shape[STRIA_MAX_NDIM], strides[STRIA_MAX_NDIM], s = 4;
    int order[STRIA_MAX_NDIM]; /* Order of the dims in memory, the last one fastest. */
    std::iota(order, order + ndim, 0);
    if (how == reversed) std::reverse(order, order + ndim);
    if (how == rotated) std::rotate(order, order + 1, order + ndim);
    for (int i = 0; i < ndim; i++)
        shape[i] = 3 + i;
    for (int i = ndim; i-- > 0; s *= shape[order[i]])
        strides[order[i]] = s;
    for (int i = 0; how == repeated && i < ndim; i += 2)
        shape[i] = 1;
    stria_view out;
    static char memory[64];
    const stria_dtype f32 = stria_dtype_of(STRIA_F32);
    if (stria_view_foreign(&out, memory, f32, ndim, shape, strides, 0) != STRIA_OK) std::abort();
    return out;
}

/* One output, and inputs that all have the same layout. */
struct operands {
    int nops;
    stria_view view[STRIA_MAX_OPERANDS];
    const stria_view *list[STRIA_MAX_OPERANDS];

    operands(int count, int ndim, layout output, layout inputs) : nops(count)
    {
        for (int k = 0; k < nops; k++) {
            view[k] = operand(ndim, k == 0 ? output : inputs);
            list[k] = &view[k];
        }
    }
};

void time_plans(benchmark::State &state, const operands &o)
{
    stria_plan plan;
    for (auto _ : state) {
        if (stria_plan_make(&plan, o.nops, o.list, 0) != STRIA_OK)
            state.SkipWithError(stria_last_error());
        benchmark::DoNotOptimize(plan.ptr[0]);
        benchmark::ClobberMemory();
    }
    state.counters["dims_left"] = plan.ndim;
}

/* Plans with an output in C order. */
void plan_make(benchmark::State &state)
{
    const int ndim = static_cast<int>(state.range(0)), nops = static_cast<int>(state.range(1));
    const layout how = static_cast<layout>(state.range(2));
    time_plans(state, operands(nops, ndim, contiguous, how));
    state.SetLabel(layout_names[how]);
}
BENCHMARK(plan_make)
    ->ArgNames({"ndim", "nops", "layout"})
    ->ArgsProduct({{1, 2, 3, 4, 5, 6, 7, 8},
                   {1, 2, 3, 4},
                   {contiguous, reversed, rotated, repeated}});

/* Plans with an output in reversed order and inputs in C order: the longest way for the sort. */
void plan_make_sorting(benchmark::State &state)
{
    const int ndim = static_cast<int>(state.range(0)), nops = static_cast<int>(state.range(1));
    time_plans(state, operands(nops, ndim, reversed, contiguous));
}
BENCHMARK(plan_make_sorting)->ArgNames({"ndim", "nops"})->ArgsProduct({{1, 2, 4, 8}, {2, 3}});

stria_status touch(char *const *ptr, const stria_dim *, const void *)
{
    benchmark::DoNotOptimize(*ptr);
    return STRIA_OK;
}

/* Walks over dims of 4 that cannot merge: every call is one step of the odometer. */
void walk_odometer(benchmark::State &state)
{
    const int ndim = static_cast<int>(state.range(0)), nops = static_cast<int>(state.range(1));
    stria_plan plan = {};
    char byte;
    plan.ndim = ndim;
    plan.nops = nops;
    for (int k = 0; k < nops; k++)
        plan.ptr[k] = &byte;
    int64_t calls = 1;
    for (int d = 0; d < ndim; d++) {
        plan.dims[d].n = 4;
        for (int k = 0; k < nops; k++)
            plan.dims[d].s[k] = 1;
        if (d >= 2) calls *= 4;
    }
    const stria_exec serial = on_threads(1);
    for (auto _ : state)
        if (stria_walk(&plan, touch, nullptr, &serial) != STRIA_OK)
            state.SkipWithError(stria_last_error());
    state.SetItemsProcessed(state.iterations() * calls); /* Items are calls of the loop. */
}
BENCHMARK(walk_odometer)->ArgNames({"ndim", "nops"})->ArgsProduct({{3, 4, 8}, {1, 2, 3, 8}});

stria_status add(char *const *ptr, const stria_dim *d, const void *)
{
    const int64_t n = d[0].n;
    float *out = reinterpret_cast<float *>(ptr[0]);
    const float *a = reinterpret_cast<const float *>(ptr[1]);
    const float *b = reinterpret_cast<const float *>(ptr[2]);
    for (int64_t i = 0; i < n; i++)
        out[i] = a[i] + b[i];
    return STRIA_OK;
}

/* Computes out = a + b, contiguous: the same bytes on one thread and on more. */
void walk_threads(benchmark::State &state)
{
    const int64_t bytes = state.range(0), n = bytes / 3 / 4;
    std::vector<float> memory[3];
    stria_view view[3];
    const stria_view *list[3];
    for (int k = 0; k < 3; k++) {
        memory[k].assign(static_cast<size_t>(n), 1.0f);
        if (stria_view_foreign(&view[k], memory[k].data(), stria_dtype_of(STRIA_F32), 1, &n,
                               nullptr, 0) != STRIA_OK)
            std::abort();
        list[k] = &view[k];
    }
    stria_plan plan;
    if (stria_plan_make(&plan, 3, list, 0) != STRIA_OK) std::abort();
    const stria_exec exec = on_threads(static_cast<int>(state.range(1)));
    for (auto _ : state) {
        if (stria_walk(&plan, add, nullptr, &exec) != STRIA_OK)
            state.SkipWithError(stria_last_error());
        benchmark::ClobberMemory();
    }
    if (memory[0][static_cast<size_t>(n) - 1] != 2.0f) state.SkipWithError("wrong sum");
    state.SetBytesProcessed(state.iterations() * n * 3 * 4);
}
BENCHMARK(walk_threads)
    ->ArgNames({"bytes", "threads"})
    ->ArgsProduct({benchmark::CreateRange(1 << 18, 1 << 26, 2), {1, 2, 4}})
    ->UseRealTime();

} // namespace
