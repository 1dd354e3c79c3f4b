/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of libstria_linalg begin with these. They call public functions of libstria and those
 * that are marked STRIA_FOR_LINALG, and read none of its variables.
 */
#ifndef STRIA_LINALG_DOOR_H
#define STRIA_LINALG_DOOR_H

#include "machine/fp_mode.h"

static inline void fp_mode_before(const uint32_t *before)
{
    stria__fp_restore(*before);
}

/* Computes in the default mode up to the end of the function. */
#define IN_FP_MODE                                                                                 \
    __attribute__((cleanup(fp_mode_before), unused)) const uint32_t fp_before =                    \
        stria__fp_set_default()

#endif
