/* SPDX-License-Identifier: BSD-3-Clause */
/* HPTT (springer13/hptt), planned by its estimate, as its own benchmark does: f32 and f64. */
#include <hptt.h>

#include <memory>

#include "permutation.h"

namespace
{

struct plan {
    std::shared_ptr<hptt::Transpose<float>> f32;
    std::shared_ptr<hptt::Transpose<double>> f64;
};

} // namespace

const char *peer_name(void)
{
    return "HPTT";
}

void *peer_prepare(const peer_copy *c)
{
    permutation p;
    if (!find_permutation(p, *c) || p.shape.size() < 2) return nullptr;
    const std::vector<int> shape(p.shape.begin(), p.shape.end());
    const int n = int(shape.size());
    const bool f32 = !std::strcmp(c->src_dtype, "f32"), f64 = !std::strcmp(c->src_dtype, "f64");
    if (!f32 && !f64) return nullptr;
    auto made = std::make_unique<plan>();
    if (f32)
        made->f32 = hptt::create_plan(p.axes.data(), n, 1.0f, static_cast<const float *>(c->src),
                                      shape.data(), nullptr, 0.0f, static_cast<float *>(c->dst),
                                      nullptr, hptt::ESTIMATE, c->threads, nullptr, true);
    else
        made->f64 = hptt::create_plan(p.axes.data(), n, 1.0, static_cast<const double *>(c->src),
                                      shape.data(), nullptr, 0.0, static_cast<double *>(c->dst),
                                      nullptr, hptt::ESTIMATE, c->threads, nullptr, true);
    return made.release();
}

void peer_run(void *made)
{
    const plan *p = static_cast<plan *>(made);
    p->f32 ? p->f32->execute() : p->f64->execute();
}

void peer_end(void *made)
{
    delete static_cast<plan *>(made);
}
