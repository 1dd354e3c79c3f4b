/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A C function for each function of the registry, by number. Python's function objects and method
 * descriptors have no place for more than a pointer to one.
 */
#include "functions.h"

#define STUB(n)                                                                                    \
    static PyObject *stub_##n(PyObject *self, PyObject *const *args, Py_ssize_t count,             \
                              PyObject *names)                                                     \
    {                                                                                              \
        return py_call_entry(n, self, args, count, names);                                         \
    }
#define POINTER(n) (PyCFunction)(void (*)(void)) stub_##n,

/* Numbers are octal: 00000 .. 01777. */
/* clang-format off */
#define EIGHT(M, n)                                                                                \
    M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7)
#define SIXTY_FOUR(M, n)                                                                           \
    EIGHT(M, n##0) EIGHT(M, n##1) EIGHT(M, n##2) EIGHT(M, n##3)                                    \
    EIGHT(M, n##4) EIGHT(M, n##5) EIGHT(M, n##6) EIGHT(M, n##7)
#define ALL(M)                                                                                     \
    SIXTY_FOUR(M, 000) SIXTY_FOUR(M, 001) SIXTY_FOUR(M, 002) SIXTY_FOUR(M, 003)                    \
    SIXTY_FOUR(M, 004) SIXTY_FOUR(M, 005) SIXTY_FOUR(M, 006) SIXTY_FOUR(M, 007)                    \
    SIXTY_FOUR(M, 010) SIXTY_FOUR(M, 011) SIXTY_FOUR(M, 012) SIXTY_FOUR(M, 013)                    \
    SIXTY_FOUR(M, 014) SIXTY_FOUR(M, 015) SIXTY_FOUR(M, 016) SIXTY_FOUR(M, 017)
/* clang-format on */

ALL(STUB)

PyCFunction const py_stubs[FUNCTIONS] = {ALL(POINTER)};
