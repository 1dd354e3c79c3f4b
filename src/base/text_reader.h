/* SPDX-License-Identifier: BSD-3-Clause */
/* Literals of Python, piece by piece: marks, strings and numbers, as texts of records have them. */
#ifndef STRIA_SRC_TEXT_READER_H
#define STRIA_SRC_TEXT_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "stria/status.h"

struct reader {
    const char *begin, *at;
    int depth;
    bool align; /* records that do not say otherwise */
};

/* Returns FORMAT with what was expected, and where. */
stria_status stria__reader_wrong(const struct reader *r, const char *wanted);
void stria__reader_skip_space(struct reader *r);
/* Steps over a mark, and tells whether it was there. */
bool stria__reader_took(struct reader *r, char mark);
stria_status stria__reader_take(struct reader *r, char mark);
/* Goes on to the next item of a list that ends with that mark; *more is false at its end. */
stria_status stria__reader_next(struct reader *r, char end, int count, bool *more);
static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
/* A number of digits, below 2^59. */
stria_status stria__reader_number(struct reader *r, int64_t *out);

/* Returns the place behind a string that begins here; the end of the text where it is not closed.
 */
const char *stria__reader_skip_string(const char *at);
/* Returns the place behind the value that begins here: at the mark that ends it, or at the end of
 * the text. */
const char *stria__reader_skip_value(const char *at);
/*
 * Writes what follows a backslash, as UTF-8 of fewer bytes than it has characters; false for what
 * no name is written with.
 */
bool stria__reader_unescape(struct reader *r, char **to);
/* Returns the value of a hexadecimal digit; 99 for another character. */
int stria__reader_digit(char c);

#endif
