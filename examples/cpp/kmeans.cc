/* SPDX-License-Identifier: BSD-3-Clause */
/* Points around eight centres are found again: distances of all points to all centres at once. */
#include <cstdio>

#include <stria/stria.hpp>

using namespace stria;

int main()
{
    const std::int64_t points = 20000, k = 8;
    rng random(1);
    const array<float> truth = random.normal<float>({k, 4}, 0, 10);
    const array<std::int64_t> home = arange<std::int64_t>(points) % k;
    const array<float> x = take(truth, home, 0) + random.normal<float>({points, 4});
    array<float> centres = x(slice(k));
    array<std::int64_t> nearest;
    for (int round = 0; round < 10; round++) {
        array<float> apart = zeros<float>({points, k});
        for (int d = 0; d < 4; d++)
            apart += square(x(all, d)(all, newaxis) - centres(all, d));
        nearest = argmin(apart, 1);
        array<float> sums = zeros<float>({k, 4});
        index_add(sums, nearest, x);
        centres = sums / maximum(cast<float>(bincount(nearest, k)), 1).eval()(all, newaxis);
    }
    std::printf("kmeans %lld of %lld at home\n",
                static_cast<long long>(count_nonzero(nearest == home)),
                static_cast<long long>(points));
    return count_nonzero(nearest == home) < points * 9 / 10;
}
