/* SPDX-License-Identifier: BSD-3-Clause */
/* The sides of boxes, their blocks, and strides in the buffers. */
#include "boxed.h"

#include "checked.h"
#include "simd/kernels.h"
#include "tiling.h"

enum { NEAR = LINE / 2 /* longest step, in bytes, with which a line has two items */ };

/* Returns the dim behind dim 0 that has the smallest steps in the input; 0 if there is none. */
static int nearest(const struct nest *nest)
{
    int p = 0;
    for (int d = 1; d < nest->ndim; d++)
        if (nest->d[d].si != 0 && (p == 0 || magnitude(nest->d[d].si) < magnitude(nest->d[p].si)))
            p = d;
    return p;
}

/* Returns the dim that has the next larger steps in the input; -1 if there is none. */
static int next_in_input(const struct nest *nest, int last)
{
    const uint64_t from = magnitude(nest->d[last].si);
    int next = -1;
    for (int d = 0; d < nest->ndim; d++) {
        const uint64_t s = magnitude(nest->d[d].si);
        if (d == last || s < from || (s == from && d < last)) continue;
        if (next < 0 || s < magnitude(nest->d[next].si)) next = d;
    }
    return next;
}

static bool has(const struct bundle *side, int dim)
{
    for (int i = 0; i < side->ndim; i++)
        if (side->dims[i] == dim) return true;
    return false;
}

/* Divides n items into blocks of at most `room`, as even as possible and of whole units. */
static int64_t block_of(int64_t n, int64_t room, int64_t unit)
{
    const int64_t even = least(n, stria__even_most(n, room));
    return even == n || even < unit ? even : least((even + unit - 1) / unit * unit, room);
}

/* Adds a dim to a side; false where there is no room for another. */
static bool add(struct boxed *out, struct bundle *side, const struct nest *nest, int dim,
                int64_t most, int64_t unit)
{
    const int64_t n = nest->d[dim].n;
    out->size[dim] = block_of(n, most / side->n, side->n == 1 ? unit : 1);
    side->dims[side->ndim++] = dim;
    side->n *= out->size[dim];
    return out->size[dim] == n && side->n * 2 <= most;
}

/* Adds the dims of the output from dim 0 on to Q, up to the first one of P. */
static void grow_q(struct boxed *out, const struct nest *nest, int p, int64_t most)
{
    out->q = (struct bundle){.n = 1};
    for (int d = 0; d < p && nest->d[d].si != 0 && !has(&out->p, d); d++)
        if (!add(out, &out->q, nest, d, most, LINE / nest->item)) break;
}

/* Adds dims of the input to P in the same way, up to the first one of Q. */
static void grow_p(struct boxed *out, const struct nest *nest, int p, int64_t most)
{
    out->p = (struct bundle){.n = 1};
    for (int d = p; d >= 0 && !has(&out->q, d); d = next_in_input(nest, d))
        if (!add(out, &out->p, nest, d, most, LINE / nest->item)) break;
}

/* Chooses the items along both sides. Where one side is short, the other is longer. */
static void find_sides(struct boxed *out, const struct nest *nest, int p)
{
    const int64_t most = STAGE / nest->item;
    int64_t np = 64;
    while (np * np < most)
        np *= 2;
    const int64_t nq = most / np;
    out->p.ndim = 0;
    grow_q(out, nest, p, nq);
    grow_p(out, nest, p, np);
    if (out->q.n * 2 <= nq)
        grow_p(out, nest, p, most / out->q.n);
    else if (out->p.n * 2 <= np)
        grow_q(out, nest, p, most / out->p.n);
}

/* Tells whether the input has gaps before its rows of P fill a line. */
static bool has_gaps(const struct boxed *b, const struct nest *nest)
{
    int64_t run = nest->item;
    for (int i = 0; i < b->p.ndim; i++) {
        const int64_t s = nest->d[b->p.dims[i]].si;
        if (s != run && !(i == 0 && s == -run)) return run < LINE;
        run *= b->size[b->p.dims[i]];
    }
    return false;
}

/* Tells whether the output has none, so that a transposition needs no buffer. */
static bool is_dense(const struct boxed *b, const struct nest *nest)
{
    int64_t run = nest->item;
    for (int i = 0; i < b->q.ndim && run < LINE; i++) {
        if (nest->d[b->q.dims[i]].so != run) return false;
        run *= b->size[b->q.dims[i]];
    }
    return true;
}

/*
 * Pads long rows so that they begin on lines, but not all in the same few sets of the first-level
 * cache.
 */
static int64_t pitch_of(int64_t row)
{
    enum { SHORT = 256, SETS = 512 };
    if (row < SHORT) return row;
    const int64_t lines = (row + LINE - 1) / LINE * LINE;
    return lines % SETS ? lines : lines + LINE;
}

static void lay_out(int64_t *strides, const struct boxed *b, const struct bundle *rows,
                    const struct bundle *others, const struct nest *nest)
{
    int64_t s = nest->item;
    for (int d = 0; d < nest->ndim; d++)
        strides[d] = 0;
    for (int i = 0; i < rows->ndim; i++) {
        strides[rows->dims[i]] = s;
        s *= b->size[rows->dims[i]];
    }
    s = pitch_of(s);
    for (int i = 0; i < others->ndim; i++) {
        strides[others->dims[i]] = s;
        s *= b->size[others->dims[i]];
    }
}

bool stria__boxed_make(struct boxed *out, const struct nest *nest)
{
    const int p = nearest(nest);
    const uint64_t near = magnitude(nest->d[p].si);
    if (p == 0 || near > NEAR || nest->d[0].so > NEAR || magnitude(nest->d[0].si) < 2 * near)
        return false;
    for (int d = 0; d < nest->ndim; d++)
        out->size[d] = 1;
    find_sides(out, nest, p);
    out->gather = has_gaps(out, nest);
    lay_out(out->gathered, out, &out->p, &out->q, nest);
    lay_out(out->turned, out, &out->q, &out->p, nest);
    return out->gather || !is_dense(out, nest);
}
