/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes nests of plans, and iterates over the outer dims of a nest. */
#include "nest.h"

#include "machine/machine.h"
#include "simd/kernels.h"

void stria__nest_begin(struct nest *nest, char *out, const char *in, int64_t item)
{
    nest->out = out;
    nest->in = in;
    nest->item = item;
    nest->ndim = 0;
}

void stria__nest_push(struct nest *nest, int64_t n, int64_t so, int64_t si)
{
    if (n == 1) return;
    struct nest_dim *const last = nest->ndim > 0 ? &nest->d[nest->ndim - 1] : NULL;
    if (!last && so == nest->item && si == nest->item)
        nest->item *= n;
    else if (last && last->so * last->n == so && last->si * last->n == si)
        last->n *= n;
    else
        nest->d[nest->ndim++] = (struct nest_dim){n, so, si};
}

void stria__nest_make(struct nest *out, const stria_plan *plan, int64_t item)
{
    stria__nest_begin(out, plan->ptr[0], plan->ptr[1], item);
    for (int d = 0; d < plan->ndim; d++)
        stria__nest_push(out, plan->dims[d].n, plan->dims[d].s[0], plan->dims[d].s[1]);
}

int64_t stria__nest_bytes(const struct nest *nest)
{
    int64_t bytes = nest->item;
    for (int d = 0; d < nest->ndim; d++)
        bytes *= nest->d[d].n;
    return bytes;
}

void stria__reach_along(struct reach *reach, int64_t n, int64_t s)
{
    const int64_t step = (int64_t)magnitude(s);
    if (s == 0) return;
    reach->items *= (double)n;
    if (step < reach->step) reach->step = step;
}

double stria__bytes_of_lines(const struct reach *reach, int64_t item)
{
    const int64_t most = item > LINE ? item : LINE;
    const int64_t each = reach->step < item ? item : least(reach->step, most);
    return reach->items * (double)(reach->items > 1 ? each : item);
}

double stria__nest_lines(const struct nest *nest)
{
    struct reach in = ONE_ELEMENT;
    for (int d = 0; d < nest->ndim; d++)
        stria__reach_along(&in, nest->d[d].n, nest->d[d].si);
    return stria__bytes_of_lines(&in, nest->item);
}

double stria__nest_traffic(const struct nest *nest)
{
    return (double)stria__nest_bytes(nest) + 2 * stria__nest_lines(nest);
}

bool stria__has_long_rows(const struct nest *nest)
{
    const struct stria__machine *const m = stria__machine();
    const int64_t bytes = stria__nest_bytes(nest);
    return nest->item >= (bytes < 4 * m->l2.size ? m->copy_rows_from / 4 : m->copy_rows_from) &&
           bytes > m->copy_near;
}

bool stria__nest_has_rows_of_lines(const struct nest *nest)
{
    uint64_t bits = 0;
    for (int d = 1; d < nest->ndim; d++)
        bits |= (uint64_t)nest->d[d].so;
    return bits % LINE == 0;
}

int64_t stria__nest_run(const struct nest *nest, int *ndim)
{
    int64_t run = nest->item;
    int d = 0;
    for (; d < nest->ndim && nest->d[d].so == run; d++)
        run *= nest->d[d].n;
    *ndim = d;
    return run;
}

void stria__nest_by_input(struct nest *out, const struct nest *nest, int first)
{
    stria__nest_begin(out, nest->out, nest->in, nest->item);
    out->ndim = nest->ndim;
    for (int d = 0; d < nest->ndim; d++) {
        struct nest_dim dim = nest->d[d];
        int place = d;
        if (dim.si < 0 && d >= first) {
            out->out += (dim.n - 1) * dim.so;
            out->in += (dim.n - 1) * dim.si;
            dim.so = -dim.so;
            dim.si = -dim.si;
        }
        for (; place > first && out->d[place - 1].si > dim.si; place--)
            out->d[place] = out->d[place - 1];
        out->d[place] = dim;
    }
}

void stria__nest_start(struct nest_walk *walk, const struct nest *nest, int first)
{
    walk->nest = nest;
    walk->first = first;
    walk->out = nest->out;
    walk->in = nest->in;
    for (int d = first; d < nest->ndim; d++)
        walk->index[d] = 0;
}

bool stria__nest_next(struct nest_walk *walk)
{
    for (int d = walk->first; d < walk->nest->ndim; d++) {
        const struct nest_dim *dim = &walk->nest->d[d];
        if (++walk->index[d] < dim->n) {
            walk->out += dim->so;
            walk->in += dim->si;
            return true;
        }
        walk->index[d] = 0;
        walk->out -= (dim->n - 1) * dim->so;
        walk->in -= (dim->n - 1) * dim->si;
    }
    return false;
}

static bool next_two_dims(struct strided *t)
{
    struct nest_walk *walk = t->walk;
    if (!stria__nest_next(walk)) return false;
    t->out = walk->out;
    t->in = walk->in;
    return true;
}

void stria__nest_continue(struct strided *t, struct nest_walk *walk, const struct nest *nest)
{
    if (nest->ndim <= 2) return;
    stria__nest_start(walk, nest, 2);
    t->next = next_two_dims;
    t->walk = walk;
}

void stria__nest_walk(const struct nest *nest, int first, stria__nest_body *body, void *arg)
{
    struct nest_walk walk;
    stria__nest_start(&walk, nest, first);
    do
        body(walk.out, walk.in, arg);
    while (stria__nest_next(&walk));
}
