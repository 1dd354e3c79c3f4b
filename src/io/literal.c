/* SPDX-License-Identifier: BSD-3-Clause */
/* The tokenizer. literal.h says what it deliberately does not accept. */
#include "io/literal.h"

#include <stdio.h>
#include <string.h>

#include "base/text_reader.h"

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Bytes from 0x80 on belong to Latin-1, or to UTF-8 that the header's reader has validated. */
static bool may_stand_in_string(char c)
{
    return ((unsigned char)c >= ' ' && c != 0x7f && c != '\\');
}

static struct token string_token(const char *text, const char *end)
{
    const char quote = *text;
    const char *at = text + 1;
    while (at < end && *at != quote && may_stand_in_string(*at))
        at++;
    if (at == end || *at != quote) return (struct token){TOKEN_BAD, text, at - text + (at < end)};
    return (struct token){TOKEN_STRING, text + 1, at - text - 1};
}

/* 12L, 0x4, 1_0 and 4.0 are one token each, so that a message can show the whole word. */
static struct token word_token(const char *text, const char *end)
{
    const bool number = is_digit(*text);
    const char *at = text;
    while (at < end && (is_word(*at) || (number && *at == '.')))
        at++;
    return (struct token){number ? TOKEN_NUMBER : TOKEN_NAME, text, at - text};
}

struct token stria__next_token(struct lexer *lexer)
{
    while (lexer->at < lexer->end && *lexer->at == ' ')
        lexer->at++;
    const char *text = lexer->at, *end = lexer->end;
    if (text == end) return (struct token){TOKEN_END, text, 0};
    struct token token = {TOKEN_BAD, text, 1};
    if (*text == '\'' || *text == '"') {
        token = string_token(text, end);
        lexer->at = token.kind == TOKEN_STRING ? token.text + token.length + 1 : end;
        return token;
    }
    if (is_word(*text))
        token = word_token(text, end);
    else if (*text && strchr("{}[](),:", *text))
        token.kind = TOKEN_MARK;
    lexer->at = text + token.length;
    return token;
}

bool stria__token_is(struct token token, enum token_kind kind, const char *text)
{
    return token.kind == kind && (size_t)token.length == strlen(text) &&
           !memcmp(token.text, text, (size_t)token.length);
}

struct token_text stria__token_text(struct token token)
{
    struct token_text out;
    if (token.kind == TOKEN_END) {
        (void)snprintf(out.text, sizeof out.text, "the end");
        return out;
    }
    const int64_t most = 32;
    const int length = (int)(token.length < most ? token.length : most);
    char shown[33];
    for (int i = 0; i < length; i++) {
        const char c = token.text[i];
        shown[i] = c >= ' ' && c < 0x7f ? c : '?';
    }
    (void)snprintf(out.text, sizeof out.text, "'%.*s'%s", length, shown,
                   token.length > most ? "..." : "");
    return out;
}
