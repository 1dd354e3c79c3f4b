/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Brings many dims into their order by two kinds of moves: swapping two adjacent groups of dims,
 * which is a rectangle, or swapping two dims of one size, which is a square. Dims that have become
 * neighbours as in the final order are merged into one; each move is the one that creates most of
 * such neighbours.
 */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "in_place.h"
#include "stria/view.h"

/* `outer` adjacent arrays, each of the dims that remain to be ordered. */
struct dims {
    char *base;
    int64_t outer, item;
    int ndim;
    int rank[STRIA_MAX_NDIM]; /* The numbers 0 .. ndim-1, each once. */
    int64_t n[STRIA_MAX_NDIM];
};

/* Swaps the groups [i, j) and [j, k); or, when `square`, the dims i and k - 1. */
struct move {
    int i, j, k;
    bool square;
};

static int64_t product(const struct dims *s, int from, int to)
{
    int64_t all = 1;
    for (int d = from; d < to; d++)
        all *= s->n[d];
    return all;
}

/* ---- choosing ------------------------------------------------------------------------------ */

/* Tells whether dim d comes directly after dim c in the final order; the ends count as dims. */
static int follows(const struct dims *s, int c, int d)
{
    const int before = c < 0 ? -1 : s->rank[c], after = d == s->ndim ? s->ndim : s->rank[d];
    return after == before + 1;
}

/*
 * Counts the pairs of neighbours that the move creates; it separates none, as existing ones are
 * merged. A square moves every byte once, a rectangle moves it about twice.
 */
static int score_of(const struct dims *s, const struct move *m)
{
    const int i = m->i, j = m->j, k = m->k;
    if (m->square)
        return 2 * (follows(s, i - 1, k - 1) + follows(s, k - 1, i + 1) + follows(s, k - 2, i) +
                    follows(s, i, k));
    const int gain = follows(s, i - 1, j) + follows(s, k - 1, i) + follows(s, j - 1, k);
    return product(s, i, j) == product(s, j, k) ? 2 * gain : gain;
}

static struct move best_move(const struct dims *s)
{
    enum { LEAST = 16 }; /* Smaller squares that are not dense cost more than they save. */
    struct move best = {0, 0, 0, false};
    int most = 0;
    for (int i = 0; i < s->ndim; i++)
        for (int k = i + 2; k <= s->ndim; k++)
            for (int j = i + 1; j <= k; j++) {
                const struct move m = {i, j, k, .square = j == k};
                if (m.square && (k - i <= 2 || s->n[i] != s->n[k - 1] || s->n[i] < LEAST)) continue;
                const int score = score_of(s, &m);
                if (score <= most) continue;
                most = score;
                best = m;
            }
    assert(most > 0); /* Some move can always bring the first dim to the front. */
    return best;
}

/* ---- moving -------------------------------------------------------------------------------- */

static void run_square(const struct dims *s, const struct move *m, struct scratch *scratch)
{
    const int64_t n = s->n[m->i], run = product(s, m->k, s->ndim) * s->item;
    const int64_t between = product(s, m->i + 1, m->k - 1), bytes = n * between * n * run;
    const int64_t outer = s->outer * product(s, 0, m->i);
    for (int64_t o = 0; o < outer; o++)
        for (int64_t b = 0; b < between; b++)
            stria__square(&(struct square){.base = s->base + o * bytes + b * n * run,
                                           .n = n,
                                           .sx = between * n * run,
                                           .sy = run,
                                           .run = run},
                          scratch);
}

static void run_rectangle(const struct dims *s, const struct move *m, struct scratch *scratch)
{
    stria__rectangle(&(struct rectangle){.base = s->base,
                                         .count = s->outer * product(s, 0, m->i),
                                         .a = product(s, m->i, m->j),
                                         .b = product(s, m->j, m->k),
                                         .run = product(s, m->k, s->ndim) * s->item},
                     scratch);
}

/* Returns the place before the move of the dim that is in place d after it. */
static int came_from(const struct move *m, int d)
{
    if (d < m->i || d >= m->k) return d;
    if (m->square) return d == m->i ? m->k - 1 : d == m->k - 1 ? m->i : d;
    const int second = m->k - m->j;
    return d < m->i + second ? d - m->i + m->j : d - second;
}

static void rename_dims(struct dims *s, const struct move *m)
{
    const struct dims old = *s;
    for (int d = 0; d < s->ndim; d++) {
        s->n[d] = old.n[came_from(m, d)];
        s->rank[d] = old.rank[came_from(m, d)];
    }
}

/* ---- merging ------------------------------------------------------------------------------- */

/*
 * Merges neighbours of the final order; a dim that is in its final place at either end is dropped.
 */
static void merge_dims(struct dims *s)
{
    const struct dims old = *s;
    int first[STRIA_MAX_NDIM], count = 0;
    for (int d = 0; d < old.ndim; d++) {
        if (d > 0 && old.rank[d] == old.rank[d - 1] + 1) {
            s->n[count - 1] *= old.n[d];
            continue;
        }
        s->n[count] = old.n[d];
        first[count++] = old.rank[d];
    }
    for (int d = 0; d < count; d++) {
        s->rank[d] = 0;
        for (int e = 0; e < count; e++)
            s->rank[d] += first[e] < first[d];
    }
    if (count > 0 && s->rank[count - 1] == count - 1) s->item *= s->n[--count];
    s->ndim = count;
    if (count == 0 || s->rank[0] != 0) return;
    s->outer *= s->n[0];
    s->ndim--;
    for (int d = 0; d < s->ndim; d++) {
        s->n[d] = s->n[d + 1];
        s->rank[d] = s->rank[d + 1] - 1;
    }
}

void stria__reorder_dense(char *base, int ndim, const int64_t *n, const int *rank, int64_t item,
                          struct scratch *scratch)
{
    struct dims s = {.base = base, .outer = 1, .item = item, .ndim = ndim};
    for (int d = 0; d < ndim; d++) {
        s.n[d] = n[d];
        s.rank[d] = rank[d];
    }
    for (merge_dims(&s); s.ndim > 0; merge_dims(&s)) {
        const struct move move = best_move(&s);
        if (move.square)
            run_square(&s, &move, scratch);
        else
            run_rectangle(&s, &move, scratch);
        rename_dims(&s, &move);
    }
}
