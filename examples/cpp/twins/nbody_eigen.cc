/* SPDX-License-Identifier: BSD-3-Clause */
#include <Eigen/Core>
#include <cstdio>
#include <random>

int main()
{
    const int n = 256;
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    Eigen::Array<double, 3, Eigen::Dynamic, Eigen::RowMajor> at(3, n), speed(3, n);
    at = at.NullaryExpr(3, n, [&] { return normal(random); });
    speed = speed.NullaryExpr(3, n, [&] { return normal(random) * 0.1; });
    const Eigen::ArrayXd mass = Eigen::ArrayXd::NullaryExpr(n, [&] { return uniform(random) / n; });
    Eigen::ArrayXXd d[3], push;
    for (int step = 0; step < 50; step++) {
        for (int k = 0; k < 3; k++)
            d[k] = at.row(k).transpose().replicate(1, n) - at.row(k).replicate(n, 1);
        push =
            mass.replicate(1, n) * (d[0].square() + d[1].square() + d[2].square() + 0.01).pow(-1.5);
        for (int k = 0; k < 3; k++)
            speed.row(k) += 0.01 * (d[k] * push).colwise().sum();
        at += speed * 0.01;
    }
    std::printf("nbody %.6f\n", at.matrix().norm());
}
