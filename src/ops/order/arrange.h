/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of the items of one line: by their keys, and by their places where keys are equal. */
#pragma once

#include "ops/order/keys.h"
#include "plan/threads.h"

/* Lines are shorter than this. */
#define ARRANGE_MOST (INT64_C(1) << 32)

/* Memory in which one line is arranged. */
struct arranging {
    int low;          /* bits of an item that hold its place */
    struct crew crew; /* of the line */
    char *scratch;    /* of items that are sorted (sort_keys.h) */
    uint64_t *items, *room;
    uint8_t *starts;
};

/* Returns the bytes that lines of n items need, and divides them. */
int64_t stria__arranging_size(int64_t n, struct crew crew);
struct arranging stria__arranging_at(char *memory, int64_t n, struct crew crew);

/* Items of an array that is a key of the order: n of them, `stride` bytes apart. */
struct key_items {
    const char *at;
    int64_t stride;
};

/* Gives a thread of the crew its part of the scratch, to arrange others alone. */
void stria__arrange_alone(struct arranging *w, int64_t thread);

/*
 * Arranges n places, which w->items hold: first those whose items come first.
 * of[f.operand] has the items that field f belongs to. all: the places are 0 .. n-1, and not
 * written yet; of others with equal keys the first stays the first. starts: whether to tell in
 * w->starts of each place if its item differs from the one before.
 */
void stria__arrange(struct arranging *w, const struct keys *keys, const struct key_items *of,
                    int64_t n, bool all, bool starts);

/* Returns place i of those that are arranged. */
static inline int64_t place_at(const struct arranging *w, int64_t i)
{
    return (int64_t)(w->items[i] & ((UINT64_C(1) << w->low) - 1));
}

/* Writes the items of the first n places; as 64-bit integers, these places. */
void stria__take_line(char *out, const char *row, const struct arranging *w, int64_t n,
                      int64_t item);
void stria__write_places(char *out, const struct arranging *w, int64_t n);
