/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of memory that the program owns, files, text in Python's syntax, functions by name. */
#ifndef STRIA_CPP_INTEROP_HPP
#define STRIA_CPP_INTEROP_HPP

#include "functions.hpp"

namespace stria
{

/* ---- memory of others ------------------------------------------------------------------------ */

/* Views memory in C order, or with strides in elements, which has to live as long as the view. */
template <class E> view<E> wrap(E *data, const shape &of)
{
    return view<E>(detail::viewed([&](stria_view *out) {
        return stria_view_foreign(out, const_cast<std::remove_const_t<E> *>(data), dtype_of<E>(),
                                  of.ndim(), of.data(), nullptr,
                                  std::is_const_v<E> ? STRIA_READONLY : 0);
    }));
}
template <class E> view<E> wrap(E *data, const shape &of, const shape &steps)
{
    std::int64_t strides[STRIA_MAX_NDIM] = {};
    for (int d = 0; d < steps.ndim(); d++)
        strides[d] = steps[d] * static_cast<std::int64_t>(sizeof(E));
    return view<E>(detail::viewed([&](stria_view *out) {
        return stria_view_foreign(out, const_cast<std::remove_const_t<E> *>(data), dtype_of<E>(),
                                  of.ndim(), of.data(), strides,
                                  std::is_const_v<E> ? STRIA_READONLY : 0);
    }));
}

namespace detail
{

/* Tells whether elements belong to a container: they are const in one that is. */
template <class X>
inline constexpr bool is_owner = !std::is_same_v<decltype(std::declval<X &>().data()),
                                                 decltype(std::declval<const X &>().data())>;
template <class X, class = void> struct is_mdspan : std::false_type {
};
template <class X>
struct is_mdspan<X, std::void_t<typename X::extents_type, decltype(std::declval<X>().stride(0))>>
    : std::true_type {
};

template <class C> void owner_freed(void *, std::int64_t, void *owner)
{
    delete static_cast<C *>(owner);
}

/* An array of memory that a container owns, which goes with the last view of it. */
template <class C, class T = typename C::value_type> array<T> taken(C &&container)
{
    C *const owner = new C(std::move(container));
    const std::int64_t size = static_cast<std::int64_t>(owner->size());
    stria_buffer *buffer = nullptr;
    const stria_status status =
        stria_buffer_wrap(&buffer, owner->data(), size * static_cast<std::int64_t>(sizeof(T)),
                          false, owner_freed<C>, owner);
    if (status != STRIA_OK) delete owner;
    check(status);
    stria_view whole;
    const stria_status made_view =
        stria_view_make(&whole, buffer, dtype_of<T>(), 1, &size, nullptr, 0);
    handle h = handle::fresh();
    const stria_status shared =
        made_view == STRIA_OK ? stria_array_share(h.array(), &whole) : made_view;
    stria_buffer_release(buffer);
    check(shared);
    return array<T>(std::move(h));
}

template <class M> auto spanned(const M &m)
{
    std::int64_t sizes[STRIA_MAX_NDIM], steps[STRIA_MAX_NDIM];
    constexpr int rank = static_cast<int>(M::rank());
    for (int d = 0; d < rank; d++) {
        const auto r = static_cast<typename M::rank_type>(d);
        sizes[d] = static_cast<std::int64_t>(m.extent(r));
        steps[d] = static_cast<std::int64_t>(m.stride(r));
    }
    return wrap(&*m.data_handle(), shape(sizes, rank), shape(steps, rank));
}

} // namespace detail

/*
 * Views a std::vector, std::array, std::span or whatever has data() and size(), or a std::mdspan,
 * which have to live as long as the view; a container that is handed over lives in the array:
 * wrap(v), wrap(std::vector<float>{...}).
 */
template <class C> auto wrap(C &&container)
{
    using X = detail::bare<C>;
    if constexpr (detail::is_mdspan<X>::value)
        return detail::spanned(container);
    else if constexpr (!std::is_lvalue_reference_v<C> && detail::is_owner<X>)
        return detail::taken(X(std::move(container)));
    else
        return wrap(container.data(), container.size());
}
template <class E, std::size_t N> view<E> wrap(E (&data)[N])
{
    return wrap(&data[0], N);
}

/* Views one member of each struct in a container: wrap_field(bodies, &body::mass). */
template <class C, class S, class T> auto wrap_field(C &container, T S::*member)
{
    using E = std::remove_reference_t<decltype(container.data()->*member)>;
    const std::int64_t size = static_cast<std::int64_t>(container.size()), stride = sizeof(S);
    return view<E>(detail::viewed([&](stria_view *out) {
        return stria_view_foreign(
            out, size ? const_cast<T *>(&(container.data()->*member)) : nullptr, dtype_of<T>(), 1,
            &size, &stride, std::is_const_v<E> ? STRIA_READONLY : 0);
    }));
}

/* A tensor of DLPack, which keeps the memory alive: its taker calls deleter. */
template <class X, class = detail::for_array<X>> stria_dl_managed *to_dlpack(const X &x)
{
    stria_dl_managed *tensor = nullptr;
    check(stria_dlpack_export(&tensor, detail::whole(x).c(), STRIA_COPY_NEVER, nullptr,
                              detail::exec()));
    return tensor;
}
/* Takes a tensor over; DTYPE, and READONLY unless T is const where it may only be read. */
template <class T> view<T> from_dlpack(stria_dl_managed *tensor)
{
    const detail::handle h =
        detail::made([&](stria_array *out) { return stria_dlpack_import(out, tensor); });
    return view<>(h).template as<T>();
}

/* ---- files ------------------------------------------------------------------------------------
 */

/* Reads a .npy file; DTYPE where its elements are others. */
template <class T = any_element> array<T> load(const char *path)
{
    return from_c<T>([&](stria_array *out) {
        return stria_npy_read(out, path, STRIA_NPY_READ, detail::exec());
    });
}
/* Maps one: pages are read when they are used, and written for T that is not const. */
template <class T> view<T> map(const char *path)
{
    const detail::handle h = detail::made([&](stria_array *out) {
        return stria_npy_read(out, path, std::is_const_v<T> ? STRIA_NPY_MAP : STRIA_NPY_MAP_RW,
                              detail::exec());
    });
    return view<>(h).template as<T>();
}
/* Makes one of zeros and maps it. */
template <class T> view<T> create(const char *path, const shape &of)
{
    const detail::handle h = detail::made([&](stria_array *out) {
        return stria_npy_create(out, path, dtype_of<T>(), of.ndim(), of.data(), STRIA_ORDER_C);
    });
    return view<>(h).template as<T>();
}
template <class X, class = detail::for_array<X>> void save(const char *path, const X &x)
{
    check(stria_npy_write(path, detail::whole(x).c(), detail::exec()));
}

/* ---- text and names ----------------------------------------------------------------------------
 */

/* A name in text and what it stands for: {"x", a}. */
class named
{
  public:
    template <class X, class = detail::for_array<X>>
    named(const char *name, const X &x) : name_(name), held_(detail::whole(x))
    {
    }
    stria_named c() const noexcept
    {
        return {name_, held_.c()};
    }

  private:
    const char *name_;
    detail::handle held_;
};

namespace detail
{

/* The results of a call, of which one array is taken; an answer becomes a 0-d array. */
class results
{
  public:
    results() noexcept : is_{} {}
    results(const results &) = delete;
    results &operator=(const results &) = delete;
    ~results()
    {
        stria_results_release(&is_);
    }
    stria_results *out() noexcept
    {
        return &is_;
    }
    stria_status take(stria_array *out)
    {
        const stria_arg *const answer = stria_results_answer(&is_);
        if (!answer) return stria_results_take(out, &is_, 0);
        stria_view number;
        stria_status status;
        switch (answer->kind) {
        case STRIA_ARG_BOOL:
            status = stria_scalar(&number, STRIA_BOOL, &answer->value.truth);
            break;
        case STRIA_ARG_INT:
            status = stria_scalar(&number, STRIA_I64, &answer->value.integer);
            break;
        case STRIA_ARG_FLOAT: status = stria_scalar(&number, STRIA_F64, &answer->value.real); break;
        default: return stria_fail(STRIA_ERR_UNSUPPORTED, "the answer is no number");
        }
        return status == STRIA_OK ? stria_clone_new(out, &number, exec()) : status;
    }

  private:
    stria_results is_;
};

template <class X> stria_arg argument(const X &x, handle *held)
{
    if constexpr (is_array<X>) {
        *held = whole(x);
        return stria_arg_view(held->c());
    } else if constexpr (std::is_same_v<X, bool>) {
        return stria_arg_bool(x);
    } else if constexpr (std::is_integral_v<X>) {
        return stria_arg_int(static_cast<std::int64_t>(x));
    } else if constexpr (std::is_floating_point_v<X>) {
        return stria_arg_float(static_cast<double>(x));
    } else {
        return stria_arg_text(x, static_cast<std::int64_t>(std::strlen(x)));
    }
}

} // namespace detail

/* Text in Python's syntax: eval<float>("(x - x.mean(0)) / y", {{"x", a}, {"y", b}}). */
template <class T = any_element>
array<T> eval(const char *text, std::initializer_list<named> operands)
{
    stria_named views[STRIA_NAMES];
    int count = 0;
    for (const named &n : operands)
        if (count < STRIA_NAMES) views[count++] = n.c();
    return from_c<T>([&](stria_array *out) {
        detail::results made;
        const stria_status status = stria_eval(made.out(), text, count, views, detail::exec());
        return status == STRIA_OK ? made.take(out) : status;
    });
}

/* Any function of PyTorch's and NumPy's names: call<double>("median", a, 0). */
template <class T = any_element, class... X> array<T> call(const char *name, const X &...x)
{
    constexpr std::size_t n = sizeof...(X);
    detail::handle held[n + 1];
    std::size_t i = 0;
    const stria_arg arguments[n + 1] = {(i++, detail::argument(x, &held[i - 1]))...,
                                        stria_arg_of(STRIA_ARG_NONE)};
    const stria_function *const function = stria_function_find(name);
    if (!function) check(stria_fail(STRIA_ERR_ARGUMENT, "call: there is no function %s", name));
    return from_c<T>([&](stria_array *out) {
        detail::results made;
        const stria_status status = stria_call(made.out(), function, STRIA_PROMOTE_TORCH,
                                               static_cast<int>(n), arguments, detail::exec());
        return status == STRIA_OK ? made.take(out) : status;
    });
}

} // namespace stria

#endif
