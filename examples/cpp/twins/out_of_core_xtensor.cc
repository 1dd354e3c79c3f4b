/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <xtensor/xmath.hpp>
#include <xtensor/xnpy.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

/* xtensor reads and writes whole files, so that all of it is in memory. */
int main()
{
    const std::size_t rows = 4096, columns = 1024, block = 256;
    xt::xtensor<float, 2> file = xt::empty<float>({rows, columns});
    for (std::size_t i = 0; i < rows; i += block)
        xt::view(file, xt::range(i, i + block)) = xt::arange<float>(columns) * 1e-3F + float(i);
    xt::dump_npy("out_of_core_twin.npy", file);
    const xt::xtensor<float, 2> read = xt::load_npy<float>("out_of_core_twin.npy");
    const xt::xtensor<double, 1> means = xt::sum(xt::cast<double>(read), 0) / double(rows);
    std::remove("out_of_core_twin.npy");
    std::printf("out_of_core %.4f\n", xt::mean(means)());
}
