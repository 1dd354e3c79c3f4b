/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of JSON (RFC 8259) that headers of arrays consist of: strings, sizes, punctuation. Every
 * byte is read once, nothing is allocated, and depth is the caller's.
 */
#ifndef STRIA_SRC_IO_JSON_H
#define STRIA_SRC_IO_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stria/status.h"

struct json {
    const char *start, *at, *end;
};

/* Skips white space, and the mark where it comes next. */
bool stria__json_take(struct json *json, char mark);
/* FORMAT unless the mark comes next. */
stria_status stria__json_expect(struct json *json, char mark);
/*
 * Reads a string into out, which has room for what is left of the text, as terminated UTF-8;
 * *length without its end. FORMAT also for \u0000 and half surrogates.
 */
stria_status stria__json_string(struct json *json, char *out, size_t *length);
/* Reads an integer from 0 to 2^63 - 1: digits without sign, fraction or exponent. FORMAT. */
stria_status stria__json_size(struct json *json, int64_t *out);
/* FORMAT, with the byte that json stands at. */
stria_status stria__json_fail(const struct json *json, const char *wanted);

#endif
