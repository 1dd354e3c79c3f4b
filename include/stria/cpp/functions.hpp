/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that make arrays, reduce, sort, take and join. Operations by element are expressions.
 */
#ifndef STRIA_CPP_FUNCTIONS_HPP
#define STRIA_CPP_FUNCTIONS_HPP

#include "view.hpp"

namespace stria
{

/*
 * Any function of C that makes an array:
 *     auto m = from_c<float>([&](stria_array *out) { return stria_tril_new(out, a.c(), 0, nullptr);
 * }); DTYPE where the elements are others than T.
 */
template <class T = any_element, class F> array<T> from_c(F &&f)
{
    detail::handle h = detail::made(f);
    if (!detail::has_elements(h.c(), detail::element<T>::kind, false)) return array<T>();
    return array<T>(std::move(h));
}

/* Any function of C that makes a view of memory that views refer to. */
template <class T = any_element, class F> view<T> view_from_c(F &&f)
{
    return view<>(detail::viewed(f)).template as<T>();
}

namespace detail
{

template <class T> array<T> empty_of(const stria::shape &of)
{
    return array<T>(made(
        [&](stria_array *out) { return stria_empty(out, dtype_of<T>(), of.ndim(), of.data()); }));
}

} // namespace detail

/* ---- dtypes at run time ---------------------------------------------------------------------- */

/* Arrays of any dtype: empty(stria_dtype_of(STRIA_BF16), {2, 3}), cast(x, dtype). */
inline array<> empty(stria_dtype dtype, const shape &of)
{
    return from_c([&](stria_array *out) { return stria_empty(out, dtype, of.ndim(), of.data()); });
}
inline array<> zeros(stria_dtype dtype, const shape &of)
{
    return from_c([&](stria_array *out) { return stria_zeros(out, dtype, of.ndim(), of.data()); });
}
/* The elements of x as those of a dtype, in a new array. */
template <class X, class = detail::for_array<X>> array<> cast(const X &x, stria_dtype dtype)
{
    const detail::handle a = detail::whole(x);
    return from_c([&](stria_array *out) {
        return stria_astype(out, a.c(), dtype, STRIA_CAST_UNSAFE, STRIA_COPY_ALWAYS, nullptr,
                            detail::exec());
    });
}

/* ---- making --------------------------------------------------------------------------------- */

template <class T> array<T> empty(const shape &of)
{
    return detail::empty_of<T>(of);
}
template <class T> array<T> zeros(const shape &of)
{
    return array<T>(detail::made(
        [&](stria_array *out) { return stria_zeros(out, dtype_of<T>(), of.ndim(), of.data()); }));
}
template <class T> array<T> full(const shape &of, const T &value)
{
    array<T> made = detail::empty_of<T>(of);
    made.fill(value);
    return made;
}
template <class T> array<T> ones(const shape &of)
{
    return full<T>(of, T(1));
}
/* start, start + step, ... up to stop, which is left out. */
template <class T> array<T> arange(T start, T stop, T step = T(1))
{
    return array<T>(detail::made([&](stria_array *out) {
        if constexpr (std::is_integral_v<T>)
            return stria_arange_i64(out, dtype_of<T>(), static_cast<std::int64_t>(start),
                                    static_cast<std::int64_t>(stop),
                                    static_cast<std::int64_t>(step), detail::exec());
        else
            return stria_arange_f64(out, dtype_of<T>(), static_cast<double>(start),
                                    static_cast<double>(stop), static_cast<double>(step),
                                    detail::exec());
    }));
}
template <class T> array<T> arange(T stop)
{
    return arange<T>(T(0), stop);
}
template <class T>
array<T> linspace(double start, double stop, std::int64_t count, bool endpoint = true)
{
    return array<T>(detail::made([&](stria_array *out) {
        return stria_linspace(out, dtype_of<T>(), start, stop, count, endpoint, detail::exec());
    }));
}
template <class T> array<T> eye(std::int64_t rows, std::int64_t columns = -1, std::int64_t k = 0)
{
    return array<T>(detail::made([&](stria_array *out) {
        return stria_eye(out, dtype_of<T>(), rows, columns < 0 ? rows : columns, k, detail::exec());
    }));
}

/* ---- reductions ------------------------------------------------------------------------------ */

namespace detail
{

template <stria_reduction Op, class X>
using reduced = typename type_of_kind<reduced_kind(Op, element<value_of<X>>::kind)>::type;

template <class X>
stria_status reduce_operand(const X &x, const stria_view *out, stria_array *made,
                            stria_reduction op, const dims &over,
                            const stria_reduce_options &options)
{
    if constexpr (class_of<X> == AN_EXPRESSION)
        return reduce(x.evaluation(), out, made, op, over, options);
    else if (out)
        return stria_reduce_dims(out, op, x.c(), over.count(), over.data(), &options, exec());
    else
        return stria_reduce_dims_new(made, op, x.c(), over.count(), over.data(), &options, exec());
}

template <stria_reduction Op, class X>
array<reduced<Op, X>> reduce_over(const X &x, const dims &over, bool keepdims, double ddof = 0,
                                  double p = 2)
{
    stria_reduce_options options = {};
    options.keepdims = keepdims;
    options.ddof = ddof;
    options.p = p;
    return array<reduced<Op, X>>(
        made([&](stria_array *out) { return reduce_operand(x, nullptr, out, Op, over, options); }));
}

/* All elements give a number, or a 0-d array where their type is not known. */
template <stria_reduction Op, class X> auto reduce_all(const X &x, double ddof = 0, double p = 2)
{
    using R = reduced<Op, X>;
    if constexpr (is_dynamic<R>) {
        return reduce_over<Op>(x, dims::all(), false, ddof, p);
    } else {
        R result = R();
        stria_view out;
        stria_reduce_options options = {};
        options.ddof = ddof;
        options.p = p;
        out.data = reinterpret_cast<char *>(&result);
        out.buffer = nullptr;
        out.dtype = dtype_of<R>();
        out.flags = 0;
        out.ndim = 0;
        check(reduce_operand(x, &out, nullptr, Op, dims::all(), options));
        return result;
    }
}

} // namespace detail

/* sum(x) is a number; sum(x, 0) and sum(x, {0, 2}, true) are arrays, the latter with kept dims. */
#define STRIA_CPP_REDUCTION(constant, name)                                                        \
    template <class X, class = detail::for_array<X>> auto name(const X &x)                         \
    {                                                                                              \
        return detail::reduce_all<constant>(x);                                                    \
    }                                                                                              \
    template <class X, class = detail::for_array<X>>                                               \
    auto name(const X &x, const dims &over, bool keepdims = false)                                 \
    {                                                                                              \
        return detail::reduce_over<constant>(x, over, keepdims);                                   \
    }
STRIA_CPP_REDUCTION(STRIA_SUM, sum)
STRIA_CPP_REDUCTION(STRIA_PROD, prod)
STRIA_CPP_REDUCTION(STRIA_MEAN, mean)
STRIA_CPP_REDUCTION(STRIA_MAX, max)
STRIA_CPP_REDUCTION(STRIA_MIN, min)
STRIA_CPP_REDUCTION(STRIA_ARGMAX, argmax)
STRIA_CPP_REDUCTION(STRIA_ARGMIN, argmin)
STRIA_CPP_REDUCTION(STRIA_ANY, any)
STRIA_CPP_REDUCTION(STRIA_COUNT_NONZERO, count_nonzero)
STRIA_CPP_REDUCTION(STRIA_PTP, ptp)
STRIA_CPP_REDUCTION(STRIA_LOGSUMEXP, logsumexp)
STRIA_CPP_REDUCTION(STRIA_NANSUM, nansum)
STRIA_CPP_REDUCTION(STRIA_NANMEAN, nanmean)
STRIA_CPP_REDUCTION(STRIA_NANMAX, nanmax)
STRIA_CPP_REDUCTION(STRIA_NANMIN, nanmin)
#undef STRIA_CPP_REDUCTION

struct all_type {
    template <class X, class = detail::for_array<X>> auto operator()(const X &x) const
    {
        return detail::reduce_all<STRIA_ALL>(x);
    }
    template <class X, class = detail::for_array<X>>
    auto operator()(const X &x, const dims &over, bool keepdims = false) const
    {
        return detail::reduce_over<STRIA_ALL>(x, over, keepdims);
    }
};
inline constexpr all_type all{};

/* Variances and standard deviations, whose squares are divided by the number less ddof. */
struct with_ddof {
    explicit with_ddof(double d) : ddof(d) {}
    double ddof;
};
#define STRIA_CPP_SPREAD(constant, name)                                                           \
    template <class X, class = detail::for_array<X>>                                               \
    auto name(const X &x, with_ddof less = with_ddof(0))                                           \
    {                                                                                              \
        return detail::reduce_all<constant>(x, less.ddof);                                         \
    }                                                                                              \
    template <class X, class = detail::for_array<X>>                                               \
    auto name(const X &x, const dims &over, bool keepdims = false, with_ddof less = with_ddof(0))  \
    {                                                                                              \
        return detail::reduce_over<constant>(x, over, keepdims, less.ddof);                        \
    }
STRIA_CPP_SPREAD(STRIA_VAR, var)
STRIA_CPP_SPREAD(STRIA_STD, stddev)
#undef STRIA_CPP_SPREAD

template <class X, class = detail::for_array<X>> auto norm(const X &x)
{
    return detail::reduce_all<STRIA_NORM>(x);
}
template <class X, class = detail::for_array<X>>
auto norm(const X &x, const dims &over, bool keepdims = false, double p = 2)
{
    return detail::reduce_over<STRIA_NORM>(x, over, keepdims, 0, p);
}

/* Tells whether two have one shape and equal elements, or close ones. */
template <class A, class B, class = detail::for_operands<A, B>>
bool array_equal(const A &a, const B &b)
{
    const detail::handle x = detail::whole(a), y = detail::whole(b);
    bool equal = false;
    check(stria_array_equal(&equal, x.c(), y.c(), false, detail::exec()));
    return equal;
}
template <class A, class B, class = detail::for_operands<A, B>>
bool allclose(const A &a, const B &b, double rtol = 1e-5, double atol = 1e-8)
{
    const detail::handle x = detail::whole(a), y = detail::whole(b);
    stria_tolerance tolerance = {};
    tolerance.rtol = rtol;
    tolerance.atol = atol;
    bool close = false;
    check(stria_allclose(&close, x.c(), y.c(), &tolerance, detail::exec()));
    return close;
}

/* ---- sorting, taking, scanning --------------------------------------------------------------- */

/* A function of C over the elements of x that makes an array of T. */
#define STRIA_CPP_MAKES(T, name, parameters, call)                                                 \
    template <class X, class = detail::for_array<X>> auto name parameters                          \
    {                                                                                              \
        const detail::handle a = detail::whole(x);                                                 \
        return from_c<T>([&](stria_array *out) { return call; });                                  \
    }
STRIA_CPP_MAKES(detail::value_of<X>, sort, (const X &x, int dim = -1, bool descending = false),
                stria_sort_new(out, a.c(), dim, descending, detail::exec()))
STRIA_CPP_MAKES(std::int64_t, argsort, (const X &x, int dim = -1, bool descending = false),
                stria_argsort_new(out, a.c(), dim, descending, detail::exec()))
STRIA_CPP_MAKES(detail::value_of<X>, partition, (const X &x, std::int64_t k, int dim = -1),
                stria_partition_new(out, a.c(), k, dim, detail::exec()))
STRIA_CPP_MAKES(detail::value_of<X>, unique, (const X &x),
                stria_unique_new(out, nullptr, nullptr, nullptr, a.c(), true, detail::exec()))
STRIA_CPP_MAKES(std::int64_t, nonzero, (const X &x), stria_nonzero_new(out, a.c(), detail::exec()))
STRIA_CPP_MAKES(std::int64_t, bincount, (const X &x, std::int64_t least = 0),
                stria_bincount_new(out, a.c(), least, detail::exec()))
STRIA_CPP_MAKES(std::int64_t, histogram, (const X &x, std::int64_t bins, double lo, double hi),
                stria_histogram_new(out, a.c(), bins, lo, hi, detail::exec()))
STRIA_CPP_MAKES(any_element, median,
                (const X &x, const dims &over = dims::all(), bool keepdims = false),
                stria_median_new(out, a.c(), over.count(), over.data(), keepdims, detail::exec()))
STRIA_CPP_MAKES(any_element, quantile, (const X &x, double q, const dims &over = dims::all()),
                stria_quantile_new(out, a.c(), 1, &q, over.count(), over.data(), nullptr,
                                   detail::exec()))
STRIA_CPP_MAKES(any_element, cumsum, (const X &x, int dim),
                stria_cumsum_new(out, a.c(), dim, detail::exec()))
STRIA_CPP_MAKES(any_element, cumprod, (const X &x, int dim),
                stria_cumprod_new(out, a.c(), dim, detail::exec()))
STRIA_CPP_MAKES(detail::value_of<X>, diff, (const X &x, int times = 1, int dim = -1),
                stria_diff_new(out, a.c(), times, dim, detail::exec()))
STRIA_CPP_MAKES(detail::value_of<X>, roll, (const X &x, std::int64_t shift, int dim),
                stria_roll_new(out, a.c(), 1, &shift, &dim, detail::exec()))
STRIA_CPP_MAKES(detail::value_of<X>, tile, (const X &x, const shape &times),
                stria_tile_new(out, a.c(), times.ndim(), times.data(), detail::exec()))
STRIA_CPP_MAKES(detail::value_of<X>, tril, (const X &x, std::int64_t k = 0),
                stria_tril_new(out, a.c(), k, detail::exec()))
STRIA_CPP_MAKES(detail::value_of<X>, triu, (const X &x, std::int64_t k = 0),
                stria_triu_new(out, a.c(), k, detail::exec()))
#undef STRIA_CPP_MAKES

/* The same of two operands. */
#define STRIA_CPP_MAKES_2(T, name, parameters, call)                                               \
    template <class X, class Y, class = detail::for_operands<X, Y>> auto name parameters           \
    {                                                                                              \
        const detail::handle a = detail::whole(x), b = detail::whole(y);                           \
        return from_c<T>([&](stria_array *out) { return call; });                                  \
    }
STRIA_CPP_MAKES_2(detail::value_of<X>, take, (const X &x, const Y &y, int dim),
                  stria_take_dim_new(out, a.c(), b.c(), dim, STRIA_INDEX_RAISE, detail::exec()))
STRIA_CPP_MAKES_2(detail::value_of<X>, take, (const X &x, const Y &y),
                  stria_take_new(out, a.c(), b.c(), STRIA_INDEX_RAISE, detail::exec()))
STRIA_CPP_MAKES_2(detail::value_of<X>, take_along_dim, (const X &x, const Y &y, int dim),
                  stria_take_along_dim_new(out, a.c(), b.c(), dim, detail::exec()))
STRIA_CPP_MAKES_2(detail::value_of<X>, masked_select, (const X &x, const Y &y),
                  stria_masked_select_new(out, a.c(), b.c(), detail::exec()))
STRIA_CPP_MAKES_2(bool, isin, (const X &x, const Y &y, bool invert = false),
                  stria_isin_new(out, a.c(), b.c(), invert, detail::exec()))
STRIA_CPP_MAKES_2(std::int64_t, searchsorted, (const X &x, const Y &y, bool right = false),
                  stria_searchsorted_new(out, a.c(), nullptr, b.c(), right, detail::exec()))
STRIA_CPP_MAKES_2(detail::value_of<X>, matmul, (const X &x, const Y &y),
                  stria_matmul_new(out, a.c(), b.c(), detail::exec()))
#undef STRIA_CPP_MAKES_2

/* The sum of the products of two rows, a number. */
template <class A, class B, class = detail::for_operands<A, B>> auto dot(A &&a, B &&b)
{
    return sum(std::forward<A>(a) * std::forward<B>(b));
}

/* Einstein's sums: einsum("ij,jk->ik", a, b). */
template <class X, class... Y, class = detail::for_operands<X, Y...>>
array<detail::value_of<X>> einsum(const char *subscripts, const X &x, const Y &...y)
{
    const detail::handle held[] = {detail::whole(x), detail::whole(y)...};
    const stria_view *views[1 + sizeof...(Y)];
    for (std::size_t i = 0; i < 1 + sizeof...(Y); i++)
        views[i] = held[i].c();
    return from_c<detail::value_of<X>>([&](stria_array *out) {
        return stria_einsum_new(out, subscripts, 1 + static_cast<int>(sizeof...(Y)), views,
                                detail::exec());
    });
}

#define STRIA_CPP_JOINS(name, function)                                                            \
    template <class X, class... Y, class = detail::for_operands<X, Y...>>                          \
    array<detail::value_of<X>> name(int dim, const X &x, const Y &...y)                            \
    {                                                                                              \
        const detail::handle held[] = {detail::whole(x), detail::whole(y)...};                     \
        const stria_view *views[1 + sizeof...(Y)];                                                 \
        for (std::size_t i = 0; i < 1 + sizeof...(Y); i++)                                         \
            views[i] = held[i].c();                                                                \
        return from_c<detail::value_of<X>>([&](stria_array *out) {                                 \
            return function(out, 1 + static_cast<int>(sizeof...(Y)), views, dim, detail::exec());  \
        });                                                                                        \
    }
/* Arrays one after the other along dim, or as slices of a new one: concatenate(0, a, b). */
STRIA_CPP_JOINS(concatenate, stria_cat_new)
STRIA_CPP_JOINS(stack, stria_stack_new)
#undef STRIA_CPP_JOINS

/* ---- updates of elements --------------------------------------------------------------------- */

/* out[index] = values along dim, or += where indices come several times. */
template <class E, class I, class X, class = detail::for_operands<I, X>>
void index_copy(view<E> out, const I &index, const X &values, int dim = 0)
{
    check(stria_index_copy(out.c(), detail::whole(index).c(), detail::whole(values).c(), dim,
                           STRIA_REDUCE_NONE, detail::exec()));
}
template <class E, class I, class X, class = detail::for_operands<I, X>>
void index_add(view<E> out, const I &index, const X &values, int dim = 0)
{
    check(stria_index_add(out.c(), detail::whole(index).c(), detail::whole(values).c(), nullptr,
                          dim, detail::exec()));
}
template <class E, class M, class N, class = detail::for_operands<M, N>>
void masked_fill(view<E> out, const M &mask, const N &value)
{
    detail::leaf number;
    stria_view room;
    detail::put_number<detail::element<E>::kind>(&number, value);
    check(stria_masked_fill(out.c(), detail::whole(mask).c(), detail::view_of(number, &room),
                            detail::exec()));
}
#define STRIA_CPP_OF_ARRAY(name)                                                                   \
    template <class E, class... X> void name(array<E> &out, const X &...x)                         \
    {                                                                                              \
        name(out(), x...);                                                                         \
    }
STRIA_CPP_OF_ARRAY(index_copy)
STRIA_CPP_OF_ARRAY(index_add)
STRIA_CPP_OF_ARRAY(masked_fill)
#undef STRIA_CPP_OF_ARRAY

/* ---- random numbers -------------------------------------------------------------------------- */

/* Numbers that a seed and a stream determine, on every machine; each call goes on in the sequence.
 */
class rng
{
  public:
    explicit rng(std::uint64_t seed, std::uint32_t stream = 0) noexcept : state_{}
    {
        state_.seed = seed;
        state_.stream = stream;
    }
    template <class T> array<T> uniform(const shape &of, double low = 0, double high = 1)
    {
        return drawn<T>(of, [&](const stria_view *out) {
            return stria_random_uniform(out, &state_, low, high, detail::exec());
        });
    }
    template <class T> array<T> normal(const shape &of, double mean = 0, double std = 1)
    {
        return drawn<T>(of, [&](const stria_view *out) {
            return stria_random_normal(out, &state_, mean, std, detail::exec());
        });
    }
    template <class T> array<T> integers(const shape &of, std::int64_t low, std::int64_t high)
    {
        return drawn<T>(of, [&](const stria_view *out) {
            return stria_random_integers(out, &state_, low, high, detail::exec());
        });
    }

  private:
    template <class T, class F> array<T> drawn(const shape &of, F &&f)
    {
        array<T> made = detail::empty_of<T>(of);
        check(f(made.c()));
        state_.first += static_cast<std::int64_t>(made.size());
        return made;
    }
    stria_random state_;
};

} // namespace stria

#endif
