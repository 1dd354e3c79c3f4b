/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors, results that carry them, and what calls of this thread run with. With exceptions a
 * refusal throws stria::error. Without them (-fno-exceptions) it ends the program with its message,
 * but inside attempt(), which gives the status in both worlds.
 */
#ifndef STRIA_CPP_ERROR_HPP
#define STRIA_CPP_ERROR_HPP

#include <cstring>
#include <exception>
#include <type_traits>
#include <utility>

#include "../stria.h"
#ifndef __cpp_exceptions
#include <cstdio>
#include <cstdlib>
#endif

#if defined(__GNUC__)
#define STRIA_CPP_COLD     __attribute__((noinline, cold))
#define STRIA_CPP_NOINLINE __attribute__((noinline))
#else
#define STRIA_CPP_COLD
#define STRIA_CPP_NOINLINE
#endif

namespace stria
{

/* A refusal: the status, and as what() the message of the library, with its numbers. */
class error : public std::exception
{
  public:
    explicit error(stria_status status, const char *message = stria_last_error()) noexcept
        : status_(status)
    {
        const std::size_t all = std::strlen(message), room = sizeof message_ - 1;
        const std::size_t size = all < room ? all : room;
        std::memcpy(message_, message, size);
        message_[size] = '\0';
    }
    const char *what() const noexcept override
    {
        return message_;
    }
    stria_status status() const noexcept
    {
        return status_;
    }

  private:
    stria_status status_;
    char message_[508];
};

namespace detail
{

/* The first refusal inside attempt() of a program without exceptions. */
struct noted {
    stria_status status;
    int attempts;
};

inline noted &noted_here() noexcept
{
    static thread_local noted here = {STRIA_OK, 0};
    return here;
}

/* Throws; without exceptions it notes the status or ends the program. */
STRIA_CPP_COLD inline void fail(stria_status status)
{
#ifdef __cpp_exceptions
    throw error(status);
#else
    noted &here = noted_here();
    if (here.attempts == 0) {
        std::fprintf(stderr, "stria: %s\n", stria_last_error());
        std::abort();
    }
    if (here.status == STRIA_OK) here.status = status;
#endif
}

} // namespace detail

/* Throws stria::error unless the status, of any function of C, is OK. */
inline void check(stria_status status)
{
    if (status != STRIA_OK) detail::fail(status);
}

/* Throws where the library that runs is not that of these headers: for who loads it by name. */
inline void check_version()
{
    check(stria_version_check(STRIA_VERSION));
}

/* A value, or the status and message of the refusal that stands in its place. */
template <class T> class expected
{
  public:
    expected(T value) : value_(std::move(value)), why_(STRIA_OK, "") {}
    explicit expected(const stria::error &why) : value_(), why_(why) {}
    bool has_value() const noexcept
    {
        return why_.status() == STRIA_OK;
    }
    explicit operator bool() const noexcept
    {
        return has_value();
    }
    /* The value, which is a default one where has_value() is false. */
    T &operator*() noexcept
    {
        return value_;
    }
    const T &operator*() const noexcept
    {
        return value_;
    }
    T *operator->() noexcept
    {
        return &value_;
    }
    const T *operator->() const noexcept
    {
        return &value_;
    }
    /* The value; where there is none, the refusal that stands in its place. */
    T &value()
    {
        if (!has_value()) check(stria_fail(status(), "%s", message()));
        return value_;
    }
    const T &value() const
    {
        if (!has_value()) check(stria_fail(status(), "%s", message()));
        return value_;
    }
    const stria::error &error() const noexcept
    {
        return why_;
    }
    T value_or(T other) const
    {
        return has_value() ? value_ : other;
    }
    stria_status status() const noexcept
    {
        return why_.status();
    }
    const char *message() const noexcept
    {
        return why_.what();
    }

  private:
    T value_;
    stria::error why_;
};

/* What attempt() of a function without result gives. */
struct done {
};

namespace detail
{

/* The type of what attempt() keeps of a result: expressions are computed. */
template <class R> struct attempted {
    using type = R;
};
template <> struct attempted<void> {
    using type = done;
};

} // namespace detail

/*
 * Calls f and gives its result, or the refusal: auto r = stria::attempt([&] { return a + b; }).
 * Without exceptions f runs to its end behind a refusal, over empty arrays.
 */
template <class F> auto attempt(F &&f)
{
    using R = decltype(f());
    using V = typename detail::attempted<std::decay_t<R>>::type;
    const auto call = [&f]() -> V {
        if constexpr (std::is_void_v<R>)
            return f(), done();
        else
            return f();
    };
#ifdef __cpp_exceptions
    try {
        return expected<V>(call());
    } catch (const error &why) {
        return expected<V>(why);
    }
#else
    detail::noted &here = detail::noted_here();
    const detail::noted outer = here;
    here = {STRIA_OK, outer.attempts + 1};
    expected<V> made(call());
    const stria_status status = here.status;
    here = outer;
    return status == STRIA_OK ? made : expected<V>(error(status));
#endif
}

/* ---- what calls run with -------------------------------------------------------------------- */

namespace detail
{

inline thread_local const stria_exec *exec_here = nullptr;

inline const stria_exec *exec() noexcept
{
    return exec_here;
}

} // namespace detail

/* An exec of at most so many threads; its other fields may be set: hints, watch, ... */
inline stria_exec threads(int count) noexcept
{
    stria_exec made = {};
    made.threads = count;
    return made;
}

/* All calls of this thread in the scope run as the exec says: exec_scope one(threads(1)); */
class exec_scope
{
  public:
    explicit exec_scope(const stria_exec &exec) noexcept : exec_(exec), outer_(detail::exec_here)
    {
        detail::exec_here = &exec_;
    }
    ~exec_scope()
    {
        detail::exec_here = outer_;
    }
    exec_scope(const exec_scope &) = delete;
    exec_scope &operator=(const exec_scope &) = delete;

  private:
    stria_exec exec_;
    const stria_exec *outer_;
};

/*
 * The memory of arrays that are made in the scope, by any thread, comes from an allocator; it goes
 * back to it whenever it is released.
 */
class allocator_scope
{
  public:
    explicit allocator_scope(const stria_allocator &allocator)
    {
        stria_get_allocator(&outer_);
        check(stria_set_allocator(&allocator));
    }
    ~allocator_scope()
    {
        (void)(stria_set_allocator(&outer_) == STRIA_OK);
    }
    allocator_scope(const allocator_scope &) = delete;
    allocator_scope &operator=(const allocator_scope &) = delete;

  private:
    stria_allocator outer_;
};

} // namespace stria

#endif
