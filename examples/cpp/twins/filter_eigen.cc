/* SPDX-License-Identifier: BSD-3-Clause */
#include <Eigen/Core>
#include <cstdio>
#include <random>
#include <unsupported/Eigen/FFT>
#include <vector>

int main()
{
    const int n = 1 << 16;
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(n, 0, 100.0 * (n - 1) / n);
    const Eigen::VectorXd clean = (t.array() * 6.283185307179586).sin();
    Eigen::VectorXd signal =
        clean + Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
    Eigen::VectorXcd spectrum;
    Eigen::FFT<double> fft;
    fft.fwd(spectrum, signal);
    spectrum.segment(200, n - 399).setZero();
    fft.inv(signal, spectrum);
    std::printf("filter %.4f\n", (signal - clean).norm() / clean.norm());
}
