/* SPDX-License-Identifier: BSD-3-Clause */
/* Literals of Python, or of JSON, piece by piece: marks, strings, numbers and lists of sizes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "stria/geometry.h"
#include "stria/status.h"

/*
 * The text need not be terminated: at `end` lies a byte that is no part of a literal. A strict
 * reader takes what NumPy writes into files and nothing else of Python: no white space but spaces,
 * no escapes, no control characters, no leading zeros, and tuples with all their marks. One of JSON
 * (RFC 8259) is strict, too, has lists in square brackets, and takes the escapes and the white
 * space of JSON.
 */
struct reader {
    const char *begin, *at, *end;
    const char *op;     /* The word that messages begin with. */
    const char *wanted; /* Text that was expected last at `at`; NULL: none. */
    bool strict, json;
    bool latin1; /* Strings are Latin-1 and become UTF-8. */
};

/* Begins to read a terminated text of Python. */
static inline struct reader reader_of(const char *op, const char *text)
{
    return (struct reader){.begin = text, .at = text, .end = text + strlen(text), .op = op};
}

/* Returns FORMAT with what was expected, where, and what stands there instead. */
stria_status stria__reader_wrong(struct reader *r, const char *wanted);
void stria__reader_skip_space(struct reader *r);
/* Steps over a mark, and tells whether it was there. */
bool stria__reader_took(struct reader *r, char mark);
/* Steps over a required mark; it is given in quotes, as messages show it. */
stria_status stria__reader_take(struct reader *r, const char *mark);
/* Goes on to the next item of a list that ends with that mark; *more is false at its end. */
stria_status stria__reader_next(struct reader *r, char end, int count, bool *more);
/* Steps over an opening bracket: a parenthesis, or a square one where the reader is not strict, of
 * JSON a square one. Returns what closes it, 0 where there is none. */
char stria__reader_open(struct reader *r);
static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
/* Reads a number of digits. */
stria_status stria__reader_number(struct reader *r, int64_t *out, const char *wanted);
/* Reads True or False. */
stria_status stria__reader_truth(struct reader *r, bool *out);
/* Reads a tuple of sizes, or a single number if the reader is not strict. */
stria_status stria__reader_shape(struct reader *r, int *ndim, int64_t sizes[STRIA_MAX_NDIM]);
/* Copies a string with its end to *to, which then points behind it. */
stria_status stria__reader_string(struct reader *r, char **to, const char *wanted);
/* Steps over one of the strings in a list; returns its place, or -1 without a step. */
int stria__reader_key(struct reader *r, int count, const char *const keys[]);

/* Returns the place behind the string that begins at `at`; the end of a text that does not close
 * it. */
const char *stria__reader_skip_string(const struct reader *r, const char *at);
/* Returns the place behind the value that begins at `at`: the mark that ends it, or the end. */
const char *stria__reader_skip_value(const struct reader *r, const char *at);

/* Describes the next word, string or mark for a message: printable, and shortened if it is long. */
struct shown_text {
    char text[48];
};
struct shown_text stria__reader_shown(const struct reader *r);
