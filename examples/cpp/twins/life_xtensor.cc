/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

int main()
{
    const int n = 128;
    xt::xtensor<std::uint8_t, 2> wide = xt::zeros<std::uint8_t>({n + 2, n + 2});
    const auto near = [&](int i, int j) {
        return xt::view(wide, xt::range(i, n + i), xt::range(j, n + j));
    };
    auto cells = near(1, 1);
    xt::view(cells, xt::range(0, 3), xt::range(0, 3)) =
        xt::xtensor<std::uint8_t, 2>{{0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    for (int step = 0; step < 4 * n; step++) {
        xt::view(wide, 0) = xt::view(wide, n);
        xt::view(wide, n + 1) = xt::view(wide, 1);
        xt::view(wide, xt::all(), 0) = xt::view(wide, xt::all(), n);
        xt::view(wide, xt::all(), n + 1) = xt::view(wide, xt::all(), 1);
        const auto around = near(0, 0) + near(0, 1) + near(0, 2) + near(1, 0) + near(1, 2) +
                            near(2, 0) + near(2, 1) + near(2, 2);
        cells = xt::eval(xt::cast<std::uint8_t>(xt::equal(around, 3) ||
                                                (xt::equal(around, 2) && xt::equal(cells, 1))));
    }
    std::printf("life %d alive\n", int(xt::sum<int>(cells)()));
}
