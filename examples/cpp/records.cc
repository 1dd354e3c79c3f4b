/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs of a program: their members are views, which are read, sorted by and written. */
#include <cstdio>
#include <vector>

#include <stria/stria.hpp>

using namespace stria;

struct trade {
    double price;
    std::int32_t amount, customer;
};

int main()
{
    std::vector<trade> trades(100000);
    rng random(5);
    auto price = wrap_field(trades, &trade::price);
    auto amount = wrap_field(trades, &trade::amount),
         customer = wrap_field(trades, &trade::customer);
    const shape all_of_them = price.shape();
    price = random.uniform<double>(all_of_them, 1, 100);
    amount = random.integers<std::int32_t>(all_of_them, -5, 6);
    customer = random.integers<std::int32_t>(all_of_them, 0, 1000);
    array<double> turnover = zeros<double>({1000});
    index_add(turnover, customer, price * abs(amount));
    const array<std::int64_t> best = argsort(turnover, 0, true)(slice(10));
    price *= where(isin(customer, best), 0.9, 1.0);
    array<double> after = zeros<double>({1000});
    index_add(after, customer, price * abs(amount));
    std::printf("records %.0f\n", sum(turnover));
    return !allclose(take(after, best), take(turnover, best) * 0.9) || trades[7].price != price(7);
}
