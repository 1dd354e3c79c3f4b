/* SPDX-License-Identifier: BSD-3-Clause */
/* Subscripts: a(1, all, slice(2, none, -1), newaxis) and a("1, :, 2::-1, None"). */
#ifndef STRIA_CPP_INDEX_HPP
#define STRIA_CPP_INDEX_HPP

#include "handle.hpp"

namespace stria
{

struct none_type {
};
struct newaxis_type {
};
struct ellipsis_type {
};
inline constexpr none_type none{};
inline constexpr newaxis_type newaxis{};
inline constexpr ellipsis_type ellipsis{};

/* An end of a slice: a number, from the end where it is negative, or none. */
class bound
{
  public:
    constexpr bound(none_type) noexcept : at_(STRIA_NONE) {}
    template <class I, class = detail::for_index<I>>
    constexpr bound(I at) noexcept : at_(static_cast<std::int64_t>(at))
    {
    }
    constexpr std::int64_t at() const noexcept
    {
        return at_;
    }

  private:
    std::int64_t at_;
};

/* Python's slices: slice(stop), slice(start, stop), slice(start, stop, step). */
struct slice {
    constexpr explicit slice(bound to) noexcept : start(none), stop(to), step(none) {}
    constexpr slice(bound from, bound to, bound by = none) noexcept
        : start(from), stop(to), step(by)
    {
    }
    bound start, stop, step;
};

/* `all` is a whole dim as a subscript, and a reduction as a function (functions.hpp). */
struct all_type;

namespace detail
{

inline stria_index_item item(stria_index_kind kind, std::int64_t start, std::int64_t stop,
                             std::int64_t step) noexcept
{
    return {kind, start, stop, step, nullptr};
}
template <class I, class = for_index<I>> stria_index_item item_of(I at) noexcept
{
    return item(STRIA_INDEX_INT, static_cast<std::int64_t>(at), 0, 0);
}
inline stria_index_item item_of(const slice &s) noexcept
{
    return item(STRIA_INDEX_SLICE, s.start.at(), s.stop.at(), s.step.at());
}
inline stria_index_item item_of(const all_type &) noexcept
{
    return item(STRIA_INDEX_SLICE, STRIA_NONE, STRIA_NONE, STRIA_NONE);
}
inline stria_index_item item_of(newaxis_type) noexcept
{
    return item(STRIA_INDEX_NEWAXIS, 0, 0, 0);
}
inline stria_index_item item_of(none_type) noexcept
{
    return item(STRIA_INDEX_NEWAXIS, 0, 0, 0);
}
inline stria_index_item item_of(ellipsis_type) noexcept
{
    return item(STRIA_INDEX_ELLIPSIS, 0, 0, 0);
}

inline handle indexed(const handle &a, int count, const stria_index_item *items)
{
    return viewed([&](stria_view *out) { return stria_index(out, a.c(), count, items); });
}

/* ---- subscripts of text --------------------------------------------------------------------- */

class subscript_text
{
  public:
    explicit subscript_text(const char *text) noexcept : text_(text), at_(text) {}

    /* Reads the items, at most `room`; returns their number. */
    int read(stria_index_item *items, int room)
    {
        int count = 0;
        do {
            if (count == room || !read_item(&items[count])) return refuse();
            count++;
        } while (took(','));
        return *at_ == '\0' ? count : refuse();
    }

  private:
    int refuse() const
    {
        check(stria_fail(STRIA_ERR_FORMAT, "subscript \"%s\": column %d is no index or slice",
                         text_, static_cast<int>(at_ - text_) + 1));
        return 0;
    }
    void skip() noexcept
    {
        while (*at_ == ' ')
            at_++;
    }
    bool took(char c) noexcept
    {
        skip();
        if (*at_ != c) return false;
        at_++;
        skip();
        return true;
    }
    bool took_word(const char *word) noexcept
    {
        skip();
        const std::size_t size = std::strlen(word);
        if (std::strncmp(at_, word, size) != 0) return false;
        at_ += size;
        skip();
        return true;
    }
    bool took_number(std::int64_t *out) noexcept
    {
        skip();
        const char *at = at_ + (*at_ == '-' || *at_ == '+');
        if (*at < '0' || *at > '9') return false;
        std::int64_t number = 0;
        for (; *at >= '0' && *at <= '9'; at++) {
            if (number > INT64_MAX / 10 - 1) return false;
            number = 10 * number + (*at - '0');
        }
        *out = *at_ == '-' ? -number : number;
        at_ = at;
        skip();
        return true;
    }
    bool read_item(stria_index_item *out) noexcept
    {
        *out = item(STRIA_INDEX_SLICE, STRIA_NONE, STRIA_NONE, STRIA_NONE);
        if (took_word("...")) {
            *out = item_of(ellipsis);
            return true;
        }
        if (took_word("None") || took_word("newaxis")) {
            *out = item_of(newaxis);
            return true;
        }
        const bool number = took_number(&out->start);
        if (!took(':')) {
            out->kind = STRIA_INDEX_INT;
            return number;
        }
        (void)took_number(&out->stop);
        if (took(':')) (void)took_number(&out->step);
        return true;
    }
    const char *text_, *at_;
};

inline handle indexed(const handle &a, const char *text)
{
    enum { ROOM = 2 * STRIA_MAX_NDIM };
    stria_index_item items[ROOM];
    return indexed(a, subscript_text(text).read(items, ROOM), items);
}

/* ---- elements ------------------------------------------------------------------------------- */

STRIA_CPP_COLD inline void refuse_index(const stria_view *v, int count, const std::int64_t *index)
{
    void *at;
    check(stria_at(&at, v, count, index)); /* which says why */
    check(stria_fail(STRIA_ERR_INDEX, "index: there is no element"));
}

/* Without exceptions elements that are not there lie here. */
inline char *nowhere() noexcept
{
    alignas(16) static thread_local char item[16];
    return item;
}

/* Finds the address of an element; indices from -size .. -1 count from the end. */
inline char *address_of(const stria_view *v, int count, const std::int64_t *index)
{
    std::int64_t offset = 0;
    bool fits = count == v->ndim && v->data;
    for (int d = 0; fits && d < count; d++) {
        const std::int64_t size = v->shape[d], at = index[d] < 0 ? index[d] + size : index[d];
        fits = at >= 0 && at < size;
        offset += at * v->strides[d];
    }
    if (!fits) {
        refuse_index(v, count, index);
        return nowhere();
    }
    return v->data + offset;
}

/* A pointer to bytes that are elements. */
template <class E> E *elements_at(char *at) noexcept
{
    return static_cast<E *>(static_cast<void *>(at));
}

template <class E, class... I> E &element_at(const stria_view *v, I... i)
{
    const std::int64_t index[] = {static_cast<std::int64_t>(i)...};
    return *elements_at<E>(address_of(v, static_cast<int>(sizeof...(I)), index));
}

} // namespace detail
} // namespace stria

#endif
