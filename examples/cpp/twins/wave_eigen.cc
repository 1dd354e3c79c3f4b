/* SPDX-License-Identifier: BSD-3-Clause */
#include <Eigen/Core>
#include <cstdio>

int main()
{
    const Eigen::ArrayXd x = Eigen::ArrayXd::LinSpaced(201, -1, 1);
    Eigen::ArrayXXd now =
        (-50 * (x.square().replicate(1, 201) + x.square().transpose().replicate(201, 1))).exp();
    Eigen::ArrayXXd before = now, next = Eigen::ArrayXXd::Zero(201, 201);
    for (int step = 0; step < 120; step++) {
        const auto mid = now.block(1, 1, 199, 199);
        next.block(1, 1, 199, 199) =
            2 * mid - before.block(1, 1, 199, 199) +
            0.25 * (now.block(0, 1, 199, 199) + now.block(2, 1, 199, 199) +
                    now.block(1, 0, 199, 199) + now.block(1, 2, 199, 199) - 4 * mid);
        before.swap(now);
        now.swap(next);
    }
    std::printf("wave %.6f\n", now.maxCoeff());
}
