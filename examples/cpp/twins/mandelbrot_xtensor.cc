/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

int main()
{
    const xt::xtensor<float, 1> cx = xt::linspace<float>(-2, 0.5, 400),
                                wide = xt::linspace<float>(-1.25, 1.25, 300);
    const xt::xtensor<float, 2> cy = xt::view(wide, xt::all(), xt::newaxis());
    xt::xtensor<float, 2> x = xt::zeros<float>({300, 400}), y = x, next = x;
    xt::xtensor<std::int32_t, 2> steps = xt::zeros<std::int32_t>({300, 400});
    for (int step = 0; step < 50; step++) {
        xt::noalias(next) = xt::minimum(x * x - y * y + cx, 1e6F);
        y = xt::clip(2 * x * y + cy, -1e6F, 1e6F);
        std::swap(x, next);
        steps += xt::cast<std::int32_t>(x * x + y * y < 4.0F);
    }
    std::printf("mandelbrot %lld\n", static_cast<long long>(xt::sum<std::int64_t>(steps)()));
}
