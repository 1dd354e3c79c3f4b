/* SPDX-License-Identifier: BSD-3-Clause */
#include <Eigen/Core>
#include <cstdio>
#include <thread>
#include <vector>

int main()
{
    const int parts = 4, size = 1 << 20;
    const Eigen::ArrayXf x = Eigen::ArrayXf::LinSpaced(size, 0, 10);
    Eigen::ArrayXf y(size);
    std::vector<std::thread> team;
    for (int part = 0; part < parts; part++)
        team.emplace_back([&, part] {
            const auto from = x.segment(part * size / parts, size / parts);
            y.segment(part * size / parts, size / parts) = from.sin() * (-from).exp() + 1;
        });
    for (std::thread &one : team)
        one.join();
    std::printf("threads %.6f\n", double(y.mean()));
}
