/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Depth-first search from the largest step down. For a remaining target r and step s, with the
 * smaller steps reaching R at most and having the greatest common divisor g, x must satisfy
 *
 *     0 <= r - s * x <= R      and      s * x = r  (mod g)
 *
 * which leaves an interval of an arithmetic progression. Before the last term the first value of
 * that progression already is a solution, so two terms are decided at once.
 */
#include "layout/diophantine.h"

struct level {
    uint64_t step, count;
    uint64_t reach;   /* Sum of step * count of this term and the following ones. */
    uint64_t gcd;     /* Greatest common divisor of this step and the following ones. */
    uint64_t period;  /* Distance between solutions x of the congruence. */
    uint64_t inverse; /* Inverse of step / gcd modulo period. */
};

struct search {
    int n;
    struct level levels[MAX_TERMS];
    int64_t *work;
};

uint64_t stria__gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Computes a * b mod m for m <= 2^63 without 128-bit arithmetic. */
static uint64_t multiply_mod(uint64_t a, uint64_t b, uint64_t m)
{
    a %= m;
    b %= m;
    if (m <= UINT32_MAX) return a * b % m;
    uint64_t product = 0;
    for (; b; b >>= 1) {
        if (b & 1) product = (product + a) % m;
        a = (a + a) % m;
    }
    return product;
}

/* Computes the inverse of a modulo m <= 2^63, which have no common divisor; 0 for m = 1. */
static uint64_t inverse_mod(uint64_t a, uint64_t m)
{
    int64_t x = 0, next_x = 1;
    uint64_t r = m, next_r = a % m;
    while (next_r) {
        const uint64_t quotient = r / next_r, rest = r % next_r;
        const int64_t before = x - (int64_t)quotient * next_x;
        r = next_r;
        next_r = rest;
        x = next_x;
        next_x = before;
    }
    return m == 1 ? 0 : x < 0 ? (uint64_t)(x + (int64_t)m) : (uint64_t)x;
}

/* Sorts the largest step first, merges equal steps, and cuts off values that exceed the target. */
static void simplify(struct equation *e, uint64_t target)
{
    int n = 0;
    for (int i = 0; i < e->n; i++) {
        const struct term term = e->terms[i];
        if (term.count == 0) continue;
        int at = n;
        while (at > 0 && e->terms[at - 1].step < term.step)
            at--;
        if (at > 0 && e->terms[at - 1].step == term.step) {
            e->terms[at - 1].count += term.count;
            continue;
        }
        for (int j = n++; j > at; j--)
            e->terms[j] = e->terms[j - 1];
        e->terms[at] = term;
    }
    e->n = 0;
    for (int i = 0; i < n; i++) {
        struct term term = e->terms[i];
        if (term.count > target / term.step) term.count = target / term.step;
        if (term.count > 0) e->terms[e->n++] = term;
    }
}

static void prepare_search(struct search *s, const struct equation *e)
{
    uint64_t reach = 0, gcd = 0;
    s->n = e->n;
    for (int i = e->n - 1; i >= 0; i--) {
        const struct term term = e->terms[i];
        const uint64_t below = gcd;
        gcd = stria__gcd(term.step, below);
        reach += term.step * term.count;
        const uint64_t period = below / gcd;
        s->levels[i] = (struct level){
            .step = term.step,
            .count = term.count,
            .reach = reach,
            .gcd = gcd,
            .period = period,
            .inverse = period > 1 ? inverse_mod(term.step / gcd, period) : 0,
        };
    }
}

static stria_overlap search(const struct search *s, int i, uint64_t target)
{
    if (target == 0) return STRIA_OVERLAP_YES;
    if (i == s->n) return STRIA_OVERLAP_NO;
    const struct level *l = &s->levels[i];
    if (target > l->reach || target % l->gcd != 0) return STRIA_OVERLAP_NO;
    if (i == s->n - 1) return STRIA_OVERLAP_YES;

    const uint64_t below = l[1].reach;
    const uint64_t low = target > below ? (target - below - 1) / l->step + 1 : 0;
    const uint64_t high = target / l->step < l->count ? target / l->step : l->count;
    const uint64_t solution =
        l->period > 1 ? multiply_mod(target / l->gcd, l->inverse, l->period) : 0;
    const uint64_t ahead = (solution + l->period - low % l->period) % l->period;
    if (low > high || ahead > high - low) return STRIA_OVERLAP_NO;
    for (uint64_t x = low + ahead;; x += l->period) {
        if (*s->work == 0) return STRIA_OVERLAP_TOO_HARD;
        if (*s->work > 0) --*s->work;
        const stria_overlap found = search(s, i + 1, target - l->step * x);
        if (found != STRIA_OVERLAP_NO || l->period > high - x) return found;
    }
}

stria_overlap stria__solvable(struct equation *equation, uint64_t target, int64_t *work)
{
    struct search s = {.work = work};
    simplify(equation, target);
    prepare_search(&s, equation);
    return search(&s, 0, target);
}
