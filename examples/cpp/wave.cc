/* SPDX-License-Identifier: BSD-3-Clause */
/* A drum: the wave equation in two dims, with the sum of all heights as its check. */
#include <cmath>
#include <cstdio>

#include <stria/stria.hpp>

using namespace stria;

int main()
{
    const slice mid(1, -1), low(0, -2), high(2, none);
    const array<double> x = linspace<double>(-1, 1, 201);
    array<double> now = exp(-50 * (x(all, newaxis) * x(all, newaxis) + x * x));
    array<double> before = now, next = zeros<double>({201, 201});
    for (int step = 0; step < 120; step++) {
        next(mid, mid) = 2 * now(mid, mid) - before(mid, mid) +
                         0.25 * (now(low, mid) + now(high, mid) + now(mid, low) + now(mid, high) -
                                 4 * now(mid, mid));
        std::swap(before, now);
        std::swap(now, next);
    }
    const double odd = max(abs(now - now.T())); /* it stays symmetric */
    std::printf("wave %.6f\n", max(now));
    return odd > 1e-12 || std::isnan(max(now));
}
