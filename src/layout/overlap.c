/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two sets of bytes, each a lowest address plus step * x for every dim plus a byte within the item.
 * They overlap iff
 *
 *     low_a + sum step_a * x + p = high_b - sum step_b * y' - q'
 *
 * has a solution, where y' and q' count downwards from b's last byte, so that every coefficient is
 * positive. p and q' join into one term of step 1, which vanishes when everything is a multiple of
 * the item size: counting in units of the greatest common divisor makes ordinary aligned arrays
 * easy.
 */
#include "layout/overlap.h"

#include "layout/diophantine.h"

struct span {
    /* Lowest address, and distance from it to the last byte; an empty set has 0 bytes. */
    uint64_t low, bytes;
};

static struct span span_of(uint64_t at, const struct geometry *a)
{
    struct extent extent = {0, 0};
    if (a->itemsize > 0) (void)stria__extent(&extent, a); /* It fits, as that of every view does. */
    return (struct span){at + (uint64_t)extent.low, (uint64_t)extent.high - (uint64_t)extent.low};
}

static bool spans_meet(struct span a, struct span b)
{
    return a.bytes && b.bytes &&
           (a.low <= b.low ? b.low - a.low < a.bytes : a.low - b.low < b.bytes);
}

bool stria__bounds_overlap(uint64_t at_a, const struct geometry *a, uint64_t at_b,
                           const struct geometry *b)
{
    return spans_meet(span_of(at_a, a), span_of(at_b, b));
}

/* Computes the common divisor of d and every stride of a dim of more than one element. */
static uint64_t common_unit(uint64_t d, const struct geometry *a)
{
    for (int i = 0; i < a->ndim; i++)
        if (a->shape[i] > 1) d = stria__gcd(d, magnitude(a->strides[i]));
    return d;
}

static void add_term(struct equation *e, uint64_t step, uint64_t count)
{
    if (step > 0 && count > 0) e->terms[e->n++] = (struct term){step, count};
}

static void add_strides(struct equation *e, const struct geometry *a, uint64_t unit)
{
    for (int i = 0; i < a->ndim; i++)
        add_term(e, magnitude(a->strides[i]) / unit, (uint64_t)a->shape[i] - 1);
}

stria_overlap stria__overlap(uint64_t at_a, const struct geometry *a, uint64_t at_b,
                             const struct geometry *b, int64_t max_work)
{
    const struct span span_a = span_of(at_a, a), span_b = span_of(at_b, b);
    if (!spans_meet(span_a, span_b)) return STRIA_OVERLAP_NO;
    if (at_a == at_b && stria__same_geometry(a, b)) return STRIA_OVERLAP_SAME;
    const uint64_t items = stria__gcd((uint64_t)a->itemsize, (uint64_t)b->itemsize);
    const uint64_t apart =
        span_a.low < span_b.low ? span_b.low - span_a.low : span_a.low - span_b.low;
    const uint64_t unit = common_unit(common_unit(stria__gcd(items, apart), a), b);
    struct equation e;
    e.n = 0;
    add_strides(&e, a, unit);
    add_strides(&e, b, unit);
    add_term(&e, 1, (uint64_t)(a->itemsize + b->itemsize) / unit - 2);
    return stria__solvable(&e, (span_b.low + span_b.bytes - span_a.low) / unit - 1, &max_work);
}

/* Lists the dims of more than one element by ascending |stride|. */
static int sorted_steps(struct term *out, const struct geometry *a)
{
    int n = 0;
    for (int i = a->ndim - 1; i >= 0; i--) { /* Dims in C order are sorted already. */
        if (a->shape[i] == 1) continue;
        const struct term term = {magnitude(a->strides[i]), (uint64_t)a->shape[i] - 1};
        int at = n++;
        for (; at > 0 && out[at - 1].step > term.step; at--)
            out[at] = out[at - 1];
        out[at] = term;
    }
    return n;
}

/* Tells whether each step exceeds what the smaller ones and an item reach, so that nothing
 * overlaps. */
static bool steps_clear(const struct term *steps, int n, int64_t itemsize)
{
    uint64_t reach = (uint64_t)itemsize - 1;
    for (int k = 0; k < n; k++) {
        if (steps[k].step <= reach) return false;
        reach += steps[k].step * steps[k].count;
    }
    return true;
}

/* Tells at once whether each dim steps over all that the dims behind it reach, as in C order. */
static bool is_nested(const struct geometry *a)
{
    uint64_t reach = (uint64_t)a->itemsize - 1;
    for (int d = a->ndim - 1; d >= 0; d--) {
        const uint64_t step = magnitude(a->strides[d]);
        if (a->shape[d] == 1) continue;
        if (step <= reach) return false;
        reach += step * ((uint64_t)a->shape[d] - 1);
    }
    return true;
}

/*
 * Two elements overlap iff sum step * z = e has a solution with |z| <= count, |e| < item size and
 * z not all 0. The largest step with z != 0 may be taken to have z >= 1; so one equation for each
 * step, with the smaller ones shifted by count (and e by item size - 1) to start at 0.
 */
static stria_overlap search_itself(const struct term *steps, int n, uint64_t itemsize,
                                   uint64_t unit, int64_t max_work)
{
    uint64_t below = itemsize / unit - 1; /* The reach of the smaller steps and e. */
    for (int k = 0; k < n; k++) {
        const uint64_t step = steps[k].step / unit;
        if (step <= below) {
            struct equation e;
            e.n = 0;
            for (int i = 0; i < k; i++)
                add_term(&e, steps[i].step / unit, 2 * steps[i].count);
            add_term(&e, step, steps[k].count - 1);
            add_term(&e, 1, 2 * (itemsize / unit - 1));
            const stria_overlap found = stria__solvable(&e, below - step, &max_work);
            if (found != STRIA_OVERLAP_NO) return found;
        }
        below += step * steps[k].count;
    }
    return STRIA_OVERLAP_NO;
}

stria_overlap stria__overlaps_itself(const struct geometry *a, int64_t max_work)
{
    if (a->itemsize == 0 || is_nested(a) || is_empty(a->ndim, a->shape)) return STRIA_OVERLAP_NO;
    struct term steps[STRIA_MAX_NDIM];
    const int n = sorted_steps(steps, a);
    if (n > 0 && steps[0].step == 0) return STRIA_OVERLAP_YES;
    if (steps_clear(steps, n, a->itemsize)) return STRIA_OVERLAP_NO;
    return search_itself(steps, n, (uint64_t)a->itemsize, common_unit((uint64_t)a->itemsize, a),
                         max_work);
}
