/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transposition along the cycles of the permutation. The block that belongs in a place is moved
 * there, then the place that became free is filled, and so on until the cycle closes. Every block
 * moves once.
 *
 * A bit for each block marks the cycles that are done. Where the marks would take more memory than
 * there is, a cycle is started at its lowest place only; following a cycle finds out whether a
 * place is the lowest. For random permutations that takes n log n steps in all.
 */
#include <stdbool.h>
#include <string.h>

#include "in_place.h"
#include "plan/threads.h"
#include "simd/tuning.h"

struct walk {
    char *base;
    int64_t a, b, count;
    int64_t run, piece; /* Bytes from block to block, and bytes of each block that move. */
};

/* Returns the place of the block that belongs in place k. */
static int64_t source_of(const struct walk *w, int64_t k)
{
    if (w->count <= UINT32_MAX) {
        const uint32_t at = (uint32_t)k, a = (uint32_t)w->a;
        return (int64_t)(at % a) * w->b + at / a;
    }
    return k % w->a * w->b + k / w->a;
}

static void mark(uint64_t *marks, int64_t k)
{
    marks[k / 64] |= (uint64_t)1 << (k % 64);
}

static void fetch(const char *block, int64_t bytes)
{
    for (int64_t i = 0; i < bytes && i < CYCLE_BEGINNING; i += LINE)
        __builtin_prefetch(block + i, 0, 2);
}

/*
 * Moves the blocks of one cycle. The next places do not depend on the contents, so blocks are
 * prefetched several steps ahead. marks may be NULL.
 */
static void move_cycle(const struct walk *w, int64_t first, char *saved, uint64_t *marks)
{
    const size_t piece = (size_t)w->piece;
    int64_t to = first, next[CYCLE_AHEAD], at = 0; /* The next blocks, in a ring buffer. */
    next[0] = source_of(w, first);
    for (int64_t i = 1; i < CYCLE_AHEAD; i++)
        next[i] = source_of(w, next[i - 1]);
    memcpy(saved, w->base + first * w->run, piece);
    for (;;) {
        const int64_t from = next[at];
        next[at] = source_of(w, next[(at + CYCLE_AHEAD - 1) % CYCLE_AHEAD]);
        fetch(w->base + next[at] * w->run, w->piece);
        at = (at + 1) % CYCLE_AHEAD;
        if (marks) mark(marks, to);
        if (from == first) break;
        memcpy(w->base + to * w->run, w->base + from * w->run, piece);
        to = from;
    }
    memcpy(w->base + to * w->run, saved, piece);
}

static bool is_lowest(const struct walk *w, int64_t first)
{
    int64_t k = source_of(w, first);
    while (k > first)
        k = source_of(w, k);
    return k == first;
}

/* Moves all cycles; the first and the last block never move. */
static void move_cycles(const struct walk *w, struct scratch *scratch)
{
    const bool marked = w->count <= (int64_t)MARK_BYTES * 8;
    if (marked) memset(scratch->marks, 0, (size_t)(w->count + 63) / 64 * sizeof scratch->marks[0]);
    const bool asks = stria__asks();
    for (int64_t k = 1; k < w->count - 1; k++) {
        if (marked ? scratch->marks[k / 64] >> (k % 64) & 1 : !is_lowest(w, k)) continue;
        move_cycle(w, k, scratch->block, marked ? scratch->marks : NULL);
        if (asks && stria__is_stopped()) return;
    }
}

void stria__cycles(const struct rectangle *r, struct scratch *scratch)
{
    struct walk w = {.a = r->a, .b = r->b, .count = r->a * r->b, .run = r->run};
    for (int64_t at = 0; at < r->run; at += BLOCK_BYTES) {
        w.base = r->base + at;
        w.piece = r->run - at < BLOCK_BYTES ? r->run - at : BLOCK_BYTES;
        move_cycles(&w, scratch);
    }
}
