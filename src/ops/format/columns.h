/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements that are shown, and the items they consist of. */
#ifndef STRIA_OPS_FORMAT_COLUMNS_H
#define STRIA_OPS_FORMAT_COLUMNS_H

#include "ops/format/item.h"

struct format_job {
    const stria_view *a;
    stria_format_options options;
    struct column *columns; /* one, or one for each field that is no record */
    int count;
    bool cut;
};

/* Makes the columns and finds out how wide they are. The caller releases them. MEMORY. */
stria_status stria__format_measure(struct format_job *job);
void stria__format_release(struct format_job *job);

/* Writes one element: an item, or the fields of a record in parentheses. */
void stria__format_element(struct text *out, const struct format_job *job, const char *item);

#endif
