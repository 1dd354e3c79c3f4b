/* SPDX-License-Identifier: BSD-3-Clause */
/* A photo: grey, blurred by a window, its edges, half its size. image PATH reads another one. */
#include <cmath>
#include <cstdio>

#include <stria/stria.hpp>

using namespace stria;

int main(int count, char **arguments)
{
    const auto photo =
        map<const std::uint8_t>(count > 1 ? arguments[1] : "examples/data/astronaut.npy");
    const auto channel = [&](int c) { return cast<float>(photo(ellipsis, c)); };
    const array<float> grey = 0.299F * channel(0) + 0.587F * channel(1) + 0.114F * channel(2);
    const array<float> blurred = mean(grey.windows({5, 5}), {-2, -1});
    const auto above = grey(slice(0, -2), slice(1, -1)), below = grey(slice(2, none), slice(1, -1));
    const auto left = grey(slice(1, -1), slice(0, -2)), right = grey(slice(1, -1), slice(2, none));
    const array<float> edges = hypot(below - above, right - left);
    const array<std::uint8_t> small = cast<std::uint8_t>(blurred("::2, ::-2"));
    std::printf("image %.4f %.4f %lld x %lld\n", static_cast<double>(mean(blurred)),
                static_cast<double>(max(edges)), static_cast<long long>(small.extent(0)),
                static_cast<long long>(small.extent(1)));
    return std::abs(mean(blurred) - mean(grey)) > 2 || small.extent(0) != (grey.extent(0) - 3) / 2;
}
