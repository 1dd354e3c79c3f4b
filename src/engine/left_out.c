/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a mask word by word until an element is true. */
#include "left_out.h"

#include <string.h>

bool stria__holds_nowhere(const char *row, int64_t n)
{
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, row + i, sizeof word);
        if (word) return false;
    }
    for (; i < n; i++)
        if (row[i]) return false;
    return true;
}

bool stria__is_left_out(const struct block *b, int outputs, int mask, const char *at,
                        const int64_t *n)
{
    int64_t row = 1;
    for (int k = 0; k < outputs; k++)
        if (b->stage[k] == STAGE_BLOCK) return false;
    for (int i = 0; i < b->ndim; i++) {
        const int64_t s = b->s[mask][i];
        if (n[i] == 1 || s == 0) continue;
        if (s != row) return false;
        row *= n[i];
    }
    return stria__holds_nowhere(at, row);
}
