/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stria for C++17: arrays and views as values, operators and functions that run fused where they
 * are assigned, over the functions of C. docs/cpp.md has it page by page.
 *
 *     stria::array<float> a{{1, 2, 3}, {4, 5, 6}};
 *     stria::array<float> c = exp(a) * 2 + a("::-1, :"); // one pass
 *     a("1:, 1:") += 100;
 *     float s = sum(a * a);
 *
 * Header only. Two parts are left out, as others than their users would pay for what they include:
 * complex.hpp (elements of std::complex) and format.hpp (std::formatter, std::string).
 */
#ifndef STRIA_STRIA_HPP
#define STRIA_STRIA_HPP

#include "cpp/interop.hpp"

#endif
