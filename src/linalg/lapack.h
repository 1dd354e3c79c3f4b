/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of a LAPACK with Fortran's interface: every argument is a pointer, and behind them
 * stands the length of each text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stria/status.h"

/* ROUTINE(name, name for complex numbers) */
#define LAPACK_ROUTINES(ROUTINE)                                                                   \
    ROUTINE(gesv, gesv)                                                                            \
    ROUTINE(getrf, getrf)                                                                          \
    ROUTINE(potrf, potrf)                                                                          \
    ROUTINE(geqrf, geqrf)                                                                          \
    ROUTINE(orgqr, ungqr)                                                                          \
    ROUTINE(gesdd, gesdd)                                                                          \
    ROUTINE(syevd, heevd)                                                                          \
    ROUTINE(trtrs, trtrs)                                                                          \
    ROUTINE(geev, geev)

typedef void lapack_function(void); /* A function of any type; the caller casts it. */

#define ROUTINE(name, of_complex) LAPACK_##name,
enum lapack_routine { LAPACK_ROUTINES(ROUTINE) LAPACK_COUNT };
#undef ROUTINE

/* Each routine for f32, f64, c64 and c128. */
struct lapack {
    lapack_function *of[4][LAPACK_COUNT];
    bool wide;         /* Integers have 64 bits. */
    bool concurrent;   /* Several threads may call it at once. */
    char name[256];    /* The file; "" where there is none. */
    char missing[256]; /* What STRIA_LAPACK names in vain. */
};

/* Sets *out to the LAPACK in use, on behalf of op. UNSUPPORTED where there is none. */
stria_status stria__lapack(const struct lapack **out, const char *op);

/* An integer for LAPACK, of either width. */
struct lapack_integer {
    int64_t wide;
    int32_t narrow;
};

static inline struct lapack_integer lapack_integer(int64_t value)
{
    return (struct lapack_integer){value, (int32_t)value};
}

static inline void *lapack_at(const struct lapack *l, struct lapack_integer *i)
{
    return l->wide ? (void *)&i->wide : (void *)&i->narrow;
}

static inline int64_t lapack_value(const struct lapack *l, const struct lapack_integer *i)
{
    return l->wide ? i->wide : i->narrow;
}
