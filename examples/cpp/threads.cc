/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the program, each with a part of an array, and calls that start no threads of theirs.
 */
#include <cstdio>
#include <thread>
#include <vector>

#include <stria/stria.hpp>

using namespace stria;

int main()
{
    const int parts = 4;
    const array<float> x = linspace<float>(0, 10, 1 << 20);
    array<float> y = zeros<float>({1 << 20});
    std::vector<std::thread> team;
    for (int part = 0; part < parts; part++)
        team.emplace_back([part, from = x.reshape({parts, -1}), to = y.reshape({parts, -1})] {
            exec_scope one(stria::threads(1));
            to[part] = sin(from[part]) * exp(-from[part]) + 1;
        });
    for (std::thread &one : team)
        one.join();
    std::printf("threads %.6f\n", static_cast<double>(mean(y)));
    return !array_equal(y, sin(x) * exp(-x) + 1);
}
