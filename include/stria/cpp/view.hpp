/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays and views. array<T> owns its elements and is a value: copies copy elements. view<T> refers
 * to elements and keeps their memory alive. Assigning to either writes elements.
 */
#ifndef STRIA_CPP_VIEW_HPP
#define STRIA_CPP_VIEW_HPP

#include <iosfwd>

#include "elements.hpp"
#include "expression.hpp"
#include "index.hpp"

namespace stria
{

namespace detail
{

/* The type of elements that may only be read; array<> and view<> know at run time. */
template <class E> struct reading {
    using type = const E;
};
template <> struct reading<any_element> {
    using type = any_element;
};
template <class E> using reading_t = typename reading<std::remove_const_t<E>>::type;

template <class E> inline constexpr bool is_dynamic = std::is_same_v<E, any_element>;
template <class E> inline constexpr bool is_const_element = std::is_const_v<E>;

/* Tells whether elements may be assigned: by PyTorch's same_kind, no float becomes an integer. */
template <class To, class From> constexpr bool assigns()
{
    if constexpr (is_dynamic<std::remove_const_t<To>> || is_dynamic<From>)
        return true;
    else
        return category_of(element<From>::kind) <= category_of(element<To>::kind);
}
#define STRIA_CPP_ASSIGNS(To, From)                                                                \
    static_assert(detail::assigns<To, From>(),                                                     \
                  "elements lose what they are (float to integer, number to bool): cast<T>(...)")

/* Tells whether all subscripts are integers. */
template <class... I> inline constexpr bool are_integers = (is_index<I> && ...);

template <class V, class... I> decltype(auto) subscripted(const handle &h, const I &...i)
{
    using E = typename V::element_type;
    if constexpr (are_integers<I...> && !is_dynamic<E>) {
        return element_at<E>(h.c(), i...);
    } else {
        const stria_index_item items[] = {item_of(i)...};
        return V(indexed(h, static_cast<int>(sizeof...(I)), items));
    }
}

/* Writes the elements of an operand into a view. */
template <class X> void write_elements(const stria_view *out, X &&x)
{
    if constexpr (class_of<X> == A_HOLDER)
        check(stria_copy_cast(out, x.c(), STRIA_CAST_SAME_KIND, exec()));
    else
        check(evaluate(x.evaluation(), out, nullptr));
}

/* One element of a list, which ranks behind a list, so that {{1}, {2}} are two rows. */
template <class E> struct listed {
    template <class X, class = std::enable_if_t<is_element_v<X>>>
    listed(const X &x) : value(number_as<E, X>::of(x))
    {
        static_assert(assigns<E, X>(), "these numbers are no such elements: cast them");
    }
    E value;
};
template <> struct listed<any_element> {
};

inline void write_number(const stria_view *out, const leaf &number)
{
    stria_view room;
    check(stria_fill(out, view_of(number, &room), exec()));
}

struct put_text {
    template <class Stream> static bool into(void *stream, const char *text, std::size_t size)
    {
        Stream &s = *static_cast<Stream *>(stream);
        s.write(text, static_cast<std::ptrdiff_t>(size));
        return static_cast<bool>(s);
    }
};

template <class E, class Code> struct attempted<expression<E, Code>> {
    using type = array<E>;
};

} // namespace detail

/* What containers of the standard call the types of their elements. */
#define STRIA_CPP_TYPES                                                                            \
    using size_type = std::size_t;                                                                 \
    using difference_type = std::ptrdiff_t;                                                        \
    using reference = E &;                                                                         \
    using const_reference = const value_type &;                                                    \
    using iterator = element_iterator<E>;                                                          \
    using const_iterator = element_iterator<detail::reading_t<E>>;

template <class E> class view : public detail::holder
{
  public:
    using element_type = E;
    using value_type = std::remove_const_t<E>;
    STRIA_CPP_TYPES

    view() noexcept = default;
    view(const view &other) noexcept = default;
    view(view &&other) noexcept = default;

    /* Refers to the elements of an array, or to those of a view for reading. */
    view(array<value_type> &a) noexcept : holder(detail::handle_of(a)) {}
    template <class U, class = std::enable_if_t<std::is_same_v<U, value_type> &&
                                                (std::is_const_v<E> || detail::is_dynamic<E>)>>
    view(const array<U> &a) noexcept : holder(detail::handle_of(a))
    {
    }
    template <class U, class = std::enable_if_t<std::is_same_v<const U, E>>, class = void>
    view(const view<U> &v) noexcept : holder(detail::handle_of(v))
    {
    }
    /* A view of elements that an array that goes, or an expression, leaves behind; the latter for
     * reading, as nobody else would see what is written. */
    view(array<value_type> &&a) noexcept : holder(std::move(detail::handle_of(a))) {}
    template <class F, class Code,
              class = std::enable_if_t<detail::is_dynamic<E> ||
                                       (std::is_const_v<E> &&
                                        detail::element<F>::kind == detail::element<E>::kind)>>
    view(const expression<F, Code> &e) : holder(detail::handle_of(array<F>(e)))
    {
    }
    /* Any array or view as view<>. */
    template <
        class X,
        class = std::enable_if_t<detail::is_dynamic<E> && detail::class_of<X> == detail::A_HOLDER &&
                                 !detail::is_dynamic<typename detail::bare<X>::value_type>>,
        class = void, class = void>
    view(const X &x) noexcept : holder(detail::handle_of(x))
    {
    }
    explicit view(detail::handle h) noexcept : holder(std::move(h)) {}

    /* A view of what a view of the C library shows, whose memory it keeps alive where it can. */
    static view from(const stria_view *v)
    {
        if (!detail::has_elements(v, detail::element<E>::kind, !std::is_const_v<E>)) return view();
        const stria_index_item whole = detail::item_of(ellipsis);
        return view(
            detail::viewed([&](stria_view *out) { return stria_index(out, v, 1, &whole); }));
    }

    /* ---- writing ---- */

    view &operator=(const view &x)
    {
        return write(x);
    }
    template <class X, class = std::enable_if_t<detail::class_of<X> != detail::NO_OPERAND>>
    view &operator=(X &&x)
    {
        return write(std::forward<X>(x));
    }
    /* Refers to other elements from now on. */
    void rebind(view other) noexcept
    {
        handle_ = std::move(other.handle_);
    }
    template <class X> view &fill(const X &value)
    {
        return write(value);
    }
    /* Exchanges the elements of two views of one shape: swap(a[0], a[1]). */
    friend void swap(view a, view b)
    {
        if (a.shape() != b.shape()) {
            check(stria_fail(STRIA_ERR_SHAPE, "swap: views of two shapes"));
            return;
        }
        const array<value_type> kept = a;
        if (!kept.valid()) return;
        const auto write = [](const stria_view *to, const stria_view *from) {
            return stria_copy_cast(to, from, STRIA_CAST_SAME_KIND, detail::exec());
        };
        stria_status status = write(a.c(), b.c());
        if (status == STRIA_OK) {
            status = write(b.c(), kept.c());
            if (status != STRIA_OK) (void)write(a.c(), kept.c()); /* Nothing changes. */
        }
        check(status);
    }
#define STRIA_CPP_UPDATE(self, op)                                                                 \
    template <class X> self &operator op##=(X &&x)                                                 \
    {                                                                                              \
        return write(*this op std::forward<X>(x));                                                 \
    }
#define STRIA_CPP_UPDATES(self)                                                                    \
    STRIA_CPP_UPDATE(self, +)                                                                      \
    STRIA_CPP_UPDATE(self, -)                                                                      \
    STRIA_CPP_UPDATE(self, *)                                                                      \
    STRIA_CPP_UPDATE(self, /)                                                                      \
    STRIA_CPP_UPDATE(self, %)                                                                      \
    STRIA_CPP_UPDATE(self, &)                                                                      \
    STRIA_CPP_UPDATE(self, |)                                                                      \
    STRIA_CPP_UPDATE(self, ^)                                                                      \
    STRIA_CPP_UPDATE(self, <<)                                                                     \
    STRIA_CPP_UPDATE(self, >>)
    STRIA_CPP_UPDATES(view)

    /* ---- elements ---- */

    /* Integers for all dims give an element, whose indices are checked; else a view. */
    template <class... I, class = std::enable_if_t<sizeof...(I) != 0>>
    decltype(auto) operator()(const I &...i) const
    {
        return detail::subscripted<view>(handle_, i...);
    }
    view operator()(const char *subscript) const
    {
        return view(detail::indexed(handle_, subscript));
    }
    view operator()() const noexcept
    {
        return *this;
    }
    /* a[i] is a view of one dim less. */
    template <class I> view operator[](const I &i) const
    {
        const stria_index_item items[] = {detail::item_of(i)};
        return view(detail::indexed(handle_, 1, items));
    }
    /* The only element. */
    decltype(auto) item() const
    {
        static_assert(!detail::is_dynamic<E>, "say which type: as<T>().item()");
        const bool one = size() == 1;
        if (!one)
            check(stria_fail(STRIA_ERR_SHAPE, "item: there are %lld elements",
                             static_cast<long long>(size())));
        return static_cast<E &>(*detail::elements_at<E>(one ? c()->data : detail::nowhere()));
    }
    /*
     * The elements in C order, of which random access costs a division for each dim. A view that
     * goes would leave its iterators behind: give it a name.
     */
    iterator begin() const &
    {
        return iterator(c(), 0);
    }
    iterator end() const &
    {
        return iterator(c(), static_cast<std::int64_t>(size()));
    }
    const_iterator cbegin() const &
    {
        return const_iterator(c(), 0);
    }
    const_iterator cend() const &
    {
        return const_iterator(c(), static_cast<std::int64_t>(size()));
    }
    iterator begin() const && = delete;
    iterator end() const && = delete;
    /* The first of elements that lie one after the other in C order; STRIDE for others. */
    E *data() const
    {
        if (!is_contiguous())
            check(
                stria_fail(STRIA_ERR_STRIDE, "data: the elements do not lie one after the other"));
        return detail::elements_at<E>(c()->data);
    }
    /* N dims whose elements are found without checks, for loops. */
    template <std::size_t N> stria::elements<E, N> elements() const
    {
        return stria::elements<E, N>(c());
    }
    /* The same elements as those of a type that was not known before; DTYPE, READONLY. */
    template <class U> view<U> as() const
    {
        const bool fits = detail::has_elements(c(), detail::element<U>::kind, !std::is_const_v<U>);
        return fits ? view<U>(handle_) : view<U>();
    }

    /* ---- views ---- */

    view T() const
    {
        return made([this](stria_view *out) { return stria_reverse_dims(out, c()); });
    }
    view permute(const dims &order) const
    {
        return made(
            [&](stria_view *out) { return stria_permute(out, c(), order.count(), order.data()); });
    }
    view swapaxes(int dim0, int dim1) const
    {
        return made([&](stria_view *out) { return stria_transpose(out, c(), dim0, dim1); });
    }
    /* One size may be -1. STRIDE where no view has that shape: copy first. */
    view reshape(const stria::shape &to) const
    {
        return made(
            [&](stria_view *out) { return stria_view_shape(out, c(), to.ndim(), to.data()); });
    }
    view ravel() const
    {
        return reshape({-1});
    }
    view squeeze() const
    {
        return made([this](stria_view *out) { return stria_squeeze(out, c()); });
    }
    view flip(int dim) const
    {
        return made([&](stria_view *out) {
            return stria_slice(out, c(), dim, STRIA_NONE, STRIA_NONE, -1);
        });
    }
    view diagonal(std::int64_t offset = 0, int dim0 = 0, int dim1 = 1) const
    {
        return made([&](stria_view *out) { return stria_diagonal(out, c(), offset, dim0, dim1); });
    }
    view<detail::reading_t<E>> broadcast_to(const stria::shape &to) const
    {
        return view<detail::reading_t<E>>(detail::viewed(
            [&](stria_view *out) { return stria_broadcast_to(out, c(), to.ndim(), to.data()); }));
    }
    /* All windows of that shape, as dims behind the others, for reading. */
    view<detail::reading_t<E>> windows(const stria::shape &window) const
    {
        return view<detail::reading_t<E>>(detail::viewed([&](stria_view *out) {
            return stria_sliding_window_view(out, c(), window.ndim(), window.data(), nullptr,
                                             false);
        }));
    }
    /* One field of records, as "mass" or "position.x". */
    template <class U = any_element> view<U> field(const char *name) const
    {
        view<> found(
            detail::viewed([&](stria_view *out) { return stria_view_field(out, c(), name); }));
        return found.template as<U>();
    }

  private:
    template <class F> static view made(F &&f)
    {
        return view(detail::viewed(f));
    }
    template <class X> view &write(X &&x)
    {
        static_assert(!std::is_const_v<E>, "these elements may only be read");
        using V = detail::value_of<X>;
        if constexpr (detail::class_of<X> == detail::A_NUMBER) {
            detail::leaf number;
            constexpr int kind = detail::element<value_type>::kind;
            if constexpr (!detail::is_dynamic<E>)
                static_assert(detail::assigns<E, V>(), "the number is no such element: cast it");
            detail::put_number<kind>(&number, x);
            detail::write_number(c(), number);
        } else {
            STRIA_CPP_ASSIGNS(E, V);
            detail::write_elements(c(), x);
        }
        return *this;
    }
};

template <class E> class array : public detail::holder
{
  public:
    using element_type = E;
    using value_type = E;
    STRIA_CPP_TYPES

    /* Owns nothing yet: assign to it. */
    array() noexcept = default;
    array(const array &other) : holder(copy_of(other.handle_)) {}
    array(array &&other) noexcept = default;
    array(std::initializer_list<detail::listed<E>> row)
    {
        if (E *at = put({static_cast<std::int64_t>(row.size())}))
            for (const detail::listed<E> &x : row)
                *at++ = x.value;
    }
    array(std::initializer_list<std::initializer_list<E>> rows)
    {
        put_nested(rows);
    }
    array(std::initializer_list<std::initializer_list<std::initializer_list<E>>> planes)
    {
        put_nested(planes);
    }
    /* The elements of a view, or of an expression, which is computed. */
    template <class X, class = std::enable_if_t<detail::is_array<X> &&
                                                !std::is_same_v<detail::bare<X>, array>>>
    array(X &&x) : holder(result_of(std::forward<X>(x)))
    {
    }
    explicit array(detail::handle h) noexcept : holder(std::move(h)) {}

    /* Takes over an array of the C library, which owns nothing then; DTYPE for other elements. */
    static array take(stria_array *a)
    {
        if (!detail::has_elements(&a->view, detail::element<E>::kind, true)) return array();
        return array(detail::made([a](stria_array *out) {
            const stria_status status = stria_array_share(out, &a->view);
            if (status == STRIA_OK) stria_array_release(a);
            return status;
        }));
    }

    /* ---- assignment: in place where the shape stays, else into new memory ---- */

    array &operator=(const array &x)
    {
        if (&x != this) assign(x);
        return *this;
    }
    array &operator=(array &&x) noexcept
    {
        handle_ = std::move(x.handle_);
        return *this;
    }
    template <class X, class = std::enable_if_t<detail::is_array<X> &&
                                                !std::is_same_v<detail::bare<X>, array>>>
    array &operator=(X &&x)
    {
        assign(std::forward<X>(x));
        return *this;
    }
    template <class X> array &fill(const X &value)
    {
        return (*this)().fill(value), *this;
    }
    /* Exchanges the arrays: no element moves, and views stay where they are. */
    friend void swap(array &a, array &b) noexcept
    {
        detail::handle kept = std::move(a.handle_);
        a.handle_ = std::move(b.handle_);
        b.handle_ = std::move(kept);
    }
    STRIA_CPP_UPDATES(array)
    /* Elements of any values in a shape; views keep the memory that they refer to. */
    void resize(const stria::shape &to)
    {
        if (valid() && shape() == to) return;
        static_assert(!detail::is_dynamic<E>, "which elements? empty(dtype, shape) makes them");
        const stria_dtype type = dtype_of<E>();
        handle_ = detail::made(
            [&](stria_array *out) { return stria_empty(out, type, to.ndim(), to.data()); });
    }

    /* ---- elements and views: those of a const array may only be read ---- */

    using reading_view = view<detail::reading_t<E>>;

    view<E> operator()() noexcept
    {
        return view<E>(handle_);
    }
    reading_view operator()() const noexcept
    {
        return reading_view(handle_);
    }
    template <class... I, class = std::enable_if_t<sizeof...(I) != 0>>
    decltype(auto) operator()(const I &...i)
    {
        return detail::subscripted<view<E>>(handle_, i...);
    }
    template <class... I, class = std::enable_if_t<sizeof...(I) != 0>>
    decltype(auto) operator()(const I &...i) const
    {
        return detail::subscripted<reading_view>(handle_, i...);
    }
#define STRIA_CPP_BOTH(name, parameters, arguments)                                                \
    auto name parameters                                                                           \
    {                                                                                              \
        return (*this)().name arguments;                                                           \
    }                                                                                              \
    auto name parameters const                                                                     \
    {                                                                                              \
        return (*this)().name arguments;                                                           \
    }
    view<E> operator()(const char *subscript)
    {
        return (*this)()(subscript);
    }
    reading_view operator()(const char *subscript) const
    {
        return (*this)()(subscript);
    }
    template <class I> view<E> operator[](const I &i)
    {
        return (*this)()[i];
    }
    template <class I> reading_view operator[](const I &i) const
    {
        return (*this)()[i];
    }
    decltype(auto) item()
    {
        return (*this)().item();
    }
    decltype(auto) item() const
    {
        return (*this)().item();
    }
    iterator begin() &
    {
        return iterator(c(), 0);
    }
    iterator end() &
    {
        return iterator(c(), static_cast<std::int64_t>(size()));
    }
    const_iterator begin() const &
    {
        return const_iterator(c(), 0);
    }
    const_iterator end() const &
    {
        return const_iterator(c(), static_cast<std::int64_t>(size()));
    }
    const_iterator cbegin() const &
    {
        return begin();
    }
    const_iterator cend() const &
    {
        return end();
    }
    iterator begin() && = delete;
    iterator end() && = delete;
    STRIA_CPP_BOTH(data, (), ())
    STRIA_CPP_BOTH(T, (), ())
    STRIA_CPP_BOTH(permute, (const dims &order), (order))
    STRIA_CPP_BOTH(swapaxes, (int dim0, int dim1), (dim0, dim1))
    STRIA_CPP_BOTH(reshape, (const stria::shape &to), (to))
    STRIA_CPP_BOTH(ravel, (), ())
    STRIA_CPP_BOTH(squeeze, (), ())
    STRIA_CPP_BOTH(flip, (int dim), (dim))
    STRIA_CPP_BOTH(diagonal, (std::int64_t offset = 0, int dim0 = 0, int dim1 = 1),
                   (offset, dim0, dim1))
    STRIA_CPP_BOTH(broadcast_to, (const stria::shape &to), (to))
    STRIA_CPP_BOTH(windows, (const stria::shape &window), (window))
#undef STRIA_CPP_BOTH
    template <std::size_t N> auto elements()
    {
        return (*this)().template elements<N>();
    }
    template <std::size_t N> auto elements() const
    {
        return (*this)().template elements<N>();
    }
    template <class U> view<U> as()
    {
        return (*this)().template as<U>();
    }
    template <class U> view<U> as() const
    {
        static_assert(std::is_const_v<U>, "a const array has elements of const");
        return (*this)().template as<U>();
    }
    template <class U = any_element> view<U> field(const char *name)
    {
        return (*this)().template field<U>(name);
    }

  private:
    static detail::handle copy_of(const detail::handle &h)
    {
        if (!h.valid()) return h;
        return detail::made(
            [&](stria_array *out) { return stria_clone_new(out, h.c(), detail::exec()); });
    }
    /* A new array of the elements of an operand. */
    template <class X> static detail::handle result_of(X &&x)
    {
        using V = detail::value_of<X>;
        STRIA_CPP_ASSIGNS(E, V);
        detail::handle h;
        if constexpr (!detail::is_dynamic<E> && !detail::is_dynamic<V> &&
                      detail::element<V>::kind != detail::element<E>::kind)
            return result_of(cast<E>(std::forward<X>(x)));
        else if constexpr (detail::class_of<X> == detail::A_HOLDER)
            h = copy_of(detail::handle_of(x));
        else
            h = detail::evaluated(x.evaluation());
        if constexpr (detail::is_dynamic<V>)
            if (!detail::has_elements(h.c(), detail::element<E>::kind, false)) h = detail::handle();
        return h;
    }
    template <class X> array &write(const X &x)
    {
        using V = typename X::value_type;
        STRIA_CPP_ASSIGNS(E, V);
        detail::write_elements(c(), x);
        return *this;
    }
    template <class X> void assign(X &&x)
    {
        using V = detail::value_of<X>;
        STRIA_CPP_ASSIGNS(E, V);
        if constexpr (!detail::is_dynamic<E> && !detail::is_dynamic<V> &&
                      detail::class_of<X> == detail::AN_EXPRESSION) {
            if constexpr (detail::element<V>::kind == detail::element<E>::kind)
                detail::assign(handle_, x.evaluation());
            else
                detail::assign(handle_, cast<E>(std::forward<X>(x)).evaluation());
        } else {
            if constexpr (!detail::is_dynamic<E> && detail::class_of<X> == detail::A_HOLDER)
                if (valid() && x.valid() && x.shape() == shape()) {
                    detail::write_elements(c(), x);
                    return;
                }
            detail::handle made = result_of(std::forward<X>(x));
            if (made.valid()) handle_ = std::move(made);
        }
    }
    /* Takes memory of a shape; without exceptions there may be none. */
    E *put(const stria::shape &to)
    {
        handle_ = detail::made([&](stria_array *out) {
            return stria_empty(out, dtype_of<E>(), to.ndim(), to.data());
        });
        return valid() ? detail::elements_at<E>(c()->data) : nullptr;
    }
    /* Tells whether all rows have the size of the first. */
    template <class L> static bool are_even(const L &rows)
    {
        for (const auto &row : rows)
            if (row.size() != rows.begin()->size()) {
                check(stria_fail(STRIA_ERR_SHAPE, "array: rows of %d and of %d elements",
                                 static_cast<int>(rows.begin()->size()),
                                 static_cast<int>(row.size())));
                return false;
            }
        return true;
    }
    using rows_list = std::initializer_list<std::initializer_list<E>>;
    static E *put_rows(E *at, const rows_list &rows)
    {
        for (const auto &row : rows)
            for (const E &x : row)
                *at++ = x;
        return at;
    }
    void put_nested(const rows_list &rows)
    {
        if (!are_even(rows)) return;
        E *at = put({static_cast<std::int64_t>(rows.size()),
                     static_cast<std::int64_t>(rows.size() ? rows.begin()->size() : 0)});
        if (at) put_rows(at, rows);
    }
    void put_nested(const std::initializer_list<rows_list> &planes)
    {
        const rows_list first = planes.size() ? *planes.begin() : rows_list();
        bool even = are_even(planes);
        for (const rows_list &rows : planes)
            even = even && are_even(rows) &&
                   (!rows.size() || rows.begin()->size() == first.begin()->size());
        if (!even) {
            check(stria_fail(STRIA_ERR_SHAPE, "array: planes have rows of several sizes"));
            return;
        }
        E *at =
            put({static_cast<std::int64_t>(planes.size()), static_cast<std::int64_t>(first.size()),
                 static_cast<std::int64_t>(first.size() ? first.begin()->size() : 0)});
        if (at)
            for (const rows_list &rows : planes)
                at = put_rows(at, rows);
    }
};
#undef STRIA_CPP_TYPES
#undef STRIA_CPP_UPDATES
#undef STRIA_CPP_UPDATE
#undef STRIA_CPP_ASSIGNS

template <class T> array(std::initializer_list<T>) -> array<T>;
template <class T> array(std::initializer_list<std::initializer_list<T>>) -> array<T>;
template <class T>
array(std::initializer_list<std::initializer_list<std::initializer_list<T>>>) -> array<T>;
template <class X, class = detail::for_array<X>> array(X &&) -> array<detail::value_of<X>>;
template <class E> view(array<E> &) -> view<E>;
template <class E> view(array<E> &&) -> view<E>;
template <class E> view(const array<E> &) -> view<detail::reading_t<E>>;
template <class E, class Code> view(const expression<E, Code> &) -> view<detail::reading_t<E>>;

namespace detail
{

/* A number as an array without dims. */
template <class X> handle array_of_number(const X &x)
{
    leaf number;
    stria_view room;
    put_value(&number, x, false);
    return made(
        [&](stria_array *out) { return stria_clone_new(out, view_of(number, &room), exec()); });
}

/* The elements of an operand in memory: its own, or those of an expression, which is computed. */
template <class X> handle whole(const X &x)
{
    if constexpr (class_of<X> == A_HOLDER)
        return handle_of(x);
    else if constexpr (class_of<X> == AN_EXPRESSION)
        return handle_of(array<typename X::value_type>(x));
    else
        return array_of_number(x);
}

} // namespace detail

/* Prints elements as Python does. */
template <class C, class Traits, class X, class = detail::for_array<X>>
std::basic_ostream<C, Traits> &operator<<(std::basic_ostream<C, Traits> &stream, const X &x)
{
    using S = std::basic_ostream<C, Traits>;
    check(stria_format_to(detail::put_text::into<S>, static_cast<void *>(&stream),
                          detail::whole(x).c(), nullptr, detail::exec()));
    return stream;
}

} // namespace stria

#endif
