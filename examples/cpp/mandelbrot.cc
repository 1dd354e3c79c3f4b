/* SPDX-License-Identifier: BSD-3-Clause */
/* The Mandelbrot set: every point takes fifty steps, and counts those before it escapes. */
#include <cstdio>

#include <stria/stria.hpp>

using namespace stria;

int main()
{
    const array<float> cx = linspace<float>(-2, 0.5, 400),
                       cy = linspace<float>(-1.25, 1.25, 300)(all, newaxis);
    array<float> x = zeros<float>({300, 400}), y = x, next = x;
    array<std::int32_t> steps = zeros<std::int32_t>({300, 400});
    for (int step = 0; step < 50; step++) {
        next = minimum(x * x - y * y + cx, 1e6F);
        y = clip(2 * x * y + cy, -1e6F, 1e6F);
        std::swap(x, next);
        steps += x * x + y * y < 4.0F;
    }
    std::printf("mandelbrot %lld\n", static_cast<long long>(sum(steps)));
    return count_nonzero(steps == 50) < 25000 || steps(0, 0) > 1;
}
