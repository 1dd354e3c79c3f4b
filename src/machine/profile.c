/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/status.h"
#include "base/system.h"
#include "cpu.h"
#include "simd/kernels.h"
#include "stria/machine.h"

const char *const stria__move_names[MOVES] = {"block",  "interleave", "broadcast", "reverse",
                                              "gather", "transpose",  "scatter",   "rows",
                                              "staged", "slabs",      "pattern",   "strided"};

static const char *const level_names[MOVE_LEVELS] = {"l1", "l2", "l3", "memory"};

const char *stria__profile_level(int level)
{
    return level_names[level];
}

/* ---- numbers by their names ------------------------------------------------------------------ */

enum { LINE_ROOM = 200 };

struct number {
    const char *name;
    size_t at; /* Offset of an int64_t of struct stria__machine. */
    int64_t least, most;
};

static const struct number numbers[] = {
#define NUMBER(name, member, least, most)                                                          \
    {name, offsetof(struct stria__machine, member), least, most},
#include "numbers.def"
#undef NUMBER
};

enum { NUMBER_COUNT = sizeof numbers / sizeof numbers[0] };

/* Bounds of measured costs; values beyond them were measured wrongly. */
static const double TIMES_LEAST = 1e-3, TIMES_MOST = 1e3;

static const struct number *number_of(const char *name)
{
    for (int i = 0; i < NUMBER_COUNT; i++)
        if (strcmp(numbers[i].name, name) == 0) return &numbers[i];
    return NULL;
}

static int64_t *number_in(struct stria__machine *m, const struct number *number)
{
    return (int64_t *)((char *)m + number->at);
}

static void times_name(char name[LINE_ROOM], int move, int item, int level)
{
    (void)snprintf(name, LINE_ROOM, "times.%s.%d.%s", stria__move_names[move], 1 << item,
                   level_names[level]);
}

/* Returns the measured cost of that name; NULL for another name. */
static float *times_of(struct stria__machine *m, const char *name)
{
    char other[LINE_ROOM];
    for (int i = 0; i < MOVES * MOVE_ITEMS * MOVE_LEVELS; i++) {
        const int move = i / (MOVE_ITEMS * MOVE_LEVELS), item = i / MOVE_LEVELS % MOVE_ITEMS,
                  level = i % MOVE_LEVELS;
        times_name(other, move, item, level);
        if (strcmp(name, other) == 0) return &m->times[move][item][level];
    }
    return NULL;
}

/* Sets a number, or writes its bounds if the value is outside. */
static bool set_number(struct stria__machine *m, const char *name, double value, double bounds[2])
{
    const struct number *const number = number_of(name);
    float *const times = number ? NULL : times_of(m, name);
    if (!number && !times) return false;
    bounds[0] = number ? (double)number->least : TIMES_LEAST;
    bounds[1] = number ? (double)number->most : TIMES_MOST;
    if (!(value >= bounds[0] && value <= bounds[1])) return false;
    if (times)
        *times = (float)value;
    else /* NEVER is 2^63 - 1, which a double cannot hold. */
        *number_in(m, number) = value >= 0x1p63 ? STREAM_NEVER : (int64_t)value;
    return true;
}

bool stria__profile_set(struct stria__machine *m, const char *name, double value)
{
    double bounds[2];
    return set_number(m, name, value, bounds);
}

double stria__profile_get(const struct stria__machine *m, const char *name)
{
    struct stria__machine *const numbers_of = (struct stria__machine *)(uintptr_t)m;
    const struct number *const number = number_of(name);
    return number ? (double)*number_in(numbers_of, number) : (double)*times_of(numbers_of, name);
}

/* ---- reading --------------------------------------------------------------------------------- */

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t n = strcspn(text, "#\r\n");
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    text[n] = '\0';
    return text;
}

static void name_cpu(char text[LINE_ROOM])
{
    const struct stria__cpu_model cpu = stria__cpu_model();
    (void)snprintf(text, LINE_ROOM, "%s %d %d", cpu.vendor[0] ? cpu.vendor : "unknown", cpu.family,
                   cpu.model);
}

struct reading {
    struct stria__machine m; /* The numbers read so far. */
    const char *path;
    int at;     /* Number of the line, from 1. */
    bool other; /* The profile was measured on another CPU. */
};

/* Returns FORMAT, with the path and the line. */
static stria_status wrong(const struct reading *r, const char *format, ...)
{
    char text[LINE_ROOM];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return stria__fail(STRIA_ERR_FORMAT, "%.200s, line %d: %s", r->path, r->at, text);
}

static stria_status read_number(struct reading *r, const char *name, const char *text)
{
    double bounds[2] = {1, 0};
    char *end;
    const bool never = strcmp(text, "never") == 0;
    const double value = never ? 0x1p63 : strtod(text, &end);
    if (!never && (!*text || *end)) return wrong(r, "%.60s = '%.40s' is no number", name, text);
    if (set_number(&r->m, name, value, bounds)) return STRIA_OK;
    if (bounds[0] > bounds[1]) return wrong(r, "there is no number '%.60s'", name);
    return wrong(r, "%.60s = %.40s, must be %.15g to %.15g", name, text, bounds[0], bounds[1]);
}

static stria_status read_line(struct reading *r, char *line)
{
    char here[LINE_ROOM], *const text = trim(line), *const equals = strchr(text, '=');
    if (*text == '\0') return STRIA_OK;
    if (!equals) return wrong(r, "'%.40s' is no 'name = value'", text);
    *equals = '\0';
    const char *const name = trim(text), *const value = trim(equals + 1);
    if (strcmp(name, "cpu") != 0) return read_number(r, name, value);
    name_cpu(here);
    r->other = strcmp(value, here) != 0;
    return STRIA_OK;
}

static stria_status fail_to_read(const char *path, int code)
{
    char text[80];
    stria__error_text(code, text, sizeof text);
    return stria__fail(STRIA_ERR_IO, "%.200s: %s", path, text);
}

static stria_status read_lines(struct reading *r, FILE *file)
{
    char line[LINE_ROOM];
    while (fgets(line, sizeof line, file)) {
        r->at++;
        if (!strchr(line, '\n') && !feof(file))
            return wrong(r, "longer than %d characters", LINE_ROOM - 2);
        STRIA_TRY(read_line(r, line));
    }
    return ferror(file) ? fail_to_read(r->path, errno) : STRIA_OK;
}

/* Reads a file. For the user's own profile (`own`), no file, or one of another CPU, changes
 * nothing. */
static stria_status load_file(const char *path, bool own)
{
    struct reading r = {.m = *stria__machine_shipped(), .path = path};
    FILE *const file = fopen(path, "re");
    if (!file && own) return STRIA_OK;
    if (!file) return fail_to_read(path, errno);
    const stria_status status = read_lines(&r, file);
    (void)fclose(file);
    if (status || (own && r.other)) return status;
    (void)snprintf(r.m.profile, sizeof r.m.profile, "%s", path);
    stria__machine_use(&r.m);
    return STRIA_OK;
}

/* ---- which profile --------------------------------------------------------------------------- */

void stria__profile_of_environment(void)
{
    const char *const path = stria__environment("STRIA_MACHINE");
    if (path && *path && load_file(path, false) != STRIA_OK) stria__machine_use(NULL);
}

bool stria__profile_own_path(char *path, size_t size)
{
    const char *const config = stria__environment("XDG_CONFIG_HOME"), *const home =
                                                                          stria__environment(
                                                                              "HOME");
    const bool is_config = config && *config == '/';
    if (!is_config && (!home || *home != '/')) return false;
    const int n = snprintf(path, size, "%s%s/stria/machine", is_config ? config : home,
                           is_config ? "" : "/.config");
    return n < (int)size;
}

stria_status stria_machine_load(const char *path)
{
    char own[OWN_PATH];
    (void)stria__machine();
    if (path && *path) return load_file(path, false);
    if (path) {
        stria__machine_use(NULL);
        return STRIA_OK;
    }
    const char *const named = stria__environment("STRIA_MACHINE");
    if ((named && *named) || !stria__profile_own_path(own, sizeof own)) return STRIA_OK;
    return load_file(own, true);
}

const char *stria_machine_profile(void)
{
    return stria__machine()->profile;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_line(struct written *to, const char *name, const char *value,
                       const char *(*how)(const char *name))
{
    const char *const remark = how ? how(name) : NULL;
    stria__print(to, "%s = %s%s%s\n", name, value, remark ? "  # " : "", remark ? remark : "");
}

void stria__profile_write(struct written *to, const struct stria__machine *m,
                          const struct stria__machine *usual, const char *(*how)(const char *name))
{
    char name[LINE_ROOM], value[LINE_ROOM];
    name_cpu(value);
    write_line(to, "cpu", value, NULL);
    for (int i = 0; i < NUMBER_COUNT; i++) {
        const int64_t n = *(const int64_t *)((const char *)m + numbers[i].at);
        if (n == *(const int64_t *)((const char *)usual + numbers[i].at)) continue;
        (void)snprintf(value, sizeof value, n == STREAM_NEVER ? "never" : "%lld", (long long)n);
        write_line(to, numbers[i].name, value, how);
    }
    for (int i = 0; i < MOVES; i++)
        for (int item = 0; item < MOVE_ITEMS; item++)
            for (int level = 0; level < MOVE_LEVELS; level++) {
                const float times = m->times[i][item][level];
                if (times == usual->times[i][item][level]) continue;
                times_name(name, i, item, level);
                (void)snprintf(value, sizeof value, "%.3g", (double)times);
                write_line(to, name, value, how);
            }
}

/* ---- numbers that ship ----------------------------------------------------------------------- */

/*
 * CPUs that were measured, by vendor, family and models; the files of this folder say what of their
 * numbers was measured on which. Those that do not follow from caches, in bytes:
 *
 * rows_ahead, columns_ahead: sum, max and mean of 64 MiB of f32 take .79 to .94 of the time on a
 * Zen 3 if rows are prefetched 8 KiB ahead, f16 .7; columns gain nothing. On a Zen 5 sum, max and
 * argmax take .72 to .78 of the time (4 KiB ahead .85), sum(0) .75 to .85 with 2 KiB.
 *
 * rows_apart: a Zen 3 reads 17 GB/s at one place and 25 at two, 64 KiB to 16 MiB apart; a sum takes
 * .76 of the time. A Zen 5 reads 46 GB/s at one place that is prefetched, 43 at two places 1 MiB
 * apart, and 20 at two places 64 KiB apart.
 *
 * fetched_items: a Zen 5 reads items that lie half a line to some pages apart by itself: f64 [::n]
 * of 96 MB takes .5 to .95 of the time without prefetches, four items at a time, f32 .5 to 1 (n
 * from 5 to 130); rows of 57 items are the only ones that lose. A Zen 4 gains 1.1 to 2.5 times by
 * them. fetched_rows: f32 (a, b, c) to (b, a, c) of 1.5 and 4 MB takes .7 to .9 of the time without
 * them where rows have 60 to 800 bytes; from 12 MB on nothing changes.
 *
 * own_products: on a Zen 5 1000 x 1100 x 1200 of f64 take OpenBLAS 0.3.31 with kernels for SkylakeX
 * 1.1 times as long as Stria.
 */
static const struct shipped {
    const char *name, *vendor;
    int family, first, last; /* models */
    int64_t rows_ahead, columns_ahead, rows_apart, own_products;
    bool follows; /* Its hardware follows items and rows that lie apart. */
} shipped[] = {
    {"Zen 3", "AuthenticAMD", 25, 0x00, 0x0f, 8 * KIB, 0, 64 * KIB, STREAM_NEVER, false},
    {"Zen 3", "AuthenticAMD", 25, 0x20, 0x5f, 8 * KIB, 0, 64 * KIB, STREAM_NEVER, false},
    {"Zen 4", "AuthenticAMD", 25, 0x10, 0xff, 0, 0, 0, STREAM_NEVER, false},
    {"Zen 5", "AuthenticAMD", 26, 0x00, 0xff, 8 * KIB, 2 * KIB, 0, 128, true},
    {"Emerald Rapids", "GenuineIntel", 6, 0xcf, 0xcf, 8 * KIB, KIB, 0, STREAM_NEVER, false},
};

void stria__profile_ship(struct stria__machine *m)
{
    const struct stria__cpu_model cpu = stria__cpu_model();
    (void)snprintf(m->profile, sizeof m->profile, "caches");
    for (size_t i = 0; i < sizeof shipped / sizeof shipped[0]; i++) {
        const struct shipped *const s = &shipped[i];
        if (strcmp(s->vendor, cpu.vendor) || s->family != cpu.family || cpu.model < s->first ||
            cpu.model > s->last)
            continue;
        (void)snprintf(m->profile, sizeof m->profile, "%s", s->name);
        m->rows_ahead = s->rows_ahead;
        m->columns_ahead = s->columns_ahead;
        m->rows_apart = s->rows_apart;
        m->own_products = s->own_products;
        if (s->follows) m->fetched_items = m->fetched_rows = STREAM_NEVER;
        return;
    }
}
