/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the result of an EXPR block by block: neither the result nor the files that it is made of
 * have to fit into memory.
 */
#pragma once

#include <stdbool.h>

#include "lang/eval.h"
#include "lang/failure.h"
#include "stria/npy.h"
#include "terminal.h"

struct result {
    const char *name; /* Name of the file, for messages. */
    const stria_view *view;
    const struct waiting *waits; /* The math that computes it; NULL: the view has its elements. */
    bool fortran;                /* The order of the file. */
    bool stream;                 /* Blocks come in the order of the file. */
};

stria_status write_blocks(stria_npy_writer *writer, const struct result *result,
                          struct progress *progress, struct failure *failure);
