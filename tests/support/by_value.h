/* SPDX-License-Identifier: BSD-3-Clause */
/* Owners and views as values, which tests write in one line. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "stria/array.h"

/* An owner of the memory that the view lies in. */
static inline stria_array shared_of(const stria_view *view)
{
    stria_array out = {0};
    if (stria_array_share(&out, view) != STRIA_OK) abort();
    return out;
}

/* The same view, read-only. */
static inline stria_view readonly_of(const stria_view *a)
{
    stria_view out;
    if (stria_view_readonly(&out, a) != STRIA_OK) abort();
    return out;
}
