/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_origin.h"

#include <stdbool.h>
#include <string.h>

#include "commit.h"
#include "must.h"

const char *bench_commit(void)
{
    return STRIA_COMMIT;
}

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@%";
    return *word && word[strspn(word, plain)] == '\0';
}

/* Writes the word, between quotes where it needs them; returns its end. */
static char *put_word(char *to, const char *word)
{
    static const char escaped[] = "'\\''";
    const bool quoted = !is_plain(word);
    if (quoted) *to++ = '\'';
    for (; *word; word++) {
        if (*word != '\'') {
            *to++ = *word;
            continue;
        }
        memcpy(to, escaped, sizeof escaped - 1);
        to += sizeof escaped - 1;
    }
    if (quoted) *to++ = '\'';
    return to;
}

const char *bench_command_line(struct pool *pool, int argc, char *const *argv)
{
    size_t most = 12;
    for (int i = 1; i < argc; i++)
        most += 4 * strlen(argv[i]) + 3;
    char *const text = must_take(pool, most), *to = text;
    memcpy(to, "stria bench", 11);
    to += 11;
    for (int i = 1; i < argc; i++) {
        *to++ = ' ';
        to = put_word(to, argv[i]);
    }
    *to = '\0';
    return text;
}
