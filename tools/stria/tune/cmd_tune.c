/* SPDX-License-Identifier: BSD-3-Clause */
/* The command stria tune: measures this machine, and writes its profile. */
#include <errno.h>
#include <stdarg.h>

#include "host.h"
#include "machine/profile.h"
#include "stria/machine.h"
#include "stria/version.h"
#include "system.h"
#include "tool.h"
#include "tune.h"

struct asked {
    const char *output;
    int64_t rounds, limit;
};

static const struct flag flags[] = {
    {.name = "output", .kind = FLAG_TEXT, .to = offsetof(struct asked, output), .letter = 'o'},
    {.name = "rounds",
     .kind = FLAG_NUMBER,
     .to = offsetof(struct asked, rounds),
     .low = 1,
     .high = TIMING_MAX_ROUNDS},
    {.name = "limit",
     .kind = FLAG_NUMBER,
     .to = offsetof(struct asked, limit),
     .low = 1 << 20,
     .high = INT64_MAX},
    {0}};

/* ---- what the steps call --------------------------------------------------------------------- */

static struct tuner tuner;

void tune_take(struct tuner *t, const char *name, double value, double gain, const char *cases,
               const char *format, ...)
{
    char how[200];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(how, sizeof how, format, args);
    va_end(args);
    if (!stria__profile_set(&t->best, name, value)) return;
    stria__machine_use(&t->best);
    if (t->notes == t->note_room) {
        t->note_room = 2 * t->note_room + 16;
        t->note = must_realloc(t->note, (size_t)t->note_room * sizeof *t->note);
    }
    t->note[t->notes++] =
        (struct tune_note){name, must_text(&t->pool, how, strlen(how)), cases, gain};
}

void tune_step(struct tuner *t, double part)
{
    t->done += part;
    progress_set(t->progress, t->done, 1);
}

/* ---- the profile ----------------------------------------------------------------------------- */

static const char *how_measured(const char *name)
{
    for (int i = tuner.notes - 1; i >= 0; i--)
        if (!strcmp(tuner.note[i].name, name)) return tuner.note[i].how;
    return NULL;
}

/* Makes the folders of a path that do not exist yet. */
static void make_folders(const char *path)
{
    char folder[1024];
    for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(at - path), path);
        system_mkdir(folder);
    }
}

static int write_profile(const char *path)
{
    char text[64 << 10];
    struct written to = {text, sizeof text, 0};
    struct machine host;
    machine_read(&host);
    stria__print(&to, "# stria %s tune: %s, %s\n", stria_version(), host.cpu, stria_isa_name());
    stria__profile_write(&to, &tuner.best, stria__machine_shipped(), how_measured);
    make_folders(path);
    FILE *const file = fopen(path, "w");
    const bool wrote = file && fputs(text, file) != EOF;
    if (file && fclose(file) == 0 && wrote) return -1;
    struct failure failure = {0};
    (void)stria__fail_request(&failure, STRIA_ERR_IO, "cannot write %.200s: %s", path,
                              strerror(errno));
    return report_file(&failure);
}

/* Prints a line for each number, with the gain on the calls that it was tried on, and the cases it
 * affects. */
static void tell_numbers(const char *path)
{
    for (int i = 0; i < tuner.notes; i++) {
        const struct tune_note *const n = &tuner.note[i];
        (void)printf("%-28s %-10.15g %.2f of the time; %s\n", n->name,
                     stria__profile_get(&tuner.best, n->name), 1 - n->gain, n->cases);
    }
    (void)printf("%d numbers of %s measured otherwise than they ship, in %s\n", tuner.notes,
                 stria__machine_shipped()->profile, path);
}

static stria_status make_memory(struct tuner *t)
{
    t->room = 2 * t->far;
    const int64_t bytes = t->room + t->far / 2 + (1 << 20);
    STRIA_TRY(stria_buffer_make(&t->x, bytes));
    STRIA_TRY(stria_buffer_make(&t->y, bytes));
    STRIA_TRY(stria_buffer_make(&t->out, bytes));
    float *const x = (float *)(void *)stria_buffer_data(t->x), *const y = (float *)(void *)
                                                                   stria_buffer_data(t->y);
    for (int64_t i = 0; i < bytes / (int64_t)sizeof *x; i++)
        x[i] = y[i] = 1.5F;
    memset(stria_buffer_data(t->out), 0, (size_t)bytes);
    return STRIA_OK;
}

static void measure_all(struct tuner *t, const struct asked *asked)
{
    enum { FAR_LEAST = 16 << 20, FAR_MOST = 64 << 20, USUAL_ROUNDS = 7 };
    t->best = *stria__machine_shipped();
    const int64_t l3 = t->best.l3.size, far = 2 * (l3 > 0 ? l3 : 8 * t->best.l2.size);
    t->near = t->best.l2.size / 4;
    t->far = far < FAR_LEAST ? FAR_LEAST : far > FAR_MOST ? FAR_MOST : far;
    if (asked->limit && asked->limit < t->far) t->far = asked->limit;
    if (t->near > t->far) t->near = t->far;
    t->rounds = asked->rounds ? asked->rounds : USUAL_ROUNDS;
    must_have(make_memory(t) == STRIA_OK, (size_t)t->far * 6);
    t->progress = start_progress("measuring this machine");
    tune_numbers(t);
    tune_streams(t);
    tune_moves(t);
    progress_stop(t->progress);
}

static int run_tune(void *request, int argc, char **argv)
{
    const struct asked *const asked = request;
    if (optind < argc) return usage_error("'%.60s' is no option", argv[optind]);
    char own[OWN_PATH];
    const char *const path = asked->output ? asked->output : own;
    if (!asked->output && !stria__profile_own_path(own, sizeof own))
        return usage_error("there is no HOME to write to: -o FILE");
    measure_all(&tuner, asked);
    const int failed = write_profile(path);
    if (failed >= 0) return failed;
    tell_numbers(path);
    return EXIT_OK;
}

const struct command tune_command = {
    .name = "tune",
    .summary = "measures this machine, for the library to be fast on it",
    .flags = flags,
    .unlimited = true,
    .size = sizeof(struct asked),
    .run = run_tune,
};
