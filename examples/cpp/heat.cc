/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat spreads over a plate: five views of one array, one pass over memory for each step. */
#include <cmath>
#include <cstdio>

#include <stria/stria.hpp>

using namespace stria;

int main()
{
    const slice mid(1, -1), low(0, -2), high(2, none);
    array<float> u = zeros<float>({256, 256});
    u(slice(96, 160), slice(96, 160)) = 100;
    array<float> next = u;
    for (int step = 0; step < 500; step++) {
        next(mid, mid) = u(mid, mid) + 0.1F * (u(low, mid) + u(high, mid) + u(mid, low) +
                                               u(mid, high) - 4 * u(mid, mid));
        std::swap(u, next);
    }
    std::printf("heat %.0f\n", static_cast<double>(sum(u)));
    return std::abs(sum(u) - 409600) > 10; /* little has reached the edges, where it goes */
}
