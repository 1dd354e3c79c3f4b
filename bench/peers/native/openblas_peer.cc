/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenBLAS: ?omatcopy, which transposes matrices of f32, f64, c64 and c128. */
#include <cblas.h>

#include "permutation.h"

namespace
{

struct plan {
    const void *src;
    void *dst;
    blasint rows, columns;
    char type;
};

} // namespace

const char *peer_name(void)
{
    static char name[200] = "";
    if (!name[0]) {
        /* The text is "OpenBLAS 0.3.21 NO_LAPACKE ...". */
        const char *config = openblas_get_config();
        std::strncpy(name, config, std::strcspn(config + 9, " ") + 9);
    }
    return name;
}

void *peer_prepare(const peer_copy *c)
{
    static const struct {
        const char *dtype;
        char type;
    } types[] = {{"f32", 's'}, {"f64", 'd'}, {"c64", 'c'}, {"c128", 'z'}};
    permutation p;
    if (!find_permutation(p, *c) || p.axes != std::vector<int>{1, 0}) return nullptr;
    for (const auto &t : types)
        if (!std::strcmp(t.dtype, c->src_dtype))
            return new plan{c->src, c->dst, blasint(p.shape[0]), blasint(p.shape[1]), t.type};
    return nullptr;
}

void peer_run(void *made)
{
    const plan &p = *static_cast<plan *>(made);
    const double one[] = {1, 0};
    const float single[] = {1, 0};
    const auto *f = static_cast<const float *>(p.src);
    const auto *d = static_cast<const double *>(p.src);
    auto *to_f = static_cast<float *>(p.dst);
    auto *to_d = static_cast<double *>(p.dst);
    const blasint m = p.rows, n = p.columns;
    switch (p.type) {
    case 's': cblas_somatcopy(CblasRowMajor, CblasTrans, m, n, 1, f, n, to_f, m); break;
    case 'd': cblas_domatcopy(CblasRowMajor, CblasTrans, m, n, 1, d, n, to_d, m); break;
    case 'c': cblas_comatcopy(CblasRowMajor, CblasTrans, m, n, single, f, n, to_f, m); break;
    default: cblas_zomatcopy(CblasRowMajor, CblasTrans, m, n, one, d, n, to_d, m);
    }
}

void peer_end(void *made)
{
    delete static_cast<plan *>(made);
}
