/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps of `stria tune`: numbers of a machine profile are tried in turns on calls that depend on
 * them, on one thread. A measured number is taken only if it is faster, by more than the noise,
 * than the number that ships.
 */
#pragma once

#include "view/pool.h"
#include "machine/machine.h"
#include "stria/view.h"
#include "terminal.h"
#include "timing.h"

/* The gain, as a part of the time, below which it counts as noise. */
static const double TUNE_GAIN = 0.03;

enum {
    TUNE_APART =
        4096 + 64 /* Places are apart by a multiple of it, in different sets of the caches. */
};

struct tuner {
    struct stria__machine best; /* The numbers so far. */
    struct pool pool;
    struct progress *progress;
    int64_t rounds;      /* Rounds in which each value is timed. */
    double done;         /* Bytes of an array in the second level, and of one from memory. */
    int64_t near, far;   /* Bytes of places in each of the buffers. */
    int64_t room;        /* Buffers filled with 1.5 as f32. */
    stria_buffer *x, *y; /* Buffers filled with 1.5 as f32. */
    stria_buffer *out;
    int notes, note_room;
    struct tune_note {
        /* Name of a number, how it was measured, and the cases it affects. */
        const char *name, *how, *cases;
        double gain; /* The part of the time that it saves. */
    } * note;
};

/* Sets a number, and how it was measured, in printf's way. */
void tune_take(struct tuner *t, const char *name, double value, double gain, const char *cases,
               const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Notes that a step is done, which is this part of all work. */
void tune_step(struct tuner *t, double part);

/*
 * Places of a call's operands: each of several places of their buffers by turns, so that arrays
 * which the caches do not hold come from memory, and others stay in the caches.
 */
struct tune_places {
    /* Number of places, bytes from one to the next, and the next place. */
    int64_t count, apart, next;
};
/* Makes places for operands; bytes are those of the largest one. */
struct tune_places tune_places(const struct tuner *t, int64_t bytes);
/* Returns the offset of the next place. */
int64_t tune_place(struct tune_places *places);

/* One call, with the numbers under which it runs. */
struct tuned_call;
/* Makes a call on views of that shape, whose elements have the dtype, "f32". */
struct tuned_call *tune_call(struct tuner *t, const char *text, const char *dtype, int ndim,
                             const int64_t *shape);
/* Returns the bytes of its result. */
int64_t tune_call_bytes(const struct tuned_call *call);
void tune_call_free(struct tuned_call *call);

/*
 * Runs a call in turns under `count` kinds of numbers, and stores the median time of each, in
 * seconds.
 */
void tune_compare(struct tuner *t, struct tuned_call *call, int count,
                  const struct stria__machine *numbers, double *seconds);

/* The three steps, by kinds of numbers. */
void tune_numbers(struct tuner *t); /* Numbers tried by themselves, with a few values each. */
void tune_streams(struct tuner *t); /* Sizes from which non-temporal stores pay. */
void tune_moves(struct tuner *t);   /* Costs of the table of moves. */
