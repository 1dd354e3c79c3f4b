/* SPDX-License-Identifier: BSD-3-Clause */
/* 256 bodies attract each other: all pairs by broadcasting, one pass for each step and dim. */
#include <cstdio>

#include <stria/stria.hpp>

using namespace stria;

int main()
{
    const std::int64_t n = 256;
    rng random(3);
    array<double> at = random.normal<double>({3, n}), speed = random.normal<double>({3, n}) * 0.1;
    const array<double> mass = random.uniform<double>({n}, 0.5, 1.5) / n;
    const array<double> before = sum(speed * mass, 1);
    array<double> d[3], push;
    for (int step = 0; step < 50; step++) {
        for (int k = 0; k < 3; k++)
            d[k] = at[k] - at[k](all, newaxis);
        push = mass * pow(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01, -1.5);
        for (int k = 0; k < 3; k++)
            speed[k] += 0.01 * sum(d[k] * push, 1);
        at += speed * 0.01;
    }
    const double drift = norm(sum(speed * mass, 1) - before); /* momentum is kept */
    std::printf("nbody %.6f\n", norm(at));
    return drift > 1e-12;
}
