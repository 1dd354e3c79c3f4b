/* SPDX-License-Identifier: BSD-3-Clause */
/* What a view costs: every op at each number of dims that it allows, on a dense array of 4s. */
#include <string>
#include <vector>

#include "support.h"

namespace
{

using op = stria_status (*)(stria_view *out, const stria_view *a);

struct row {
    const char *name;
    int least, most; /* dims */
    op run;
};

const int64_t fours[] = {4, 4, 4, 4, 4, 4, 4, 4, 4};
const int64_t twos[] = {2, 2, 2, 2, 2, 2, 2, 2, 2};
const int64_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
const int64_t item_strides[] = {4, 4, 4, 4, 4, 4, 4, 4, 4};
const int reversed[][8] = {{0},
                           {1, 0},
                           {2, 1, 0},
                           {3, 2, 1, 0},
                           {4, 3, 2, 1, 0},
                           {5, 4, 3, 2, 1, 0},
                           {6, 5, 4, 3, 2, 1, 0},
                           {7, 6, 5, 4, 3, 2, 1, 0}};
const std::vector<stria_index_item> every_second = [] {
    stria_index_item item = {};
    item.kind = STRIA_INDEX_SLICE;
    item.start = 0;
    item.stop = STRIA_NONE;
    item.step = 2;
    return std::vector<stria_index_item>(8, item);
}();

/* a's elements with one dim split in two, and with the last two dims merged. */
stria_status split_shape(stria_view *out, const stria_view *a)
{
    int64_t shape[9] = {2, 2};
    for (int d = 1; d < a->ndim; d++)
        shape[d + 1] = a->shape[d];
    return stria_view_shape(out, a, a->ndim + 1, shape);
}

stria_status merge_shape(stria_view *out, const stria_view *a)
{
    int64_t shape[8];
    for (int d = 0; d < a->ndim - 1; d++)
        shape[d] = a->shape[d];
    shape[a->ndim - 2] = 16;
    return stria_view_shape(out, a, a->ndim - 1, shape);
}

const row rows[] = {
    {"permute", 1, 8,
     [](stria_view *o, const stria_view *a) {
         return stria_permute(o, a, a->ndim, reversed[a->ndim - 1]);
     }},
    {"transpose", 2, 8,
     [](stria_view *o, const stria_view *a) { return stria_transpose(o, a, 0, -1); }},
    {"T", 1, 8, [](stria_view *o, const stria_view *a) { return stria_T(o, a); }},
    {"mT", 2, 8, [](stria_view *o, const stria_view *a) { return stria_mT(o, a); }},
    {"view, split", 1, 7, split_shape},
    {"view, merge", 2, 8, merge_shape},
    {"flatten", 1, 8,
     [](stria_view *o, const stria_view *a) { return stria_flatten(o, a, 0, -1); }},
    {"unflatten", 1, 7,
     [](stria_view *o, const stria_view *a) { return stria_unflatten(o, a, 0, 2, twos); }},
    {"squeeze", 1, 8, [](stria_view *o, const stria_view *a) { return stria_squeeze(o, a); }},
    {"unsqueeze", 1, 8,
     [](stria_view *o, const stria_view *a) { return stria_unsqueeze(o, a, 0); }},
    {"index", 1, 8,
     [](stria_view *o, const stria_view *a) {
         return stria_index(o, a, a->ndim, every_second.data());
     }},
    {"select", 1, 8, [](stria_view *o, const stria_view *a) { return stria_select(o, a, 0, 1); }},
    {"narrow", 1, 8,
     [](stria_view *o, const stria_view *a) { return stria_narrow(o, a, -1, 1, 2); }},
    {"slice", 1, 8,
     [](stria_view *o, const stria_view *a) {
         return stria_slice(o, a, 0, STRIA_NONE, STRIA_NONE, -1);
     }},
    {"expand", 1, 8,
     [](stria_view *o, const stria_view *a) { return stria_expand(o, a, a->ndim + 1, fours); }},
    {"broadcast_to", 1, 8,
     [](stria_view *o, const stria_view *a) {
         return stria_broadcast_to(o, a, a->ndim + 1, fours);
     }},
    {"flip", 1, 8,
     [](stria_view *o, const stria_view *a) {
         return stria_flip(o, a, a->ndim, reversed[a->ndim - 1]);
     }},
    {"diagonal", 2, 8,
     [](stria_view *o, const stria_view *a) { return stria_diagonal(o, a, 0, 0, 1); }},
    {"unfold", 1, 7,
     [](stria_view *o, const stria_view *a) { return stria_unfold(o, a, 0, 2, 1); }},
    {"as_strided", 1, 8,
     [](stria_view *o, const stria_view *a) {
         return stria_as_strided(o, a, a->ndim, ones, item_strides, 0);
     }},
    {"view_dtype, same size", 1, 8,
     [](stria_view *o, const stria_view *a) {
         return stria_view_dtype(o, a, stria_dtype_of(STRIA_I32));
     }},
    {"view_dtype, bytes", 1, 8,
     [](stria_view *o, const stria_view *a) {
         return stria_view_dtype(o, a, stria_dtype_of(STRIA_U8));
     }},
};

void view(benchmark::State &state, const row &r)
{
    const int ndim = static_cast<int>(state.range(0));
    int64_t bytes = 4;
    for (int d = 0; d < ndim; d++)
        bytes *= 4;
    stria_buffer *buffer;
    stria_view a, out;
    bench::check(stria_buffer_meta(&buffer, bytes));
    bench::check(stria_view_make(&a, buffer, stria_dtype_of(STRIA_F32), ndim, fours, nullptr, 0));
    bench::check(r.run(&out, &a));
    for (auto _ : state) {
        benchmark::DoNotOptimize(r.run(&out, &a));
        benchmark::DoNotOptimize(out);
    }
    stria_buffer_release(buffer);
}

/* Four pieces of the first dim at once: the time is for all of them. */
void split(benchmark::State &state)
{
    stria_buffer *buffer;
    stria_view a, pieces[4];
    int64_t count;
    bench::check(stria_buffer_meta(&buffer, 4 << 16));
    bench::check(stria_view_make(&a, buffer, stria_dtype_of(STRIA_F32),
                                 static_cast<int>(state.range(0)), fours, nullptr, 0));
    for (auto _ : state) {
        benchmark::DoNotOptimize(stria_split(pieces, 4, &count, &a, 1, 0));
        benchmark::DoNotOptimize(pieces);
    }
    stria_buffer_release(buffer);
}

const bool registered = [] {
    for (const row &r : rows)
        benchmark::RegisterBenchmark((std::string("view/") + r.name).c_str(), view, r)
            ->DenseRange(r.least, r.most);
    benchmark::RegisterBenchmark("view/split in 4", split)->DenseRange(1, 8);
    return true;
}();

} // namespace
