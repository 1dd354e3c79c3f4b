/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigen's tensors: shuffle of up to six dims, for items of 1, 2, 4 and 8 bytes. */
#include <unsupported/Eigen/CXX11/Tensor>

#include <functional>

#include "permutation.h"

namespace
{

using run = std::function<void()>;

template <typename T, int rank> run shuffle(const permutation &p, const void *src, void *dst)
{
    Eigen::array<Eigen::Index, rank> from, to;
    Eigen::array<int, rank> axes;
    for (int i = 0; i < rank; i++) {
        from[size_t(i)] = p.shape[size_t(i)];
        axes[size_t(i)] = p.axes[size_t(i)];
        to[size_t(i)] = p.shape[size_t(p.axes[size_t(i)])];
    }
    return [=] {
        using tensor = Eigen::Tensor<T, rank, Eigen::RowMajor>;
        Eigen::TensorMap<const tensor> in(static_cast<const T *>(src), from);
        Eigen::TensorMap<tensor> out(static_cast<T *>(dst), to);
        out = in.shuffle(axes);
    };
}

template <typename T> run of_rank(const permutation &p, const void *src, void *dst)
{
    switch (p.shape.size()) {
    case 1: return shuffle<T, 1>(p, src, dst);
    case 2: return shuffle<T, 2>(p, src, dst);
    case 3: return shuffle<T, 3>(p, src, dst);
    case 4: return shuffle<T, 4>(p, src, dst);
    case 5: return shuffle<T, 5>(p, src, dst);
    case 6: return shuffle<T, 6>(p, src, dst);
    default: return nullptr;
    }
}

} // namespace

#define TEXT(x)    TEXT_OF(x)
#define TEXT_OF(x) #x

const char *peer_name(void)
{
    return "Eigen " TEXT(EIGEN_WORLD_VERSION) "." TEXT(EIGEN_MAJOR_VERSION) "." TEXT(
        EIGEN_MINOR_VERSION);
}

void *peer_prepare(const peer_copy *c)
{
    permutation p;
    if (!find_permutation(p, *c) || c->threads != 1) return nullptr;
    run made;
    switch (p.itemsize) {
    case 1: made = of_rank<uint8_t>(p, c->src, c->dst); break;
    case 2: made = of_rank<uint16_t>(p, c->src, c->dst); break;
    case 4: made = of_rank<float>(p, c->src, c->dst); break;
    case 8: made = of_rank<double>(p, c->src, c->dst); break;
    default: break;
    }
    return made ? new run(made) : nullptr;
}

void peer_run(void *made)
{
    (*static_cast<run *>(made))();
}

void peer_end(void *made)
{
    delete static_cast<run *>(made);
}
