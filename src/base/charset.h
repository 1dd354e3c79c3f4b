/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The encodings of .npy headers: Latin-1 in versions 1 and 2, UTF-8 in version 3. The names of
 * fields are UTF-8 everywhere else.
 */
#pragma once

#include <stdint.h>

/* The smallest charset of a text; each contains those before it. */
enum charset { CHARSET_ASCII, CHARSET_LATIN1, CHARSET_UTF8 };

/*
 * Returns the length of the well-formed UTF-8 sequence at `at`, 0 when there is none (Unicode,
 * table 3-7).
 */
int stria__utf8_length(const char *at, const char *end);

/* Returns the first place where a text is not well-formed UTF-8; NULL: it is. */
const char *stria__utf8_fault(const char *at, const char *end);

/* Returns the smallest charset of the well-formed sequence of that length. */
enum charset stria__utf8_charset(const char *at, int length);

/*
 * Converts n bytes of UTF-8 whose charset is Latin-1 in place, and returns the number of bytes
 * left.
 */
int64_t stria__latin1_from_utf8(char *text, int64_t n);
