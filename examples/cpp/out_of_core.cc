/* SPDX-License-Identifier: BSD-3-Clause */
/* A file larger than one would read: written and reduced block by block, through a mapping. */
#include <cstdio>

#include <stria/stria.hpp>

using namespace stria;

int main()
{
    const char *const path = "out_of_core.npy";
    const std::int64_t rows = 4096, columns = 1024, block = 256;
    {
        auto file = create<float>(path, {rows, columns});
        for (std::int64_t i = 0; i < rows; i += block)
            file(slice(i, i + block)) = arange<float>(columns) * 1e-3F + static_cast<float>(i);
    }
    const auto file = map<const float>(path);
    array<double> means = zeros<double>({columns});
    for (std::int64_t i = 0; i < rows; i += block)
        means += sum(cast<double>(file(slice(i, i + block))), 0) / static_cast<double>(rows);
    std::remove(path);
    std::printf("out_of_core %.4f\n", mean(means));
    return !allclose(means, arange<double>(columns) * 1e-3 + (rows - block) / 2.0);
}
