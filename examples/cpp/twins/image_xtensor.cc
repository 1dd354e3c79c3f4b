/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <xtensor/xmath.hpp>
#include <xtensor/xnpy.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

int main(int count, char **arguments)
{
    const xt::xtensor<std::uint8_t, 3> photo =
        xt::load_npy<std::uint8_t>(count > 1 ? arguments[1] : "examples/data/astronaut.npy");
    const auto channel = [&](int c) {
        return xt::cast<float>(xt::view(photo, xt::all(), xt::all(), c));
    };
    const xt::xtensor<float, 2> grey =
        0.299F * channel(0) + 0.587F * channel(1) + 0.114F * channel(2);
    const std::size_t n = grey.shape(0), m = grey.shape(1);
    xt::xtensor<float, 2> blurred = xt::zeros<float>({n - 4, m - 4});
    for (std::size_t i = 0; i < 5; i++)
        for (std::size_t j = 0; j < 5; j++)
            blurred += xt::view(grey, xt::range(i, n - 4 + i), xt::range(j, m - 4 + j));
    blurred /= 25;
    const auto part = [&](std::size_t i, std::size_t j) {
        return xt::view(grey, xt::range(i, n - 2 + i), xt::range(j, m - 2 + j));
    };
    const xt::xtensor<float, 2> edges = xt::hypot(part(2, 1) - part(0, 1), part(1, 2) - part(1, 0));
    const xt::xtensor<std::uint8_t, 2> small =
        xt::cast<std::uint8_t>(xt::view(blurred, xt::range(0, xt::placeholders::_, 2),
                                        xt::range(xt::placeholders::_, xt::placeholders::_, -2)));
    std::printf("image %.4f %.4f %zu x %zu\n", double(xt::mean(blurred)()),
                double(xt::amax(edges)()), small.shape(0), small.shape(1));
}
