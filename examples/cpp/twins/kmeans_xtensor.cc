/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <xtensor/xindex_view.hpp>
#include <xtensor/xrandom.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

int main()
{
    const std::size_t points = 20000, k = 8;
    xt::xtensor<float, 2> truth = xt::random::randn<float>({k, std::size_t(4)}, 0, 10);
    xt::xtensor<std::size_t, 1> home = xt::arange<std::size_t>(points) % k, nearest = home;
    xt::xtensor<float, 2> x = xt::random::randn<float>({points, std::size_t(4)});
    for (std::size_t i = 0; i < points; i++)
        xt::view(x, i) += xt::view(truth, home(i));
    xt::xtensor<float, 2> centres = xt::view(x, xt::range(0, k));
    for (int round = 0; round < 10; round++) {
        xt::xtensor<float, 2> apart = xt::zeros<float>({points, k});
        for (std::size_t d = 0; d < 4; d++)
            apart += xt::square(xt::view(x, xt::all(), d, xt::newaxis()) -
                                xt::view(centres, xt::all(), d));
        nearest = xt::argmin(apart, 1);
        xt::xtensor<float, 2> sums = xt::zeros<float>({k, std::size_t(4)});
        xt::xtensor<float, 1> counts = xt::zeros<float>({k});
        for (std::size_t i = 0; i < points; i++) {
            counts(nearest(i)) += 1;
            for (std::size_t d = 0; d < 4; d++)
                sums(nearest(i), d) += x(i, d);
        }
        centres = sums / xt::view(xt::maximum(counts, 1.0F), xt::all(), xt::newaxis());
    }
    std::printf("kmeans %zu of %zu at home\n", std::size_t(xt::sum(xt::equal(nearest, home))()),
                points);
}
