/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of libstria_linalg begin with these. They call public functions of libstria and those
 * that are marked STRIA_FOR_LINALG, and read none of its variables.
 */
#pragma once

#include "machine/fp_mode.h"

static inline void fp_mode_before(const uint32_t *before)
{
    stria__fp_restore(*before);
}

/* The first line of a function of linear algebra: in the default mode, and as its exec says. */
#define LINALG_COMPUTES(exec)                                                                      \
    __attribute__((cleanup(fp_mode_before), unused)) const uint32_t fp_before =                    \
        stria__fp_set_default();                                                                   \
    OBEYS(exec)
