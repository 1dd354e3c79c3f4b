/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which gathers of items at a constant distance load whole lines (steps.inc). */
#pragma once

#ifdef HAVE_V64
/*
 * Returns a mask of the bytes of line k (of `step` lines) that hold items. The items occupy the
 * first `bytes` bytes of all lines, or the last ones if `back`.
 */
static inline uint64_t bytes_of_line(int64_t bytes, int step, int k, bool back)
{
    return back ? ~v64_first((step - k) * LINE - bytes) : v64_first(bytes - k * LINE);
}

#define ITEM 2
#include "steps.inc"
#undef ITEM
#define ITEM 4
#include "steps.inc"
#undef ITEM
#define ITEM 8
#include "steps.inc"
#undef ITEM
#endif

/*
 * Tells whether the level has a kernel for items at this distance. Beyond LANE bytes as many lines
 * are loaded as there are items, which is no faster than copying item by item (Zen 4). Streamed
 * items in descending order are the exception, because the kernel reads memory upwards.
 */
static inline bool has_steps(const struct strided *t)
{
#ifdef HAVE_V64
    const bool back = t->si[0] < 0, sized = t->item == 2 || t->item == 4 || t->item == 8;
    const int64_t s = back ? -t->si[0] : t->si[0], most = t->stream && back ? 2 * LANE : LANE;
    return sized && t->so[0] == t->item && s > 0 && s <= most && s <= STEPS_MOST * t->item &&
           (s & (t->item - 1)) == 0;
#else
    (void)t;
    return false;
#endif
}

/* Tells whether that kernel streams the rows. */
static inline bool streams_steps(const struct strided *t)
{
    return t->stream && t->n[0] * t->item >= STEPS_STREAMED && has_steps(t);
}

/* Gathers dense rows and returns true if they have such a kernel and are long enough for it. */
static inline bool gather_steps(const struct strided *t)
{
#ifdef HAVE_V64
    if (t->n[0] < STEPS_SHORT || t->n[0] * t->n[1] < STEPS_FEW || !has_steps(t)) return false;
    switch (t->item) {
    case 2: gather_steps_2(t); break;
    case 4: gather_steps_4(t); break;
    default: gather_steps_8(t); break;
    }
    return true;
#else
    (void)t;
    return false;
#endif
}
