/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *chosen = "auto";

bool colour_choose(const char *when)
{
    static const char *const words[] = {"auto", "always", "never"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(when, words[i]) != 0) continue;
        chosen = words[i];
        return true;
    }
    return false;
}

/* NO_COLOR as https://no-color.org has it: any text but none. */
static bool wanted(FILE *file)
{
    if (strcmp(chosen, "auto") != 0) return !strcmp(chosen, "always");
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(none && *none) && !(terminal && !strcmp(terminal, "dumb")) && isatty(fileno(file));
}

const char *colour(FILE *file, enum colour which)
{
    static const char *const codes[] = {
        [PLAIN] = "\033[0m", [RED] = "\033[31m", [GREEN] = "\033[32m", [YELLOW] = "\033[33m"};
    return wanted(file) ? codes[which] : "";
}
