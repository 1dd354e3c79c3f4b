/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tokens of the part of Python's literals that .npy headers consist of: strings, names, digits and
 * punctuation, with any number of spaces between them. It is stricter than Python on purpose: no
 * other white space, no comments, no escapes, no prefixes, no signs. It reads every byte once,
 * depends on no locale and never allocates.
 */
#ifndef STRIA_SRC_IO_LITERAL_H
#define STRIA_SRC_IO_LITERAL_H

#include <stdbool.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_STRING, /* text and length are those between the quotes */
    TOKEN_NAME,   /* True, False, None, ... */
    TOKEN_NUMBER, /* starts with a digit; the reader decides which digits it allows */
    TOKEN_MARK,   /* one of {}[](),: */
    TOKEN_BAD     /* a byte that begins no token, or an unfinished string */
};

struct token {
    enum token_kind kind;
    const char *text;
    int64_t length;
};

struct lexer {
    const char *at, *end;
    bool latin1; /* the encoding of bytes from 0x80 on is Latin-1, else UTF-8 */
};

struct token stria__next_token(struct lexer *lexer);

bool stria__token_is(struct token token, enum token_kind kind, const char *text);

/* The token for a message: printable, and shortened when it is long. */
struct token_text {
    char text[48];
};
struct token_text stria__token_text(struct token token);

#endif
