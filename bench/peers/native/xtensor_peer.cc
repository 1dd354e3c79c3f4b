/* SPDX-License-Identifier: BSD-3-Clause */
/* xtensor: noalias(out) = transpose(in, axes) on adapted memory. */
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor_config.hpp>

#include <functional>

#include "permutation.h"

namespace
{

using run = std::function<void()>;

template <typename T> run transposition(const permutation &p, const void *src, void *dst)
{
    std::vector<size_t> from(p.shape.begin(), p.shape.end()), to, axes;
    size_t n = 1;
    for (size_t i = 0; i < from.size(); i++) {
        axes.push_back(size_t(p.axes[i]));
        to.push_back(from[axes[i]]);
        n *= from[i];
    }
    return [=] {
        auto in = xt::adapt(static_cast<const T *>(src), n, xt::no_ownership(), from);
        auto out = xt::adapt(static_cast<T *>(dst), n, xt::no_ownership(), to);
        xt::noalias(out) = xt::transpose(in, axes);
    };
}

} // namespace

#define TEXT(x)    TEXT_OF(x)
#define TEXT_OF(x) #x

const char *peer_name(void)
{
    return "xtensor " TEXT(XTENSOR_VERSION_MAJOR) "." TEXT(XTENSOR_VERSION_MINOR) "." TEXT(
        XTENSOR_VERSION_PATCH);
}

void *peer_prepare(const peer_copy *c)
{
    permutation p;
    if (!find_permutation(p, *c) || c->threads != 1) return nullptr;
    switch (p.itemsize) {
    case 1: return new run(transposition<uint8_t>(p, c->src, c->dst));
    case 2: return new run(transposition<uint16_t>(p, c->src, c->dst));
    case 4: return new run(transposition<float>(p, c->src, c->dst));
    case 8: return new run(transposition<double>(p, c->src, c->dst));
    default: return nullptr;
    }
}

void peer_run(void *made)
{
    (*static_cast<run *>(made))();
}

void peer_end(void *made)
{
    delete static_cast<run *>(made);
}
