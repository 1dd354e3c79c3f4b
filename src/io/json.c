/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/json.h"

#include <string.h>

#include "base/integers.h"
#include "io/charset.h"
#include "base/status.h"
#include "base/text_reader.h"
#include "base/text_writer.h"

stria_status stria__json_fail(const struct json *json, const char *wanted)
{
    if (json->at >= json->end)
        return stria__fail(STRIA_ERR_FORMAT, "the header ends where %s belongs", wanted);
    return stria__fail(STRIA_ERR_FORMAT, "byte %lld of the header is 0x%02x where %s belongs",
                       (long long)(json->at - json->start), (unsigned char)*json->at, wanted);
}

static void skip_space(struct json *json)
{
    while (json->at < json->end && memchr(" \t\n\r", *json->at, 4))
        json->at++;
}

bool stria__json_take(struct json *json, char mark)
{
    skip_space(json);
    if (json->at == json->end || *json->at != mark) return false;
    json->at++;
    return true;
}

stria_status stria__json_expect(struct json *json, char mark)
{
    if (stria__json_take(json, mark)) return STRIA_OK;
    return stria__json_fail(json, (const char[]){mark, 0});
}

static bool take_hex(struct json *json, uint32_t *out)
{
    uint32_t value = 0;
    if (json->end - json->at < 4) return false;
    for (int i = 0; i < 4; i++) {
        const int digit = stria__reader_digit(*json->at++);
        if (digit > 15) return false;
        value = value << 4 | (uint32_t)digit;
    }
    *out = value;
    return true;
}

/* The character after \u; one beyond 16 bits is written as two surrogates. */
static bool take_escaped(struct json *json, uint32_t *out)
{
    uint32_t low;
    if (!take_hex(json, out) || *out == 0 || (*out >= 0xdc00 && *out < 0xe000)) return false;
    if (*out < 0xd800 || *out > 0xdfff) return true;
    if (json->end - json->at < 2 || json->at[0] != '\\' || json->at[1] != 'u') return false;
    json->at += 2;
    if (!take_hex(json, &low) || low < 0xdc00 || low > 0xdfff) return false;
    *out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

static bool take_escape(struct json *json, char *out, size_t *length)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    uint32_t c;
    if (json->at == json->end) return false;
    const char name = *json->at++;
    if (name == 'u') {
        if (!take_escaped(json, &c)) return false;
        *length += (size_t)stria__put_utf8(out + *length, c); /* no more than the escape has */
        return true;
    }
    const char *found = name ? strchr(names, name) : NULL;
    if (found) out[(*length)++] = values[found - names];
    return found != NULL;
}

stria_status stria__json_string(struct json *json, char *out, size_t *length)
{
    *length = 0;
    if (!stria__json_take(json, '"')) return stria__json_fail(json, "a string");
    while (json->at < json->end && *json->at != '"') {
        if (*json->at == '\\') {
            json->at++;
            if (!take_escape(json, out, length)) return stria__json_fail(json, "an escape");
            continue;
        }
        const int n = (unsigned char)*json->at < ' ' ? 0 : stria__utf8_length(json->at, json->end);
        if (!n) return stria__json_fail(json, "a character of UTF-8");
        memcpy(out + *length, json->at, (size_t)n);
        json->at += n;
        *length += (size_t)n;
    }
    if (json->at == json->end) return stria__json_fail(json, "the end of a string");
    json->at++; /* its quote leaves room for the end in out */
    out[*length] = 0;
    return STRIA_OK;
}

stria_status stria__json_size(struct json *json, int64_t *out)
{
    int64_t n = 0;
    skip_space(json);
    const char *const first = json->at;
    for (; json->at < json->end && is_digit(*json->at); json->at++)
        if (mul_overflows(n, 10, &n) || add_overflows(n, *json->at - '0', &n))
            return stria__json_fail(json, "a size below 2^63");
    if (json->at == first || (*first == '0' && json->at - first > 1))
        return stria__json_fail(json, "a size in decimal digits");
    *out = n;
    return STRIA_OK;
}
