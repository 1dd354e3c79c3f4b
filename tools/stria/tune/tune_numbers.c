/* SPDX-License-Identifier: BSD-3-Clause */
/* Tries numbers by themselves: a few values of each, on calls that depend on it. */
#include <math.h>
#include <string.h>

#include "machine/profile.h"
#include "tune.h"

enum { VALUES = 5, CALLS = 3 };

static const struct candidate {
    const char *name, *cases; /* The name of a number, and the suite cases that depend on it. */
    int count;
    double value[VALUES];
    struct {
        const char *text;
        bool far;    /* Operands come from memory, else from the second level. */
        bool square; /* Operands have two dims. */
    } call[CALLS];
} candidates[] = {
    {"rows_ahead",
     "reduce: sum, mean, max, var of rows from memory",
     5,
     {0, 2 << 10, 4 << 10, 8 << 10, 16 << 10},
     {{"x.sum()", true, false}, {"x.argmax()", true, false}, {"x.sum(1)", true, true}}},
    {"rows_apart",
     "reduce: sum, mean of long rows from memory",
     3,
     {0, 64 << 10, 1 << 20},
     {{"x.sum()", true, false}, {"x.sum(1)", true, true}}},
    {"columns_ahead",
     "reduce: sum(0), max(0) from memory",
     4,
     {0, 1 << 10, 2 << 10, 8 << 10},
     {{"x.sum(0)", true, true}, {"x.amax(0)", true, true}}},
    {"fetched_items",
     "layouts: A[:, ::n] from memory",
     2,
     {0, (double)STREAM_NEVER},
     {{"x[::17]", true, false}, {"x[:, ::40]", true, true}}},
    {"copier",
     "layouts: dense copies beyond the first level",
     3,
     {COPY_BY_LIBRARY, COPY_BY_STRING, COPY_BY_LOOP},
     {{"x", false, false}, {"x[:65536]", false, false}}},
    {"strip",
     "elementwise: expressions of several operations, of operands that lie apart",
     3,
     {8 << 10, 16 << 10, 32 << 10},
     {{"(x[:, ::2] + y[:, ::2]) * x[:, 1::2]", true, true}}},
    {"direct_strip",
     "elementwise: expressions of several operations, in the caches",
     3,
     {8 << 10, 16 << 10, 32 << 10},
     {{"(x + y) * x + y * 2", false, false}}},
    {"block",
     "elementwise: A + B.T",
     3,
     {64 << 10, 128 << 10, 256 << 10},
     {{"x + y.T", true, true}, {"x + y.T", false, true}}},
    {"lines_ahead",
     "elementwise: A + B.T from memory",
     4,
     {32, 64, 128, 256},
     {{"x + y.T", true, true}}},
    {"box",
     "layouts: copies in two moves",
     3,
     {64 << 10, 128 << 10, 256 << 10},
     {{"x[::2, ::2].T", false, true}, {"x[::2, ::2].T", true, true}}},
};

/* Times all values on one call, and adds the logarithms of the times. */
static void add_times(struct tuner *t, const struct candidate *tried, int which,
                      const struct stria__machine *numbers, double *logs)
{
    double seconds[VALUES + 1];
    const int64_t items = (tried->call[which].far ? t->far : t->near) / 4,
                  side = (int64_t)sqrt((double)items) / 16 * 16 + 8;
    const int64_t flat[] = {items}, square[] = {side, side};
    const bool two = tried->call[which].square;
    struct tuned_call *const call =
        tune_call(t, tried->call[which].text, "f32", two ? 2 : 1, two ? square : flat);
    if (!call) return;
    tune_compare(t, call, tried->count + 1, numbers, seconds);
    for (int i = 0; i <= tried->count; i++)
        logs[i] += log(seconds[i]);
    tune_call_free(call);
}

static void try_number(struct tuner *t, const struct candidate *tried)
{
    struct stria__machine numbers[VALUES + 1];
    double logs[VALUES + 1] = {0};
    int calls = 0, best = 0;
    numbers[0] = t->best;
    for (int i = 1; i <= tried->count; i++) {
        numbers[i] = t->best;
        (void)stria__profile_set(&numbers[i], tried->name, tried->value[i - 1]);
    }
    for (; calls < CALLS && tried->call[calls].text; calls++)
        add_times(t, tried, calls, numbers, logs);
    const double now = stria__profile_get(&t->best, tried->name);
    for (int i = 1; i <= tried->count; i++)
        if (logs[i] < logs[best] && tried->value[i - 1] != now) best = i;
    const double gain = 1 - exp((logs[best] - logs[0]) / calls);
    if (gain > TUNE_GAIN)
        tune_take(t, tried->name, tried->value[best - 1], gain, tried->cases,
                  "%s: %.2f of the time with %.15g", tried->call[0].text, 1 - gain, now);
}

void tune_numbers(struct tuner *t)
{
    const int count = sizeof candidates / sizeof candidates[0];
    for (int i = 0; i < count; i++) {
        try_number(t, &candidates[i]);
        tune_step(t, 0.35 / count);
    }
}

/* ---- from where non-temporal stores pay ------------------------------------------------------ */

static const struct streamed {
    const char *name, *text, *cases;
    int ndim;
    int64_t columns; /* Size of the last dim; 0: as many as rows. */
    double lines;    /* Bytes of lines that are read for each byte that is written. */
} writes[] = {
    {"stream_from.run", "x", "layouts: dense copies", 1, 0, 1},
    {"stream_from.repeated", "x[:, :1].expand(x.shape)", "fill, layouts: repeated items", 2, 4096,
     0},
    {"stream_from.backwards", "x.flip(0)", "layouts: flips", 1, 0, 1},
    {"stream_from.items", "x[::2]", "layouts: every second item", 1, 0, 2},
    {"stream_from.rows", "x[:, :256]", "layouts: rows with gaps", 2, 384, 1},
    {"stream_from.tiles", "x.T", "layouts, ttc: transpositions", 2, 0, 1},
    {"stream_from.results", "x + y", "elementwise: results of a megabyte and more", 1, 0, 2},
};

enum { SIZES = 9 };

/* Measures one size with stores through the caches, and with non-temporal ones; 0 if it fails. */
static double time_size(struct tuner *t, const struct streamed *s, int64_t bytes, double seconds[2])
{
    struct stria__machine numbers[2] = {t->best, t->best};
    const int64_t items = bytes / 4, side = (int64_t)sqrt((double)items) / 16 * 16 + 8,
                  columns = s->columns ? s->columns : side;
    const int64_t flat[] = {items}, table[] = {items / columns, columns};
    struct tuned_call *const call =
        tune_call(t, s->text, "f32", s->ndim, s->ndim == 1 ? flat : table);
    if (!call) return 0;
    (void)stria__profile_set(&numbers[0], s->name, 0x1p63);
    (void)stria__profile_set(&numbers[1], s->name, 0);
    tune_compare(t, call, 2, numbers, seconds);
    const double traffic = (double)tune_call_bytes(call) * (1 + 2 * s->lines);
    tune_call_free(call);
    return traffic;
}

static void try_stream(struct tuner *t, const struct streamed *s)
{
    double seconds[SIZES][2], traffic[SIZES], gain = 0;
    const double now = stria__profile_get(&t->best, s->name);
    int count = 0, from;
    for (int64_t bytes = t->near; bytes <= t->far && count < SIZES; bytes *= 2, count++)
        if ((traffic[count] = time_size(t, s, bytes, seconds[count])) == 0) return;
    for (from = count; from > 0 && seconds[from - 1][1] < seconds[from - 1][0];)
        from--;
    for (int i = 0; i < count; i++)
        gain += log(seconds[i][traffic[i] >= now] / seconds[i][i >= from]);
    gain = 1 - exp(-gain / count);
    if (gain < TUNE_GAIN) return;
    double value = 0x1p63;
    if (from < count) value = from == 0 ? traffic[0] / 2 : sqrt(traffic[from - 1] * traffic[from]);
    tune_take(t, s->name, floor(value), gain, s->cases, "%s: %.2f of the time with %.15g, %d sizes",
              s->text, 1 - gain, now, count);
}

void tune_streams(struct tuner *t)
{
    const int count = sizeof writes / sizeof writes[0];
    for (int i = 0; i < count; i++) {
        try_stream(t, &writes[i]);
        tune_step(t, 0.35 / count);
    }
}
