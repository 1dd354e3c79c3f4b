/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the forms with exec of functions whose own form has none; calls within them obey it. */
#ifndef STRIA_OPS_WITH_EXEC_H
#define STRIA_OPS_WITH_EXEC_H

#include "ops/operands.h"

/*
 * A row has the name of a function and the types of its parameters, whose number is `_n`; its form
 * with exec has the same parameters, and exec.
 */
#define VIEW  const stria_view *
#define VIEWS const stria_view *const *
#define ARRAY stria_array *
#define WITH_EXEC(name, parameters, arguments)                                                     \
    stria_status stria_##name##_with(PARAMETERS parameters, const stria_exec *exec)                \
    {                                                                                              \
        OBEYS(exec);                                                                               \
        STRIA_TRY(stria__check_exec(exec, #name));                                                 \
        return stria_##name arguments;                                                             \
    }
#define PARAMETERS(...)                  __VA_ARGS__
#define WITH_EXEC_2(name, A, B)          WITH_EXEC(name, (A a, B b), (a, b))
#define WITH_EXEC_3(name, A, B, C)       WITH_EXEC(name, (A a, B b, C c), (a, b, c))
#define WITH_EXEC_4(name, A, B, C, D)    WITH_EXEC(name, (A a, B b, C c, D d), (a, b, c, d))
#define WITH_EXEC_5(name, A, B, C, D, E) WITH_EXEC(name, (A a, B b, C c, D d, E e), (a, b, c, d, e))
#define WITH_EXEC_6(name, A, B, C, D, E, F)                                                        \
    WITH_EXEC(name, (A a, B b, C c, D d, E e, F f), (a, b, c, d, e, f))
#define WITH_EXEC_7(name, A, B, C, D, E, F, G)                                                     \
    WITH_EXEC(name, (A a, B b, C c, D d, E e, F f, G g), (a, b, c, d, e, f, g))

#endif
