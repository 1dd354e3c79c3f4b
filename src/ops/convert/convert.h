/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What has to happen to the values of a copy: nothing, or a conversion of dense rows that the copy
 * engine calls between gathering and scattering.
 */
#ifndef STRIA_SRC_OPS_CONVERT_H
#define STRIA_SRC_OPS_CONVERT_H

#include "stria/threads.h"
#include "stria/view.h"

struct conversion {
    /* n items from in to out, both dense, any address, not overlapping. NULL: the bytes are right.
     */
    void (*row)(const struct conversion *how, char *out, const char *in, int64_t n);
    int32_t out_item, in_item; /* bytes of what row counts as an item */
    int32_t parts;             /* such items in one element of the views */
    stria_dtype to, from;
    uint32_t flags; /* STRIA_NEG, STRIA_CONJ: what row resolves */
};

/* From src's values to dst's. DTYPE, naming both dtypes, when there is no such conversion. */
stria_status stria__convert(struct conversion *out, const stria_view *dst, const stria_view *src,
                            const stria_exec *exec);

#endif
