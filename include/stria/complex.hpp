/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of std::complex<float> and std::complex<double>, and the functions that they alone have.
 */
#ifndef STRIA_COMPLEX_HPP
#define STRIA_COMPLEX_HPP

#include <complex>

#include "stria.hpp"

namespace stria
{

namespace detail
{

template <class R> struct element<std::complex<R>> {
    static constexpr int kind = std::is_same_v<R, float>    ? STRIA_C64
                                : std::is_same_v<R, double> ? STRIA_C128
                                                            : NO_KIND;
};
template <> struct type_of_kind<STRIA_C64> {
    using type = std::complex<float>;
};
template <> struct type_of_kind<STRIA_C128> {
    using type = std::complex<double>;
};

template <class R, class From> struct number_as<std::complex<R>, From> {
    static std::complex<R> of(From from)
    {
        return std::complex<R>(static_cast<R>(from));
    }
};
template <class R, class S> struct number_as<std::complex<R>, std::complex<S>> {
    static std::complex<R> of(std::complex<S> from)
    {
        return {static_cast<R>(from.real()), static_cast<R>(from.imag())};
    }
};
template <class R> struct number_as<std::complex<R>, std::complex<R>> {
    static std::complex<R> of(std::complex<R> from)
    {
        return from;
    }
};

/* The parts of elements of E have its rights. */
template <class E> struct part_of {
    using type = typename E::value_type;
};
template <class E> struct part_of<const E> {
    using type = const typename E::value_type;
};

} // namespace detail

/* Views of the parts: real(z) = 0 writes into z. */
template <class E> view<typename detail::part_of<E>::type> real(const view<E> &z)
{
    return view<typename detail::part_of<E>::type>(
        detail::viewed([&](stria_view *out) { return stria_real(out, z.c()); }));
}
template <class E> view<typename detail::part_of<E>::type> imag(const view<E> &z)
{
    return view<typename detail::part_of<E>::type>(
        detail::viewed([&](stria_view *out) { return stria_imag(out, z.c()); }));
}
template <class E> auto real(array<E> &z)
{
    return real(z());
}
template <class E> auto imag(array<E> &z)
{
    return imag(z());
}
template <class E> auto real(const array<E> &z)
{
    return real(z());
}
template <class E> auto imag(const array<E> &z)
{
    return imag(z());
}
template <class E, class Code> auto real(const expression<E, Code> &z)
{
    return real(view<const E>(z));
}
template <class E, class Code> auto imag(const expression<E, Code> &z)
{
    return imag(view<const E>(z));
}
/* The conjugates, in a new array. */
template <class X, class = detail::for_array<X>> array<detail::value_of<X>> conj(const X &x)
{
    const detail::handle a = detail::whole(x);
    return array<detail::value_of<X>>(detail::made([&](stria_array *out) {
        stria_view lazy;
        const stria_status status = stria_conj(&lazy, a.c());
        return status == STRIA_OK ? stria_clone_new(out, &lazy, detail::exec()) : status;
    }));
}

} // namespace stria

#endif
