/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bottom-up merge sort of keys with their positions. It is stable, so entries with one key keep
 * their order; it has no bad worst case and allocates no memory. Keys that are sorted already, as
 * they mostly are, cost one pass.
 */
#include <stdbool.h>
#include <string.h>

#include "checked.h"
#include "ops/sparse/sparse.h"

struct run {
    int64_t *keys, *positions;
};

static bool in_order(const int64_t *keys, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        if (keys[i - 1] > keys[i]) return false;
    return true;
}

/* Merges from[low .. middle-1] and from[middle .. high-1] into to[low .. high-1]. */
static void merge(struct run to, struct run from, int64_t low, int64_t middle, int64_t high)
{
    int64_t left = low, right = middle;
    for (int64_t i = low; i < high; i++) {
        const bool takes_left =
            left < middle && (right == high || from.keys[left] <= from.keys[right]);
        const int64_t at = takes_left ? left++ : right++;
        to.keys[i] = from.keys[at];
        to.positions[i] = from.positions[at];
    }
}

void stria__sparse_sort(const struct sparse_sort *sort, int64_t n)
{
    struct run from = {sort->keys, sort->positions}, to = {sort->scratch[0], sort->scratch[1]};
    if (in_order(sort->keys, n)) return;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t low = 0; low < n; low += 2 * width)
            merge(to, from, low, least(low + width, n), least(low + 2 * width, n));
        const struct run done = to;
        to = from;
        from = done;
    }
    if (from.keys == sort->keys) return;
    memcpy(sort->keys, from.keys, (size_t)n * sizeof *from.keys);
    memcpy(sort->positions, from.positions, (size_t)n * sizeof *from.positions);
}
