/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures the costs of the table of moves. For items of a size, at a level of memory, each row of
 * the table that can run a sample of layouts does so, and its cost is multiplied by the ratio of
 * its time to the estimate. The result is taken only if the samples, each by the row that it
 * chooses, take less time.
 */
#include <math.h>

#include "machine/profile.h"
#include "move/cost.h"
#include "move/strategy.h"
#include "stria/call.h"
#include "stria/eval.h"
#include "tool.h"
#include "tune.h"

/* Layouts of two or three dims; their sides are no powers of two. */
static const char *const layouts[] = {"x.T",
                                      "x[::2, ::2].T",
                                      "x[:, ::2]",
                                      "x[:, ::3]",
                                      "x[:, ::-1]",
                                      "x[:, ::2].T",
                                      "x[::2].T",
                                      "x.view(8, -1, x.shape[1]).permute(0, 2, 1)",
                                      "x.view(-1, 8, x.shape[1])[:, ::2].permute(1, 2, 0)",
                                      "x.view(-1, 2, x.shape[1])[:, :, ::2].permute(2, 0, 1)"};
static const char *const dtypes[MOVE_ITEMS] = {"u8", "u16", "f32", "f64", "c128"};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0], TOO_DEAR = 5 };

struct sample {
    double cost[MOVES], seconds[MOVES]; /* 0: the row was not run. */
};

struct move_run {
    const struct strategy *strategy;
    struct nest nest;
    struct tune_places places;
};

static void run_move(void *context)
{
    struct move_run *const r = context;
    const stria_exec one_thread = {.threads = 1};
    const int64_t at = tune_place(&r->places);
    struct nest nest = r->nest;
    nest.out += at, nest.in += at;
    stria__strategy_run(r->strategy, &nest, stria__streams(r->strategy, &nest, &one_thread));
}

/* Times all rows for a nest, which reads so many bytes, gaps included. */
static void time_rows(const struct tuner *t, const struct nest *nest, int64_t bytes,
                      struct sample *sample)
{
    const struct facts facts = stria__facts(nest);
    struct contender contenders[MOVES];
    struct move_run runs[MOVES];
    int row[MOVES], count = 0;
    double least_cost = INFINITY;
    for (int i = 0; i < MOVES; i++) {
        const struct strategy *const strategy = stria__strategy_at(i);
        sample->cost[i] = strategy->needs & ~facts.traits ? CANNOT : strategy->cost(&facts);
        if (sample->cost[i] < least_cost) least_cost = sample->cost[i];
    }
    for (int i = 0; i < MOVES; i++) {
        if (!(sample->cost[i] < TOO_DEAR * least_cost)) continue;
        runs[count] = (struct move_run){stria__strategy_at(i), *nest, tune_places(t, bytes)};
        contenders[count] =
            (struct contender){runs[count].strategy->name, run_move, &runs[count], NULL, NULL};
        row[count++] = i;
    }
    if (count < 2) return;
    const struct timed timed =
        time_interleaved(contenders, (size_t)count,
                         (struct timing){.rounds = (size_t)t->rounds, .warm = true}, NULL, NULL);
    for (int i = 0; i < count; i++) {
        sample->seconds[row[i]] = quartiles_of(contenders[i].seconds, timed.rounds).q1;
        free(contenders[i].seconds);
    }
}

/* Times a layout of x by each row that can run it. */
static void take_sample(struct tuner *t, const char *text, const char *dtype, int64_t bytes,
                        struct sample *sample)
{
    stria_dtype type;
    stria_view x, out;
    stria_results r = {0};
    stria_plan plan;
    struct nest nest;
    *sample = (struct sample){.seconds = {0}};
    if (stria_dtype_parse(&type, dtype) != STRIA_OK) return;
    const int64_t items = bytes / type.itemsize,
                  rows = (int64_t)sqrt((double)items / 1.5) / 16 * 16 + 16,
                  shape[] = {rows, items / rows + 1};
    const stria_named named = {"x", &x};
    if (stria_view_make(&x, t->x, type, 2, shape, NULL, 0) == STRIA_OK &&
        stria_eval(&r, text, 1, &named, NULL) == STRIA_OK &&
        stria_view_make(&out, t->out, type, r.one.view.ndim, r.one.view.shape, NULL, 0) ==
            STRIA_OK &&
        stria_plan_make(&plan, 2, (const stria_view *const[]){&out, &r.one.view}, 0) == STRIA_OK) {
        stria__nest_make(&nest, &plan, type.itemsize);
        time_rows(t, &nest, stria_nbytes(&x), sample);
    }
    stria_results_release(&r);
}

/* Returns the sum of the logarithms of the times of the rows that are chosen under `times`. */
static double log_time(const struct sample *samples, const double *times)
{
    double sum = 0;
    for (int k = 0; k < LAYOUTS; k++) {
        const struct sample *const s = &samples[k];
        int best = -1;
        for (int i = 0; i < MOVES; i++)
            if (s->seconds[i] > 0 &&
                (best < 0 || s->cost[i] * times[i] < s->cost[best] * times[best]))
                best = i;
        if (best >= 0) sum += log(s->seconds[best]);
    }
    return sum;
}

/* Computes the ratio of each row's time to its estimate; the geometric mean of all rows is 1. */
static int fit_times(const struct sample *samples, double *times)
{
    double mean = 0;
    int rows = 0, used = 0;
    for (int i = 0; i < MOVES; i++) {
        double sum = 0;
        int count = 0;
        for (int k = 0; k < LAYOUTS; k++) {
            if (!(samples[k].seconds[i] > 0)) continue;
            sum += log(samples[k].seconds[i] / samples[k].cost[i]);
            count++;
        }
        times[i] = count ? sum / count : NAN;
        if (!count) continue;
        mean += times[i];
        rows++;
    }
    for (int i = 0; i < MOVES; i++)
        times[i] = isnan(times[i]) ? 1 : exp(times[i] - mean / rows);
    for (int k = 0; k < LAYOUTS; k++)
        for (int i = 0; i < MOVES; i++)
            if (samples[k].seconds[i] > 0) {
                used++;
                break;
            }
    return used;
}

static void tune_cell(struct tuner *t, int item, int level, int64_t bytes)
{
    struct sample *const samples = must_take_array(&t->pool, LAYOUTS, sizeof *samples);
    double times[MOVES], usual[MOVES];
    char name[80];
    for (int k = 0; k < LAYOUTS; k++)
        take_sample(t, layouts[k], dtypes[item], bytes, &samples[k]);
    const int used = fit_times(samples, times);
    for (int i = 0; i < MOVES; i++)
        usual[i] = 1;
    if (used == 0) return;
    const double gain = 1 - exp((log_time(samples, times) - log_time(samples, usual)) / used);
    if (gain < TUNE_GAIN) return;
    for (int i = 0; i < MOVES; i++) {
        if (times[i] == 1) continue;
        (void)snprintf(name, sizeof name, "times.%s.%d.%s", stria__strategy_at(i)->name, 1 << item,
                       stria__profile_level(level));
        tune_take(t, must_text(&t->pool, name, strlen(name)), times[i], gain,
                  "layouts, ttc: transposed copies and copies of every second item",
                  "%d layouts of x: %.2f of the time", used, 1 - gain);
    }
}

void tune_moves(struct tuner *t)
{
    const int64_t level_bytes[MOVE_LEVELS] = {0, t->near / 2, t->best.l3.size / 6, t->far / 2};
    for (int level = 1; level < MOVE_LEVELS; level++)
        for (int item = 0; item < MOVE_ITEMS; item++) {
            if (level_bytes[level] > 0) tune_cell(t, item, level, level_bytes[level]);
            tune_step(t, 0.3 / (MOVE_ITEMS * (MOVE_LEVELS - 1)));
        }
}
