/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of bench_views.cc as C++ calls of PyTorch's library, where it has the op: the same
 * arrays, no gradients (inference mode, the fastest it has). flip and rot90 copy there and are left
 * out.
 */
#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>

#include <string>
#include <vector>

namespace
{

using at::Tensor;
using at::indexing::Slice;

/* The arrays of bench_views.cc, dense in C order. */
enum class kind { fours, complex, ones, pairs };

struct inputs {
    Tensor a, b;
    std::vector<int64_t> descending, halved, merged, sizes, larger, twos, strides;
    std::vector<at::indexing::TensorIndex> every_second;
};

struct row {
    const char *name;
    kind of;
    int least, most;
    Tensor (*one)(const inputs &in);
    std::vector<Tensor> (*many)(const inputs &in);
};

const row rows[] = {
    {"permute", kind::fours, 1, 8, [](const inputs &in) { return in.a.permute(in.descending); }},
    {"transpose", kind::fours, 2, 8, [](const inputs &in) { return in.a.transpose(0, -1); }},
    {"T", kind::fours, 1, 8, [](const inputs &in) { return in.a.numpy_T(); }},
    {"mT", kind::fours, 2, 8, [](const inputs &in) { return in.a.mT(); }},
    {"t", kind::fours, 1, 2, [](const inputs &in) { return in.a.t(); }},
    {"movedim", kind::fours, 1, 8, [](const inputs &in) { return in.a.movedim(0, -1); }},
    {"H", kind::complex, 2, 2, [](const inputs &in) { return in.a.matrix_H(); }},
    {"mH", kind::complex, 2, 8, [](const inputs &in) { return in.a.mH(); }},
    {"view, split", kind::fours, 1, 8, [](const inputs &in) { return in.a.view(in.halved); }},
    {"view, merge", kind::fours, 2, 8, [](const inputs &in) { return in.a.view(in.merged); }},
    {"view_as", kind::fours, 1, 8, [](const inputs &in) { return in.a.view_as(in.b); }},
    {"reshape", kind::fours, 1, 8, [](const inputs &in) { return in.a.reshape({-1}); }},
    {"flatten", kind::fours, 1, 8, [](const inputs &in) { return in.a.flatten(); }},
    {"ravel", kind::fours, 1, 8, [](const inputs &in) { return in.a.ravel(); }},
    {"unflatten", kind::fours, 1, 8,
     [](const inputs &in) {
         return in.a.unflatten(0, {2, 2});
     }},
    {"squeeze", kind::ones, 1, 8, [](const inputs &in) { return in.a.squeeze(); }},
    {"squeeze, dims", kind::ones, 1, 8, [](const inputs &in) { return in.a.squeeze(0); }},
    {"unsqueeze", kind::fours, 1, 8, [](const inputs &in) { return in.a.unsqueeze(0); }},
    {"atleast_1d", kind::fours, 1, 8, [](const inputs &in) { return at::atleast_1d(in.a); }},
    {"atleast_2d", kind::fours, 1, 8, [](const inputs &in) { return at::atleast_2d(in.a); }},
    {"atleast_3d", kind::fours, 1, 8, [](const inputs &in) { return at::atleast_3d(in.a); }},
    {"index", kind::fours, 1, 8, [](const inputs &in) { return in.a.index(in.every_second); }},
    {"select", kind::fours, 1, 8, [](const inputs &in) { return in.a.select(0, 1); }},
    {"narrow", kind::fours, 1, 8, [](const inputs &in) { return in.a.narrow(-1, 1, 2); }},
    {"slice", kind::fours, 1, 8,
     [](const inputs &in) { return in.a.slice(0, 0, c10::nullopt, 2); }},
    {"split", kind::fours, 1, 8, nullptr, [](const inputs &in) { return in.a.split(1, 0); }},
    {"split_with_sizes", kind::fours, 1, 8, nullptr,
     [](const inputs &in) {
         return in.a.split_with_sizes({2, 2}, 0);
     }},
    {"chunk", kind::fours, 1, 8, nullptr, [](const inputs &in) { return in.a.chunk(2, 0); }},
    {"tensor_split", kind::fours, 1, 8, nullptr,
     [](const inputs &in) { return in.a.tensor_split(3, 0); }},
    {"tensor_split, indices", kind::fours, 1, 8, nullptr,
     [](const inputs &in) { return in.a.tensor_split(at::IntArrayRef{2}, 0); }},
    {"hsplit", kind::fours, 1, 8, nullptr, [](const inputs &in) { return in.a.hsplit(2); }},
    {"hsplit, indices", kind::fours, 1, 8, nullptr,
     [](const inputs &in) { return in.a.hsplit(at::IntArrayRef{2}); }},
    {"vsplit", kind::fours, 2, 8, nullptr, [](const inputs &in) { return in.a.vsplit(2); }},
    {"vsplit, indices", kind::fours, 2, 8, nullptr,
     [](const inputs &in) { return in.a.vsplit(at::IntArrayRef{2}); }},
    {"dsplit", kind::fours, 3, 8, nullptr, [](const inputs &in) { return in.a.dsplit(2); }},
    {"dsplit, indices", kind::fours, 3, 8, nullptr,
     [](const inputs &in) { return in.a.dsplit(at::IntArrayRef{2}); }},
    {"unbind", kind::fours, 1, 8, nullptr, [](const inputs &in) { return in.a.unbind(0); }},
    {"expand", kind::ones, 1, 8, [](const inputs &in) { return in.a.expand(in.sizes); }},
    {"expand, new dim", kind::ones, 1, 8, [](const inputs &in) { return in.a.expand(in.larger); }},
    {"expand_as", kind::ones, 1, 8, [](const inputs &in) { return in.a.expand_as(in.b); }},
    {"broadcast_to", kind::ones, 1, 8,
     [](const inputs &in) { return in.a.broadcast_to(in.sizes); }},
    {"broadcast_to, new dim", kind::ones, 1, 8,
     [](const inputs &in) { return in.a.broadcast_to(in.larger); }},
    {"broadcast_tensors", kind::ones, 1, 8, nullptr,
     [](const inputs &in) { return at::broadcast_tensors({in.a, in.b}); }},
    {"meshgrid", kind::fours, 1, 1, nullptr,
     [](const inputs &in) { return at::meshgrid({in.a, in.b, in.a, in.b}, "ij"); }},
    {"diagonal", kind::fours, 2, 8, [](const inputs &in) { return in.a.diagonal(0, 0, 1); }},
    {"linalg_diagonal", kind::fours, 2, 8,
     [](const inputs &in) { return at::linalg_diagonal(in.a, 0, -2, -1); }},
    {"unfold", kind::fours, 1, 8, [](const inputs &in) { return in.a.unfold(0, 2, 1); }},
    {"as_strided", kind::fours, 1, 8,
     [](const inputs &in) { return in.a.as_strided(in.twos, in.strides, 0); }},
    {"view dtype, same size", kind::fours, 1, 8,
     [](const inputs &in) { return in.a.view(at::kInt); }},
    {"view dtype, bytes", kind::fours, 1, 8, [](const inputs &in) { return in.a.view(at::kByte); }},
    {"real", kind::complex, 1, 8, [](const inputs &in) { return at::real(in.a); }},
    {"imag", kind::complex, 1, 8, [](const inputs &in) { return at::imag(in.a); }},
    {"view_as_real", kind::complex, 1, 8, [](const inputs &in) { return at::view_as_real(in.a); }},
    {"view_as_complex", kind::pairs, 1, 8,
     [](const inputs &in) { return at::view_as_complex(in.a); }},
    {"conj", kind::complex, 1, 8, [](const inputs &in) { return in.a.conj(); }},
    {"_neg_view", kind::fours, 1, 8, [](const inputs &in) { return at::_neg_view(in.a); }},
    {"contiguous", kind::fours, 1, 8, [](const inputs &in) { return in.a.contiguous(); }},
};

Tensor make(kind of, int ndim)
{
    std::vector<int64_t> shape(static_cast<size_t>(ndim), 4);
    for (size_t d = 0; of == kind::ones && d < shape.size(); d += 2)
        shape[d] = 1;
    if (of == kind::pairs) shape.back() = 2;
    return at::empty(shape, of == kind::complex ? at::kComplexFloat : at::kFloat);
}

void view(benchmark::State &state, const row &r)
{
    const c10::InferenceMode guard;
    const int ndim = static_cast<int>(state.range(0));
    const size_t n = static_cast<size_t>(ndim);
    inputs in;
    in.a = make(r.of, ndim);
    in.b = make(kind::fours, ndim);
    for (int d = 0; d < ndim; d++) {
        in.descending.push_back(-1 - d);
        in.every_second.emplace_back(Slice(0, c10::nullopt, 2));
    }
    in.sizes.assign(n, 4);
    in.larger.assign(n + 1, 4);
    in.twos.assign(n, 2);
    in.strides.assign(n, 1);
    in.halved.assign(n + 1, 4);
    in.halved[0] = in.halved[1] = 2;
    in.merged.assign(n > 1 ? n - 1 : 1, 4);
    in.merged.back() = 16;
    if (r.one)
        for (auto _ : state)
            benchmark::DoNotOptimize(r.one(in));
    else
        for (auto _ : state)
            benchmark::DoNotOptimize(r.many(in));
}

const bool registered = [] {
    for (const row &r : rows) {
        auto *made = benchmark::RegisterBenchmark((std::string("view/") + r.name).c_str(), view, r);
        for (const int ndim : {1, 2, 4, 8})
            if (ndim >= r.least && ndim <= r.most && (ndim != 2 || r.least == 2 || r.most == 2))
                made->Arg(ndim);
    }
    return true;
}();

} // namespace

BENCHMARK_MAIN();
