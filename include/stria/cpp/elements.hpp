/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements one by one: iterators over all of them, and N dims of them for loops. */
#ifndef STRIA_CPP_ELEMENTS_HPP
#define STRIA_CPP_ELEMENTS_HPP

#include <array>
#include <cstddef>

#include "index.hpp"

namespace stria
{

/*
 * Goes over the elements of a view in C order. It belongs to the array or view that gave it, and is
 * valid as long as that holds the same elements. Rows are runs of one stride, a whole view where
 * elements lie one after the other; steps within a run add the stride.
 */
template <class E> class element_iterator
{
  public:
    /* Random access; <iterator> costs a quarter of a second to compile. */
    using iterator_category = std::array<char, 1>::reverse_iterator::iterator_category;
    using value_type = std::remove_const_t<E>;
    using difference_type = std::ptrdiff_t;
    using pointer = E *;
    using reference = E &;

    element_iterator() noexcept = default;
    element_iterator(const stria_view *v, std::int64_t at) noexcept : view_(v), at_(at)
    {
        const bool dense = v->ndim == 0 || stria_is_contiguous(v, STRIA_ORDER_C);
        run_ = dense ? stria_numel(v) : v->shape[v->ndim - 1];
        stride_ = dense ? v->dtype.itemsize : v->strides[v->ndim - 1];
        seek();
    }
    /* The same place, for reading. */
    template <class U, class = std::enable_if_t<std::is_same_v<const U, E>>>
    element_iterator(const element_iterator<U> &other) noexcept
        : view_(other.view_), at_(other.at_), run_(other.run_), stride_(other.stride_),
          left_(other.left_), data_(other.data_)
    {
    }

    E &operator*() const noexcept
    {
        return *detail::elements_at<E>(data_);
    }
    E *operator->() const noexcept
    {
        return detail::elements_at<E>(data_);
    }
    E &operator[](difference_type n) const noexcept
    {
        return *(*this + n);
    }
    element_iterator &operator++() noexcept
    {
        at_++;
        data_ += stride_;
        if (--left_ == 0) seek();
        return *this;
    }
    element_iterator &operator--() noexcept
    {
        return *this += -1;
    }
    element_iterator operator++(int) noexcept
    {
        const element_iterator before = *this;
        ++*this;
        return before;
    }
    element_iterator operator--(int) noexcept
    {
        const element_iterator before = *this;
        --*this;
        return before;
    }
    element_iterator &operator+=(difference_type n) noexcept
    {
        at_ += n;
        seek();
        return *this;
    }
    element_iterator &operator-=(difference_type n) noexcept
    {
        return *this += -n;
    }
    friend element_iterator operator+(element_iterator a, difference_type n) noexcept
    {
        return a += n;
    }
    friend element_iterator operator+(difference_type n, element_iterator a) noexcept
    {
        return a += n;
    }
    friend element_iterator operator-(element_iterator a, difference_type n) noexcept
    {
        return a -= n;
    }
    friend difference_type operator-(const element_iterator &a, const element_iterator &b) noexcept
    {
        return difference_type{a.at_ - b.at_};
    }
    friend bool operator==(const element_iterator &a, const element_iterator &b) noexcept
    {
        return a.at_ == b.at_;
    }
    friend bool operator!=(const element_iterator &a, const element_iterator &b) noexcept
    {
        return a.at_ != b.at_;
    }
    friend bool operator<(const element_iterator &a, const element_iterator &b) noexcept
    {
        return a.at_ < b.at_;
    }
    friend bool operator>(const element_iterator &a, const element_iterator &b) noexcept
    {
        return b < a;
    }
    friend bool operator<=(const element_iterator &a, const element_iterator &b) noexcept
    {
        return !(b < a);
    }
    friend bool operator>=(const element_iterator &a, const element_iterator &b) noexcept
    {
        return !(a < b);
    }

  private:
    template <class> friend class element_iterator;
    /* Finds the element of number at_, and what is left of its run; at the end there is none. */
    void seek() noexcept
    {
        std::int64_t row = run_ > 0 ? at_ / run_ : 0;
        const std::int64_t in_run = run_ > 0 ? at_ % run_ : 0;
        left_ = run_ - in_run;
        data_ = view_->data;
        if (at_ < 0 || !data_) return;
        data_ += in_run * stride_;
        for (int d = view_->ndim - 2; d >= 0 && row > 0; d--) {
            const std::int64_t size = view_->shape[d];
            data_ += row % size * view_->strides[d];
            row /= size;
        }
    }
    const stria_view *view_ = nullptr;
    std::int64_t at_ = 0, run_ = 0, stride_ = 0, left_ = 0;
    char *data_ = nullptr;
};

/*
 * N dims of elements of type E, const for reading: the address and the strides, in bytes, of any
 * sign. It borrows the memory. Indices are not checked.
 */
template <class E, std::size_t N> class elements
{
  public:
    using element_type = E;

    elements() = default;
    /* SHAPE where the view has other than N dims; its elements are of type E. */
    explicit elements(const stria_view *v)
    {
        if (v->ndim != static_cast<int>(N)) {
            check(stria_fail(STRIA_ERR_SHAPE, "elements: %d dims, asked for %d",
                             static_cast<int>(v->ndim), static_cast<int>(N)));
            return;
        }
        data_ = v->data;
        for (std::size_t d = 0; d < N; d++) {
            shape_[d] = v->shape[d];
            strides_[d] = v->strides[d];
        }
    }
    template <class... I> E &operator()(I... i) const noexcept
    {
        static_assert(sizeof...(I) == N, "one index for each dim");
        const std::int64_t at[] = {static_cast<std::int64_t>(i)..., 0};
        std::int64_t offset = 0;
        for (std::size_t d = 0; d < N; d++)
            offset += at[d] * strides_[d];
        return *detail::elements_at<E>(data_ + offset);
    }
    E *data() const noexcept
    {
        return detail::elements_at<E>(data_);
    }
    std::int64_t extent(std::size_t dim) const noexcept
    {
        return shape_[dim];
    }
    std::int64_t stride_bytes(std::size_t dim) const noexcept
    {
        return strides_[dim];
    }
    /*
     * The same as a span of several dims whose strides are elements and not negative, as
     * std::mdspan<E, std::dextents<int64_t, N>, std::layout_stride>; STRIDE for others.
     */
    template <class M> M to() const
    {
        constexpr std::int64_t item = sizeof(E);
        typename M::extents_type::index_type sizes[N > 0 ? N : 1] = {};
        typename M::extents_type::index_type steps[N > 0 ? N : 1] = {};
        for (std::size_t d = 0; d < N; d++) {
            sizes[d] = static_cast<typename M::extents_type::index_type>(shape_[d]);
            steps[d] = static_cast<typename M::extents_type::index_type>(strides_[d] / item);
            if (shape_[d] > 1 && (strides_[d] < 0 || strides_[d] % item != 0))
                check(stria_fail(STRIA_ERR_STRIDE, "elements: the stride of dim %d is %lld bytes",
                                 static_cast<int>(d), static_cast<long long>(strides_[d])));
        }
        return spanned<M>(sizes, steps, std::make_index_sequence<N>());
    }

  private:
    template <class M, class Index, std::size_t... D>
    M spanned(const Index *sizes, const Index *steps, std::index_sequence<D...>) const
    {
        const typename M::extents_type extents(sizes[D]...);
        using steps_type = decltype(std::declval<const typename M::mapping_type &>().strides());
        return M(data(), typename M::mapping_type(extents, steps_type{steps[D]...}));
    }
    char *data_ = nullptr;
    std::int64_t shape_[N > 0 ? N : 1] = {}, strides_[N > 0 ? N : 1] = {};
};

} // namespace stria

#endif
