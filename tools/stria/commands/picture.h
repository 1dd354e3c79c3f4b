/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays as pictures to look at: values in 256 steps, by a colour map where there is one channel.
 */
#ifndef STRIA_TOOL_PICTURE_H
#define STRIA_TOOL_PICTURE_H

#include "lang/failure.h"
#include "stria/view.h"

struct picture {
    const char *path; /* NULL: none is wanted */
    bool gray;        /* instead of colours */
    bool ranged;      /* from low to high; else from the least to the largest finite value */
    double low, high;
};

/* Reads "LOW,HIGH". */
bool picture_range(struct picture *out, const char *text);

/*
 * Writes a, (height, width) or with 1 to 4 channels behind, as a PNG file at path. u8 and u16 of
 * several channels stay as they are where no range is given. NaN is shown as the least value.
 */
stria_status picture_write(const char *path, const struct picture *picture, const stria_view *a,
                           struct failure *failure);

#endif
