/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of stria.hpp have in common, with and without exceptions. */
#ifndef STRIA_TESTS_CPP_CHECK_HPP
#define STRIA_TESTS_CPP_CHECK_HPP

#include <cstdio>

#include "stria/stria.hpp"

inline int failures;

#define CHECK(...)                                                                                 \
    do {                                                                                           \
        if (!(__VA_ARGS__)) {                                                                      \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__);                          \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* The call ends in a status other than OK. */
#define REFUSED(wanted, ...)                                                                       \
    do {                                                                                           \
        const auto attempted = stria::attempt([&] { (void)(__VA_ARGS__); });                       \
        if (attempted.status() != (wanted)) {                                                      \
            std::printf("%s:%d: status %d of %s: %s\n", __FILE__, __LINE__,                        \
                        static_cast<int>(attempted.status()), #__VA_ARGS__, attempted.message());  \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* Tells whether x has these elements in C order. */
template <class X> bool has(const X &x, std::initializer_list<double> wanted)
{
    auto at = wanted.begin();
    bool equal = x.size() == wanted.size();
    for (auto it = x.begin(); equal && it != x.end(); ++it)
        equal = static_cast<double>(*it) == *at++;
    return equal;
}

#endif
