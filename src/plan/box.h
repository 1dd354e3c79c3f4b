/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan cut into boxes, each of which is handled at once: sizes along the dims, from an index on.
 * A cut says how large boxes are, and in which order they follow each other. Its sizes come from a
 * policy, and everything else from here.
 *
 *     struct cut cut;
 *     struct box box;
 *     stria__cut_begin(&cut, plan);
 *     (void)stria__cut_rows(&cut, 4096);
 *     stria__box_first(&box, &cut);
 *     do
 *         handle(box.ptr, box.n);
 *     while (stria__box_next(&box, &cut));
 */
#pragma once

#include "plan/plan.h"
#include "stria/view.h"

struct cut {
    const stria_plan *plan;       /* Borrowed, not empty. */
    int64_t size[STRIA_MAX_NDIM]; /* Size of a full box along each dim of the plan. */
    int order[STRIA_MAX_NDIM];    /* The dims; boxes follow each other along the first one first. */
    int head;                     /* The dim along which the first box may be shorter. */
    int64_t first; /* Elements of the first box along it; 0: as many as the others. */
};

struct box {
    char *ptr[STRIA_MAX_OPERANDS]; /* Address of its first element in each operand. */
    /* Its sizes, and the index of its first element, along each dim of the plan. */
    int64_t n[STRIA_MAX_NDIM], index[STRIA_MAX_NDIM];
};

/* ---- policies: sizes of boxes ---------------------------------------------------------------- */

/* Begins with boxes of one element, in the order of the plan's dims. */
void stria__cut_begin(struct cut *out, const stria_plan *plan);

/*
 * Takes the innermost dims that fit into `most` elements together, whole, and even parts of the
 * next one. Returns the number of whole dims.
 */
int stria__cut_rows(struct cut *cut, int64_t most);

/*
 * Lengthens boxes along the dims of a list in turn until they have `wanted` elements along these
 * dims or `room` times as many as before, in multiples of `unit` if they had one; returns what is
 * left of the room.
 */
int64_t stria__cut_grow(struct cut *cut, const int *dims, int64_t wanted, int64_t room,
                        int64_t unit);

/* Sorts the dims from the smallest steps of operand k to its largest; stride 0 comes last. */
void stria__memory_order(int *dims, const stria_plan *plan, int k);

/* Divides n elements into parts of at most `most` that are as even as possible, and whole units. */
int64_t stria__even_part(int64_t n, int64_t most, int64_t unit);

/* Counts the elements of a full box, and the boxes. */
int64_t stria__cut_items(const struct cut *cut);
int64_t stria__cut_boxes(const struct cut *cut);

/* ---- boxes ----------------------------------------------------------------------------------- */

void stria__box_first(struct box *out, const struct cut *cut);

/* Goes on to the next box; false after the last. */
bool stria__box_next(struct box *box, const struct cut *cut);

/* Finds box number i of a cut whose first box is as long as the others. */
void stria__box_at(struct box *out, const struct cut *cut, int64_t i);

/* Returns where the box after this one begins in operand k; NULL after the last. */
char *stria__box_after(const struct box *box, const struct cut *cut, int k);

/* Counts the elements of a box. */
int64_t stria__box_items(const struct box *box, const struct cut *cut);

/* Tells whether the box has the sizes of a full one. */
bool stria__box_is_full(const struct box *box, const struct cut *cut);

/* Makes a plan of a box, with the dims of the cut's plan. */
void stria__box_plan(stria_plan *out, const struct box *box, const struct cut *cut);

/*
 * Makes the view of a box in operand k, whose dtype and flags are those of a view, without dims of
 * one element.
 */
void stria__box_view(stria_view *out, const stria_view *like, const struct box *box,
                     const struct cut *cut, int k);
