/* SPDX-License-Identifier: BSD-3-Clause */
/* Logistic regression by gradient descent: products of matrices beside fused expressions. */
#include <cstdio>

#include <stria/stria.hpp>

using namespace stria;

int main()
{
    rng random(2);
    const array<double> x = random.normal<double>({2000, 20}), truth = random.normal<double>({20});
    const array<double> y = cast<double>(matmul(x, truth) > 0);
    array<double> w = zeros<double>({20});
    for (int step = 0; step < 200; step++)
        w -= matmul(x.T(), sigmoid(matmul(x, w)) - y) * (1.0 / 2000);
    const double right = mean(cast<double>((matmul(x, w) > 0) == (y > 0.5)));
    std::printf("regression %.4f right\n", right);
    return right < 0.95;
}
