/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stria for C++17: owners that release themselves, typed views of elements, std::mdspan where the
 * standard library has it. Header only, over the C functions, which take what get() and out() give:
 *
 *     stria::array a = stria::array::zeros<float>({512, 512, 3});
 *     stria::view v;
 *     stria::check(stria_permute(v.out(), a.get(), 3, order));
 *     auto pixels = v.as<float, 3>();
 *     pixels(0, 1, 2) = 1;
 *
 * Errors, as in std::filesystem: a function throws stria::error, or has a form with a last argument
 * stria_status &, which receives the status (OK too) and throws nothing. Built without exceptions,
 * only the latter exist. After a status other than OK the result is empty.
 */
#ifndef STRIA_STRIA_HPP
#define STRIA_STRIA_HPP

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

#if defined __has_include
#if __has_include(<version>)
#include <version>
#endif
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif
#ifdef __cpp_exceptions
#include <stdexcept>
#include <string>
#endif

#include "stria.h"

namespace stria
{

#ifdef __cpp_exceptions
/* A refusal: the status, and as what() the message of the C function or of this header. */
class error : public std::runtime_error
{
  public:
    explicit error(stria_status status) : error(status, stria_last_error()) {}
    error(stria_status status, const std::string &message)
        : std::runtime_error(message), status_(status)
    {
    }
    stria_status status() const noexcept
    {
        return status_;
    }

  private:
    stria_status status_;
};

/* Throws stria::error unless the status is OK. */
inline void check(stria_status status)
{
    if (status != STRIA_OK) throw error(status);
}

/* Throws where the library that runs is not that of these headers: for who loads it by name. */
inline void check_version()
{
    check(stria_version_check(STRIA_VERSION));
}
#endif

/* ---- dtypes --------------------------------------------------------------------------------- */

namespace detail
{

template <class T> struct is_complex : std::false_type {
};
template <> struct is_complex<std::complex<float>> : std::true_type {
};
template <> struct is_complex<std::complex<double>> : std::true_type {
};

template <class T> constexpr stria_kind integer_kind()
{
    constexpr bool sign = std::is_signed_v<T>;
    switch (sizeof(T)) {
    case 1: return sign ? STRIA_I8 : STRIA_U8;
    case 2: return sign ? STRIA_I16 : STRIA_U16;
    case 4: return sign ? STRIA_I32 : STRIA_U32;
    default: return sign ? STRIA_I64 : STRIA_U64;
    }
}

} // namespace detail

/* Tells whether items of a type are elements: bool, integers, float, double, complex of the two. */
template <class T>
inline constexpr bool
    is_element_v = (std::is_integral_v<T> && sizeof(T) <= 8) || std::is_same_v<T, float> ||
                   std::is_same_v<T, double> || detail::is_complex<T>::value;

/* The kind of the elements that are of type T, which may be const. */
template <class T> constexpr stria_kind kind_of()
{
    using U = std::remove_cv_t<T>;
    static_assert(is_element_v<U>, "elements are bool, integers, float, double or complex of them");
    if constexpr (std::is_same_v<U, bool>)
        return STRIA_BOOL;
    else if constexpr (std::is_integral_v<U>)
        return detail::integer_kind<U>();
    else if constexpr (detail::is_complex<U>::value)
        return sizeof(U) == 8 ? STRIA_C64 : STRIA_C128;
    else
        return sizeof(U) == 4 ? STRIA_F32 : STRIA_F64;
}

template <class T> stria_dtype dtype_of() noexcept
{
    return stria_dtype_of(kind_of<T>());
}

/* ---- typed views ---------------------------------------------------------------------------- */

/*
 * N dims of elements of type T as C++ has them: native byte order, aligned, no lazy bits. T is
 * const for reading only. It borrows the memory, like any view; strides are in bytes, of any sign.
 * Indices are not checked.
 */
template <class T, std::size_t N> class typed_view
{
  public:
    using element_type = T;

    typed_view() = default;

    template <class... Index> T &operator()(Index... index) const noexcept
    {
        static_assert(sizeof...(Index) == N, "one index for each dim");
        const std::array<std::int64_t, N> at{static_cast<std::int64_t>(index)...};
        return (*this)[at];
    }
    T &operator[](const std::array<std::int64_t, N> &index) const noexcept
    {
        std::int64_t offset = 0;
        for (std::size_t d = 0; d < N; d++)
            offset += index[d] * strides_[d];
        return *reinterpret_cast<T *>(data_ + offset);
    }

    T *data() const noexcept
    {
        return reinterpret_cast<T *>(data_);
    }
    std::int64_t extent(std::size_t dim) const noexcept
    {
        return shape_[dim];
    }
    std::int64_t stride_bytes(std::size_t dim) const noexcept
    {
        return strides_[dim];
    }

    /* Calls f with every element, in C order of the indices. */
    template <class F> void for_each(F &&f) const
    {
        std::array<std::int64_t, N> at{};
        for (const std::int64_t size : shape_)
            if (size == 0) return;
        for (;;) {
            f((*this)[at]);
            std::size_t d = N;
            while (d > 0 && ++at[d - 1] == shape_[d - 1])
                at[--d] = 0;
            if (d == 0) return;
        }
    }

#ifdef __cpp_lib_mdspan
    using mdspan_type = std::mdspan<T, std::dextents<std::int64_t, N>, std::layout_stride>;

    /*
     * The same as std::mdspan, whose strides are in elements and not negative. The status is STRIDE
     * where these are others, and the span is empty then.
     */
    mdspan_type mdspan(stria_status &status) const noexcept
    {
        std::array<std::int64_t, N> steps{};
        status = STRIA_OK;
        for (std::size_t d = 0; d < N; d++) {
            steps[d] = strides_[d] / std::int64_t{sizeof(T)};
            if (strides_[d] < 0 || strides_[d] % std::int64_t{sizeof(T)}) status = STRIA_ERR_STRIDE;
        }
        if (status != STRIA_OK) return {};
        return {data(), {std::dextents<std::int64_t, N>(shape_), steps}};
    }
#ifdef __cpp_exceptions
    mdspan_type mdspan() const
    {
        stria_status status;
        const mdspan_type out = mdspan(status);
        if (status != STRIA_OK)
            throw error(status, "mdspan: strides are negative or no whole number of elements");
        return out;
    }
#endif
#endif

  private:
    friend class view;
    char *data_ = nullptr;
    std::array<std::int64_t, N> shape_{}, strides_{};
};

/* ---- views ---------------------------------------------------------------------------------- */

/* A stria_view that begins cleared, and that gives the pointers that C functions take. */
class view
{
  public:
    view() noexcept
    {
        view_.data = nullptr;
        view_.buffer = nullptr;
        view_.dtype = {};
        view_.flags = 0;
        view_.ndim = 0;
    }
    view(const stria_view &other) noexcept
    {
        assign(other);
    }
    view(const view &other) noexcept
    {
        assign(other.view_);
    }
    view &operator=(const view &other) noexcept
    {
        assign(other.view_);
        return *this;
    }

    /*
     * For functions that read a view. There is no conversion without a name, which would compare
     * and subtract pointers where views were meant, and let a pointer outlive a temporary.
     */
    const stria_view *get() const noexcept
    {
        return &view_;
    }
    const stria_view *operator->() const noexcept
    {
        return &view_;
    }
    /* For functions that make a view: stria_reverse_dims(v.out(), v.get()). */
    stria_view *out() noexcept
    {
        return &view_;
    }

    int ndim() const noexcept
    {
        return view_.ndim;
    }
    std::int64_t extent(int dim) const noexcept
    {
        return view_.shape[dim];
    }
    std::int64_t numel() const noexcept
    {
        return stria_numel(&view_);
    }
    stria_dtype dtype() const noexcept
    {
        return view_.dtype;
    }

    /*
     * The elements as objects of C++. DTYPE: they are of another type, byte-swapped, or lazily
     * negated or conjugated (stria_clone_new makes plain ones); SHAPE: not of N dims; READONLY: T
     * is not const; STRIDE: not aligned; UNSUPPORTED: a meta buffer.
     */
    template <class T, std::size_t N> typed_view<T, N> as(stria_status &status) const noexcept
    {
        typed_view<T, N> out;
        status = check_as<T>(N);
        if (status != STRIA_OK) return out;
        out.data_ = view_.data;
        for (std::size_t d = 0; d < N; d++) {
            out.shape_[d] = view_.shape[d];
            out.strides_[d] = view_.strides[d];
        }
        return out;
    }
#ifdef __cpp_exceptions
    template <class T, std::size_t N> typed_view<T, N> as() const
    {
        stria_status status;
        const typed_view<T, N> out = as<T, N>(status);
        if (status != STRIA_OK) throw error(status, not_as(dtype_of<T>(), N));
        return out;
    }
#endif

  private:
#ifdef __cpp_exceptions
    std::string not_as(stria_dtype wanted, std::size_t dims) const
    {
        char name[32], found[512];
        (void)stria_dtype_format(name, sizeof name, NULL, wanted);
        if (stria_describe(found, sizeof found, nullptr, &view_) != STRIA_OK)
            return std::string("as: ") + stria_last_error();
        return std::string("as: no plain elements of ") + name + " in " + std::to_string(dims) +
               " dims: " + found;
    }
#endif

    /* Only the dims that exist, as the library copies views. */
    void assign(const stria_view &other) noexcept
    {
        view_.data = other.data;
        view_.buffer = other.buffer;
        view_.dtype = other.dtype;
        view_.flags = other.flags;
        view_.ndim = other.ndim;
        for (int d = 0; d < other.ndim; d++) {
            view_.shape[d] = other.shape[d];
            view_.strides[d] = other.strides[d];
        }
    }
    template <class T> stria_status check_as(std::size_t dims) const noexcept
    {
        const auto address = reinterpret_cast<std::uintptr_t>(view_.data);
        if (!stria_dtype_equal(view_.dtype, dtype_of<T>()) ||
            (view_.flags & (STRIA_CONJ | STRIA_NEG)))
            return STRIA_ERR_DTYPE;
        if (view_.ndim < 0 || static_cast<std::size_t>(view_.ndim) != dims) return STRIA_ERR_SHAPE;
        if (!view_.data || stria_buffer_is_meta(view_.buffer)) return STRIA_ERR_UNSUPPORTED;
        if (!std::is_const_v<T> && !stria_is_writable(&view_)) return STRIA_ERR_READONLY;
        bool aligned = address % alignof(T) == 0;
        for (int d = 0; d < view_.ndim; d++)
            aligned = aligned && (view_.shape[d] < 2 ||
                                  view_.strides[d] % static_cast<std::int64_t>(alignof(T)) == 0);
        return aligned || stria_numel(&view_) == 0 ? STRIA_OK : STRIA_ERR_STRIDE;
    }

    stria_view view_;
};

/* ---- arrays --------------------------------------------------------------------------------- */

/* A stria_array that releases itself. It moves, and is copied by clone(). */
class array
{
  public:
    array() noexcept = default;
    array(array &&other) noexcept
    {
        take(other);
    }
    array &operator=(array &&other) noexcept
    {
        if (this == &other) return *this;
        stria_array_release(&array_);
        take(other);
        return *this;
    }
    array(const array &) = delete;
    array &operator=(const array &) = delete;
    ~array()
    {
        stria_array_release(&array_);
    }

    /* For functions that read a view. */
    const stria_view *get() const noexcept
    {
        return &array_.view;
    }
    const stria_view *operator->() const noexcept
    {
        return &array_.view;
    }
    stria::view view() const noexcept
    {
        return {array_.view};
    }
    /* For functions that fill an owner, which release what it owned: stria_clone_new(a.out(),
     * b.get(), NULL).
     */
    stria_array *out() noexcept
    {
        return &array_;
    }
    /* Hands the reference over to C, which releases it. */
    stria_array release() noexcept
    {
        const stria_array out = array_;
        array_.owned = nullptr;
        clear();
        return out;
    }

    int ndim() const noexcept
    {
        return array_.view.ndim;
    }
    std::int64_t extent(int dim) const noexcept
    {
        return array_.view.shape[dim];
    }
    std::int64_t numel() const noexcept
    {
        return stria_numel(&array_.view);
    }
    stria_dtype dtype() const noexcept
    {
        return array_.view.dtype;
    }
    template <class T, std::size_t N> typed_view<T, N> as(stria_status &status) const noexcept
    {
        return view().as<T, N>(status);
    }

    using sizes = std::initializer_list<std::int64_t>;

    static array zeros(stria_dtype dtype, sizes shape, stria_status &status) noexcept
    {
        array made;
        status = stria_zeros(made.out(), dtype, static_cast<int>(shape.size()), shape.begin());
        return made;
    }
    static array empty(stria_dtype dtype, sizes shape, stria_status &status) noexcept
    {
        array made;
        status = stria_empty(made.out(), dtype, static_cast<int>(shape.size()), shape.begin());
        return made;
    }
    template <class T> static array zeros(sizes shape, stria_status &status) noexcept
    {
        return zeros(dtype_of<T>(), shape, status);
    }
    template <class T> static array empty(sizes shape, stria_status &status) noexcept
    {
        return empty(dtype_of<T>(), shape, status);
    }
    /* A copy of any view in new memory. */
    static array clone(const stria_view *of, stria_status &status) noexcept
    {
        array made;
        status = stria_clone_new(made.out(), of, NULL);
        return made;
    }

#ifdef __cpp_exceptions
    template <class T, std::size_t N> typed_view<T, N> as() const
    {
        return view().as<T, N>();
    }
    static array zeros(stria_dtype dtype, sizes shape)
    {
        stria_status status;
        array made = zeros(dtype, shape, status);
        check(status);
        return made;
    }
    static array empty(stria_dtype dtype, sizes shape)
    {
        stria_status status;
        array made = empty(dtype, shape, status);
        check(status);
        return made;
    }
    template <class T> static array zeros(sizes shape)
    {
        return zeros(dtype_of<T>(), shape);
    }
    template <class T> static array empty(sizes shape)
    {
        return empty(dtype_of<T>(), shape);
    }
    static array clone(const stria_view *of)
    {
        stria_status status;
        array made = clone(of, status);
        check(status);
        return made;
    }
#endif

  private:
    void clear() noexcept
    {
        array_.view.data = nullptr;
        array_.view.buffer = nullptr;
        array_.view.dtype = {};
        array_.view.flags = 0;
        array_.view.ndim = 0;
    }
    void take(array &other) noexcept
    {
        array_ = other.release();
    }

    stria_array array_{};
};

} // namespace stria

#endif
