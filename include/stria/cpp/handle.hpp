/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counted nodes. Arrays, views and expressions hold nodes: a view of the C library with a reference
 * to its memory. A node never changes but for the elements, so that whatever holds one reads the
 * memory that it was made of.
 */
#ifndef STRIA_CPP_HANDLE_HPP
#define STRIA_CPP_HANDLE_HPP

#include <atomic>
#include <cstdint>
#include <initializer_list>

#include "element.hpp"
#include "error.hpp"

namespace stria
{

namespace detail
{

/* Integers, and names of an enum that convert to them. */
template <class I>
inline constexpr bool is_index = (std::is_integral_v<I> ||
                                  (std::is_enum_v<I> && std::is_convertible_v<I, int>)) &&
                                 !std::is_same_v<I, bool>;
template <class I> using for_index = std::enable_if_t<is_index<I>>;

/* A number of any type of integers, std::size_t among them, within braces. */
struct whole_number {
    std::int64_t value;
    template <class I, class = for_index<I>>
    constexpr whole_number(I number) noexcept : value(static_cast<std::int64_t>(number))
    {
    }
};

} // namespace detail

/*
 * A shape, strides or counts: up to 64 numbers, as {2, v.size()}, one number without braces, or
 * shape(sizes) of a container of integers.
 */
class shape
{
  public:
    shape() noexcept = default;
    shape(std::initializer_list<detail::whole_number> sizes)
    {
        for (const detail::whole_number size : sizes)
            add(size.value);
    }
    template <class I, class = detail::for_index<I>> shape(I size)
    {
        add(static_cast<std::int64_t>(size));
    }
    template <class C, class = detail::for_index<typename C::value_type>, class = void>
    explicit shape(const C &sizes)
    {
        for (const auto size : sizes)
            add(static_cast<std::int64_t>(size));
    }
    shape(const std::int64_t *sizes, int count)
    {
        for (int d = 0; d < count; d++)
            add(sizes[d]);
    }
    shape(const shape &other) noexcept
    {
        *this = other;
    }
    shape &operator=(const shape &other) noexcept
    {
        ndim_ = other.ndim_;
        for (int d = 0; d < ndim_; d++)
            size_[d] = other.size_[d];
        return *this;
    }
    int ndim() const noexcept
    {
        return ndim_;
    }
    std::size_t size() const noexcept
    {
        return static_cast<std::size_t>(ndim_);
    }
    const std::int64_t *data() const noexcept
    {
        return size_;
    }
    const std::int64_t *begin() const noexcept
    {
        return size_;
    }
    const std::int64_t *end() const noexcept
    {
        return size_ + ndim_;
    }
    std::int64_t operator[](int dim) const noexcept
    {
        return size_[dim];
    }
    friend bool operator==(const shape &a, const shape &b) noexcept
    {
        bool equal = a.ndim_ == b.ndim_;
        for (int d = 0; equal && d < a.ndim_; d++)
            equal = a.size_[d] == b.size_[d];
        return equal;
    }
    friend bool operator!=(const shape &a, const shape &b) noexcept
    {
        return !(a == b);
    }

  private:
    void add(std::int64_t size)
    {
        if (ndim_ < STRIA_MAX_NDIM)
            size_[ndim_++] = size;
        else
            check(stria_fail(STRIA_ERR_DIM, "shape: there are at most %d dims",
                             static_cast<int>(STRIA_MAX_NDIM)));
    }
    int ndim_ = 0;
    std::int64_t size_[STRIA_MAX_NDIM];
};

/* One dim or several, negative ones from the end; no other numbers, as in max(a, 0.5). */
class dims
{
  public:
    template <class I, class = detail::for_index<I>> dims(I dim) noexcept : count_(1)
    {
        dim_[0] = static_cast<int>(dim);
    }
    dims(std::initializer_list<int> several) : count_(0)
    {
        for (const int dim : several)
            if (count_ < STRIA_MAX_NDIM) dim_[count_++] = dim;
    }
    static dims all() noexcept
    {
        dims made(0);
        made.count_ = STRIA_ALL_DIMS;
        return made;
    }
    int count() const noexcept
    {
        return count_;
    }
    const int *data() const noexcept
    {
        return dim_;
    }

  private:
    int count_;
    int dim_[STRIA_MAX_NDIM];
};

namespace detail
{

struct node {
    std::atomic<std::int64_t> references;
    stria_array a;
};

/* Noinline, so that compilers do not take the memory for one that nobody initialized. */
STRIA_CPP_NOINLINE inline node *node_made()
{
    node *const n = new node;
    n->references.store(1, std::memory_order_relaxed);
    n->a.owned = nullptr;
    n->a.view.data = nullptr;
    n->a.view.buffer = nullptr;
    n->a.view.dtype = {};
    n->a.view.flags = 0;
    n->a.view.ndim = 0;
    return n;
}

STRIA_CPP_NOINLINE inline void node_freed(node *n) noexcept
{
    stria_array_release(&n->a);
    delete n;
}

inline node *node_retained(node *n) noexcept
{
    if (n) n->references.fetch_add(1, std::memory_order_relaxed);
    return n;
}

inline void node_released(node *n) noexcept
{
    if (n && n->references.fetch_sub(1, std::memory_order_acq_rel) == 1) node_freed(n);
}

/* What stands for the view of nothing; functions of C refuse it. */
inline const stria_view no_view = {};

class handle
{
  public:
    handle() noexcept = default;
    handle(const handle &other) noexcept : node_(node_retained(other.node_)) {}
    handle(handle &&other) noexcept : node_(other.node_)
    {
        other.node_ = nullptr;
    }
    handle &operator=(handle other) noexcept
    {
        node *const old = node_;
        node_ = other.node_;
        other.node_ = old;
        return *this;
    }
    ~handle()
    {
        node_released(node_);
    }

    /* A new node, for functions that make an array or, followed by keep(), a view. */
    static handle fresh()
    {
        handle made;
        made.node_ = node_made();
        return made;
    }
    /* Takes a reference to the memory of a view that a function of C has made. */
    handle keep() &&
    {
        node_->a.owned = stria_buffer_retain(node_->a.view.buffer);
        return std::move(*this);
    }

    bool valid() const noexcept
    {
        return node_ != nullptr;
    }
    const stria_view *c() const noexcept
    {
        return node_ ? &node_->a.view : &no_view;
    }
    stria_view *out() noexcept
    {
        return &node_->a.view;
    }
    stria_array *array() noexcept
    {
        return &node_->a;
    }
    node *retained() const noexcept
    {
        return node_retained(node_);
    }
    node *taken() noexcept
    {
        node *const n = node_;
        node_ = nullptr;
        return n;
    }

  private:
    node *node_ = nullptr;
};

/* The handle of an array that f makes: made([&](stria_array *out) { return stria_eye(out, ...); }).
 */
template <class F> handle made(F &&f)
{
    handle h = handle::fresh();
    const stria_status status = f(h.array());
    check(status);
    return status == STRIA_OK ? h : handle();
}

/* The handle of a view that f makes. */
template <class F> handle viewed(F &&f)
{
    handle h = handle::fresh();
    const stria_status status = f(h.out());
    check(status);
    return status == STRIA_OK ? std::move(h).keep() : handle();
}

/* Refuses elements that are not plain ones of a kind, which C++ cannot refer to. */
STRIA_CPP_COLD inline void refuse_elements(const stria_view *v, int kind)
{
    char text[200];
    if (stria_describe(text, sizeof text, nullptr, v) != STRIA_OK) text[0] = '\0';
    char name[32] = "";
    check(stria_dtype_format(name, sizeof name, nullptr,
                             stria_dtype_of(static_cast<stria_kind>(kind))));
    check(stria_fail(STRIA_ERR_DTYPE, "no plain elements of %s: %s", name, text));
}

/*
 * Tells whether a view has plain elements of a kind, native, aligned, without lazy bits, and
 * refuses others; elements that are written have to be writable.
 */
inline bool has_elements(const stria_view *v, int kind, bool writes)
{
    if (kind == ANY_KIND) return true;
    if (v->dtype.kind != kind || v->dtype.swapped || (v->flags & (STRIA_CONJ | STRIA_NEG)) ||
        !stria_is_aligned(v) || stria_buffer_is_meta(v->buffer)) {
        refuse_elements(v, kind);
        return false;
    }
    if (!writes || stria_is_writable(v)) return true;
    check(stria_fail(STRIA_ERR_READONLY, "the elements may only be read: use a view of const"));
    return false;
}

} // namespace detail
} // namespace stria

#endif
