/* SPDX-License-Identifier: BSD-3-Clause */
#include "permutation.h"

#include <algorithm>
#include <numeric>

int item_size(const char *dtype)
{
    static const struct {
        const char *name;
        int size;
    } sizes[] = {{"u8", 1},  {"i8", 1},  {"bool", 1}, {"f16", 2}, {"bf16", 2},
                 {"u16", 2}, {"i16", 2}, {"f32", 4},  {"i32", 4}, {"u32", 4},
                 {"f64", 8}, {"i64", 8}, {"u64", 8},  {"c64", 8}, {"c128", 16}};
    for (const auto &s : sizes)
        if (!std::strcmp(s.name, dtype)) return s.size;
    return 0;
}

namespace
{

/* Merges dims: those of extent 1 move nothing, and neighbours that stay neighbours are one dim. */
void merge(permutation &p)
{
    for (size_t i = 0; i + 1 < p.axes.size();) {
        const int a = p.axes[i], b = p.axes[i + 1];
        if (b != a + 1) {
            i++;
            continue;
        }
        p.shape[size_t(a)] *= p.shape[size_t(b)];
        p.shape.erase(p.shape.begin() + b);
        p.axes.erase(p.axes.begin() + long(i) + 1);
        for (int &axis : p.axes)
            if (axis > a) axis--;
    }
}

bool is_dense(const std::vector<int64_t> &shape, const std::vector<int64_t> &strides,
              const std::vector<int> &order, int64_t item)
{
    for (size_t i = order.size(); i-- > 0;) {
        if (strides[size_t(order[i])] != item) return false;
        item *= shape[size_t(order[i])];
    }
    return true;
}

} // namespace

bool find_permutation(permutation &out, const peer_copy &c)
{
    std::vector<int64_t> shape, to, from;
    for (int d = 0; d < c.ndim; d++) {
        if (c.shape[d] == 1) continue;
        shape.push_back(c.shape[d]);
        to.push_back(c.dst_strides[d]);
        from.push_back(c.src_strides[d]);
    }
    std::vector<int> dims(shape.size()), order;
    std::iota(dims.begin(), dims.end(), 0);
    order = dims; /* Order of the dims in the source's memory, outermost first. */
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return from[size_t(a)] > from[size_t(b)]; });
    out.itemsize = item_size(c.src_dtype);
    if (!out.itemsize || std::strcmp(c.src_dtype, c.dst_dtype) ||
        !is_dense(shape, to, dims, out.itemsize) || !is_dense(shape, from, order, out.itemsize))
        return false;
    out.shape.clear();
    out.axes.assign(shape.size(), 0);
    for (size_t i = 0; i < order.size(); i++) {
        out.shape.push_back(shape[size_t(order[i])]);
        out.axes[size_t(order[i])] = int(i);
    }
    merge(out);
    return true;
}
