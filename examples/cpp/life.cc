/* SPDX-License-Identifier: BSD-3-Clause */
/* Conway's Game of Life, in bytes, on a torus: a glider comes back to where it began. */
#include <cstdio>

#include <stria/stria.hpp>

using namespace stria;

int main()
{
    const std::int64_t n = 128;
    array<std::uint8_t> wide = zeros<std::uint8_t>({n + 2, n + 2});
    view<std::uint8_t> cells = wide("1:-1, 1:-1");
    cells(slice(3), slice(3)) = array<std::uint8_t>{{0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    const array<std::uint8_t> first = cells;
    for (std::int64_t step = 0; step < 4 * n; step++) {
        wide[0] = wide[n]; /* what is beyond an edge is the other edge */
        wide[n + 1] = wide[1];
        wide(all, 0) = wide(all, n);
        wide(all, n + 1) = wide(all, 1);
        const auto near = [&](int i, int j) { return wide(slice(i, n + i), slice(j, n + j)); };
        const auto around = near(0, 0) + near(0, 1) + near(0, 2) + near(1, 0) + near(1, 2) +
                            near(2, 0) + near(2, 1) + near(2, 2);
        cells = around == 3 || (around == 2 && cells == 1);
    }
    std::printf("life %lld alive\n", static_cast<long long>(sum(cells)));
    return !array_equal(cells, first);
}
