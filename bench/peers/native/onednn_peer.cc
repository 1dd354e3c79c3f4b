/* SPDX-License-Identifier: BSD-3-Clause */
/* oneDNN: reorder between any positive strides of up to 12 dims, conversions among its dtypes. */
#include <dnnl.hpp>

#include <memory>

#include "permutation.h"

namespace
{

struct plan {
    dnnl::stream stream;
    dnnl::memory src, dst;
    dnnl::reorder reorder;
};

dnnl::engine &engine()
{
    static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
    return cpu;
}

dnnl::memory::data_type type_of(const char *dtype)
{
    using type = dnnl::memory::data_type;
    static const struct {
        const char *name;
        type value;
    } types[] = {{"f32", type::f32}, {"f16", type::f16}, {"bf16", type::bf16},
                 {"u8", type::u8},   {"i8", type::s8},   {"i32", type::s32}};
    for (const auto &t : types)
        if (!std::strcmp(t.name, dtype)) return t.value;
    return type::undef;
}

dnnl::memory memory_of(const peer_copy &c, const char *dtype, const int64_t *strides,
                       const void *data)
{
    dnnl::memory::dims sizes(c.shape, c.shape + c.ndim), steps;
    for (int d = 0; d < c.ndim; d++) {
        const int64_t item = item_size(dtype);
        if (strides[d] <= 0 || strides[d] % item) return {};
        steps.push_back(strides[d] / item);
    }
    return dnnl::memory({sizes, type_of(dtype), steps}, engine(), const_cast<void *>(data));
}

} // namespace

const char *peer_name(void)
{
    static char name[40];
    const dnnl_version_t *v = dnnl_version();
    (void)snprintf(name, sizeof name, "oneDNN %d.%d.%d", v->major, v->minor, v->patch);
    return name;
}

void *peer_prepare(const peer_copy *c)
{
    if (c->ndim < 1 || c->ndim > DNNL_MAX_NDIMS ||
        type_of(c->src_dtype) == dnnl::memory::data_type::undef ||
        type_of(c->dst_dtype) == dnnl::memory::data_type::undef)
        return nullptr;
    try {
        auto made = std::make_unique<plan>();
        made->src = memory_of(*c, c->src_dtype, c->src_strides, c->src);
        made->dst = memory_of(*c, c->dst_dtype, c->dst_strides, c->dst);
        if (!made->src || !made->dst) return nullptr;
        made->stream = dnnl::stream(engine());
        made->reorder = dnnl::reorder(made->src, made->dst);
        return made.release();
    } catch (const dnnl::error &) {
        return nullptr;
    }
}

void peer_run(void *made)
{
    plan &p = *static_cast<plan *>(made);
    p.reorder.execute(p.stream, p.src, p.dst);
    p.stream.wait();
}

void peer_end(void *made)
{
    delete static_cast<plan *>(made);
}
