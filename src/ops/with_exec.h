/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the forms with exec of functions whose own form has none: what these call obeys it. A
 * parameter is a pair of its type and its name, or a macro that stands for some.
 */
#ifndef STRIA_SRC_OPS_WITH_EXEC_H
#define STRIA_SRC_OPS_WITH_EXEC_H

#include "base/status.h"
#include "plan/threads.h"

/* Hands each of up to 8 pairs to a macro, in a list. */
#define EACH_1(to, pair)                          to pair
#define EACH_2(to, pair, ...)                     to pair, EACH_1(to, __VA_ARGS__)
#define EACH_3(to, pair, ...)                     to pair, EACH_2(to, __VA_ARGS__)
#define EACH_4(to, pair, ...)                     to pair, EACH_3(to, __VA_ARGS__)
#define EACH_5(to, pair, ...)                     to pair, EACH_4(to, __VA_ARGS__)
#define EACH_6(to, pair, ...)                     to pair, EACH_5(to, __VA_ARGS__)
#define EACH_7(to, pair, ...)                     to pair, EACH_6(to, __VA_ARGS__)
#define EACH_8(to, pair, ...)                     to pair, EACH_7(to, __VA_ARGS__)
#define NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define EACH(to, ...)                                                                              \
    NINTH(__VA_ARGS__, EACH_8, EACH_7, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, )           \
    (to, __VA_ARGS__)

#define TYPED(type, name) type name
#define NAMED(type, name) name
#define WITH_EXEC(function, ...)                                                                   \
    stria_status stria_##function##_with(EACH(TYPED, __VA_ARGS__), const stria_exec *exec)         \
    {                                                                                              \
        OBEYS(exec);                                                                               \
        STRIA_TRY(stria__check_exec(exec, #function));                                             \
        return stria_##function(EACH(NAMED, __VA_ARGS__));                                         \
    }

#define DIMS (int, ndim), (const int *, dims)
#define OUT  (stria_array *, out)
#define A    (const stria_view *, a)
#define DIM  (int, dim)

#endif
