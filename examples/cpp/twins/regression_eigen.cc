/* SPDX-License-Identifier: BSD-3-Clause */
#include <Eigen/Dense>
#include <cstdio>
#include <random>

int main()
{
    std::mt19937 random(2);
    std::normal_distribution<double> normal;
    const auto draw = [&] { return normal(random); };
    const Eigen::MatrixXd x = Eigen::MatrixXd::NullaryExpr(2000, 20, draw);
    const Eigen::VectorXd truth = Eigen::VectorXd::NullaryExpr(20, draw);
    const Eigen::VectorXd y = ((x * truth).array() > 0).cast<double>();
    Eigen::VectorXd w = Eigen::VectorXd::Zero(20);
    for (int step = 0; step < 200; step++)
        w -= x.transpose() * ((1 / (1 + (-(x * w)).array().exp())).matrix() - y) * (1.0 / 2000);
    const double right = (((x * w).array() > 0) == (y.array() > 0.5)).cast<double>().mean();
    std::printf("regression %.4f right\n", right);
}
