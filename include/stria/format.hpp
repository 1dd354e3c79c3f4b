/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays and views as text: std::string, and std::formatter where the library has it (C++20):
 * std::format("{:.3}", a) has three digits behind the point.
 */
#ifndef STRIA_FORMAT_HPP
#define STRIA_FORMAT_HPP

#include <string>

#if defined __has_include
#if __has_include(<format>) && __cplusplus >= 202002L
#include <format>
#endif
#endif

#include "stria.hpp"

namespace stria
{

/* What << prints, with so many digits behind the point; -1: the usual ones. */
template <class X, class = detail::for_array<X>>
std::string to_string(const X &x, int precision = -1)
{
    std::string text;
    stria_format_options options;
    stria_format_defaults(&options);
    if (precision >= 0) options.precision = precision;
    const auto put = [](void *to, const char *part, std::size_t size) {
        static_cast<std::string *>(to)->append(part, size);
        return true;
    };
    check(stria_format_to(put, &text, detail::whole(x).c(), &options, detail::exec()));
    return text;
}

namespace detail
{

#ifdef __cpp_lib_format
class array_formatter
{
  public:
    template <class Context> constexpr auto parse(Context &context)
    {
        auto at = context.begin();
        if (at == context.end() || *at != '.') return at;
        for (precision_ = 0, ++at; at != context.end() && *at >= '0' && *at <= '9'; ++at)
            precision_ = 10 * precision_ + (*at - '0');
        return at;
    }
    template <class X, class Context> auto format(const X &x, Context &context) const
    {
        auto at = context.out();
        for (const char c : to_string(x, precision_))
            *at++ = c;
        return at;
    }

  private:
    int precision_ = -1;
};
#endif

} // namespace detail
} // namespace stria

#ifdef __cpp_lib_format
template <class E> struct std::formatter<stria::array<E>, char> : stria::detail::array_formatter {
};
template <class E> struct std::formatter<stria::view<E>, char> : stria::detail::array_formatter {
};
template <class E, class Code>
struct std::formatter<stria::expression<E, Code>, char> : stria::detail::array_formatter {
};
#endif

#endif
