/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `stria tune` does: numbers of a machine profile are tried in turns on calls that depend on
 * them, on one thread. A number is taken from what was measured only where that is faster, by more
 * than the noise, than the number that ships.
 */
#ifndef STRIA_TOOL_TUNE_H
#define STRIA_TOOL_TUNE_H

#include "view/pool.h"
#include "machine/machine.h"
#include "stria/view.h"
#include "terminal.h"
#include "timing.h"

/* A smaller gain, as a part of the time, is noise. */
static const double TUNE_GAIN = 0.03;

enum { TUNE_APART = 4096 + 64 /* places are apart by a multiple of that, off each other's sets */ };

struct tuner {
    struct stria__machine best; /* the numbers so far */
    struct pool pool;
    struct progress *progress;
    int64_t rounds;      /* in which each value is timed */
    double done;         /* of all steps, 0 to 1 */
    int64_t near, far;   /* bytes of an array in the second level, and of one from memory */
    int64_t room;        /* bytes of places in each of the buffers */
    stria_buffer *x, *y; /* of f32 1.5 */
    stria_buffer *out;
    int notes, note_room;
    struct tune_note {
        const char *name, *how, *cases; /* of a number; how it was measured; what it changes */
        double gain;                    /* the time is so much less, as a part of it */
    } * note;
};

/* A number becomes the value; tells how it was measured, printf's way. */
void tune_take(struct tuner *t, const char *name, double value, double gain, const char *cases,
               const char *format, ...) __attribute__((format(printf, 6, 7)));
/* The part of all work that this step is, is done. */
void tune_step(struct tuner *t, double part);

/*
 * Where the operands of a call lie: at each of so many places of their buffers by turns, so that
 * what the caches do not hold comes from memory, and what they hold stays there.
 */
struct tune_places {
    int64_t count, apart, next; /* apart: bytes from a place to the next */
};
/* bytes: of the largest operand. */
struct tune_places tune_places(const struct tuner *t, int64_t bytes);
/* Returns the offset of the next place. */
int64_t tune_place(struct tune_places *places);

/* One call, with the numbers under which it runs. */
struct tuned_call;
/* An element of `dtype`, "f32", in views of that shape. */
struct tuned_call *tune_call(struct tuner *t, const char *text, const char *dtype, int ndim,
                             const int64_t *shape);
/* Returns the bytes that its result has. */
int64_t tune_call_bytes(const struct tuned_call *call);
void tune_call_free(struct tuned_call *call);

/*
 * Runs a call in turns under `count` kinds of numbers, and stores the median time of each, in
 * seconds.
 */
void tune_compare(struct tuner *t, struct tuned_call *call, int count,
                  const struct stria__machine *numbers, double *seconds);

/* The three kinds of numbers. */
void tune_numbers(struct tuner *t); /* each by itself, of a few candidates */
void tune_streams(struct tuner *t); /* from where non-temporal stores pay */
void tune_moves(struct tuner *t);   /* the costs of the table of moves */

#endif
