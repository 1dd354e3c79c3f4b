/* SPDX-License-Identifier: BSD-3-Clause */
#define _DEFAULT_SOURCE
#include "host.h"

#include <unistd.h>

#include "commit.h"
#include "machine/cpu.h"
#include "stria/threads.h"
#include "system.h"
#include "tool.h"

static void read_cpu(char *name, size_t size)
{
    char line[400];
    FILE *file = fopen("/proc/cpuinfo", "r");
    (void)snprintf(name, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon) continue;
        line[strcspn(line, "\n")] = '\0';
        (void)snprintf(name, size, "%s", colon + 2);
        break;
    }
    if (file) (void)fclose(file);
}

void machine_read(struct machine *out)
{
    struct stria__cache caches[CACHE_LEVELS] = {{.size = 0}};
    stria__find_caches(caches);
    *out = (struct machine){.cores = stria_threads(),
                            .l1d = caches[0].size,
                            .l2 = caches[1].size,
                            .l3 = caches[2].size};
    read_cpu(out->cpu, sizeof out->cpu);
    system_name(out->system, sizeof out->system);
#ifdef __clang__
    (void)snprintf(out->compiler, sizeof out->compiler, "clang %s", __clang_version__);
#else
    (void)snprintf(out->compiler, sizeof out->compiler, "gcc %s", __VERSION__);
#endif
#ifdef _CS_GNU_LIBC_VERSION
    if (confstr(_CS_GNU_LIBC_VERSION, out->libc, sizeof out->libc)) return;
#endif
    (void)snprintf(out->libc, sizeof out->libc, "unknown");
}

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

/* Writes the word, between quotes if it needs them; returns its end. */
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

/* ---- regimes --------------------------------------------------------------------------------- */

static const char *const names[] = {"by size", "hot", "l3", "dram"};

const char *regime_name(enum regime regime)
{
    return names[regime];
}

/* Returns the size of a cache; if the machine does not tell, that of a common one. */
static int64_t or_usual(int64_t bytes, int64_t usual)
{
    return bytes > 0 ? bytes : usual;
}

static int64_t last_level(const struct machine *m)
{
    const int64_t l2 = or_usual(m->l2, 1 << 20);
    return or_usual(m->l3, m->l2 > 0 ? l2 : 32 << 20);
}

static int64_t at_most(int64_t n, int64_t most)
{
    return n < most ? n : most;
}

int64_t regime_pairs(enum regime regime, int64_t touched, int64_t pair,
                     const struct machine *machine)
{
    const int64_t l3 = last_level(machine);
    const int64_t hot = at_most(l3 / 4, REGIME_HOT_MOST);
    if (regime == REGIME_BY_SIZE) regime = touched <= hot ? REGIME_HOT : REGIME_DRAM;
    int64_t pairs = 1;
    if (regime == REGIME_L3) pairs = l3 / 2 / touched;
    if (regime == REGIME_DRAM) pairs = (2 * l3 + touched - 1) / touched;
    pairs = at_most(at_most(pairs, REGIME_MAX_PAIRS), 16 * l3 / pair);
    return pairs < 1 ? 1 : pairs;
}

const char *regime_lies_in(int64_t bytes, const struct machine *machine)
{
    if (bytes <= or_usual(machine->l1d, 32 << 10)) return "L1";
    if (bytes <= or_usual(machine->l2, 1 << 20)) return "L2";
    return bytes <= last_level(machine) ? "L3" : "DRAM";
}
