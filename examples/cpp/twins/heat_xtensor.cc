/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

int main()
{
    xt::xtensor<float, 2> u = xt::zeros<float>({256, 256});
    xt::view(u, xt::range(96, 160), xt::range(96, 160)) = 100;
    xt::xtensor<float, 2> next = u;
    auto mid = xt::range(1, 255), low = xt::range(0, 254), high = xt::range(2, 256);
    for (int step = 0; step < 500; step++) {
        xt::noalias(xt::view(next, mid, mid)) =
            xt::view(u, mid, mid) +
            0.1F * (xt::view(u, low, mid) + xt::view(u, high, mid) + xt::view(u, mid, low) +
                    xt::view(u, mid, high) - 4 * xt::view(u, mid, mid));
        std::swap(u, next);
    }
    std::printf("heat %.0f\n", static_cast<double>(xt::sum(u)()));
}
