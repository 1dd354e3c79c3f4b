/* SPDX-License-Identifier: BSD-3-Clause */
#include <Eigen/Core>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

struct trade {
    double price;
    std::int32_t amount, customer;
};
template <class T>
using members = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>, 0, Eigen::InnerStride<>>;

int main()
{
    std::vector<trade> trades(100000);
    std::mt19937 random(5);
    const Eigen::Index size = 100000;
    members<double> price(&trades[0].price, size, Eigen::InnerStride<>(sizeof(trade) / 8));
    members<std::int32_t> amount(&trades[0].amount, size, Eigen::InnerStride<>(sizeof(trade) / 4));
    members<std::int32_t> customer(&trades[0].customer, size,
                                   Eigen::InnerStride<>(sizeof(trade) / 4));
    std::uniform_real_distribution<double> prices(1, 100);
    std::uniform_int_distribution<std::int32_t> amounts(-5, 5), customers(0, 999);
    for (trade &t : trades)
        t = {prices(random), amounts(random), customers(random)};
    Eigen::ArrayXd turnover = Eigen::ArrayXd::Zero(1000);
    const Eigen::ArrayXd worth = price * amount.abs().cast<double>();
    for (Eigen::Index i = 0; i < size; i++)
        turnover(customer(i)) += worth(i);
    std::vector<int> order(1000);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return turnover(a) > turnover(b); });
    std::vector<bool> best(1000);
    for (int i = 0; i < 10; i++)
        best[std::size_t(order[std::size_t(i)])] = true;
    for (Eigen::Index i = 0; i < size; i++)
        if (best[std::size_t(customer(i))]) price(i) *= 0.9;
    std::printf("records %.0f\n", turnover.sum());
}
