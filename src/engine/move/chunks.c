/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A chunk consists of the innermost dims of the output that fit, and a block of the next one. Its
 * offset to the lines of the buffer is the same as in the output. What does not fill its last line
 * is kept for the next chunk, so that only the ends of a whole run are partial lines.
 */
#include "chunks.h"

#include <string.h>

#include "dispatch.h"
#include "machine/machine.h"

enum { CHUNK = 2 << 10 /* bytes of the buffer */ };

struct chunks {
    struct nest
        inner; /* the dims of one chunk; the last one is the dim in blocks, if there is one */
    void (*run)(const struct nest *chunk);
    int64_t bytes;    /* bytes of the dims inside the blocks */
    int64_t n, block; /* size and block of the dim in blocks; 1 and 1 if there is none */
    struct nest_dim blocked;
    _Alignas(LINE) char buffer[CHUNK + 2 * LINE];
};

bool stria__has_chunks(const struct nest *nest)
{
    int ndim;
    return nest->item <= CHUNK && stria__nest_run(nest, &ndim) >= stria__machine()->long_run;
}

static void walk_blocks(char *out, const char *in, void *arg)
{
    struct chunks *c = arg;
    const struct stria_kernels *kernels = stria__kernels();
    int64_t from = (int64_t)((uintptr_t)out % LINE), kept = 0; /* offset in the buffer */
    for (int64_t i = 0; i < c->n; i += c->block) {
        const int64_t n = c->n - i < c->block ? c->n - i : c->block;
        c->inner.out = c->buffer + from + kept;
        c->inner.in = in + i * c->blocked.si;
        if (c->blocked.so) c->inner.d[c->inner.ndim - 1].n = n;
        c->run(&c->inner);
        const int64_t end = from + kept + n * c->bytes;
        const int64_t stop = i + n < c->n ? end / LINE * LINE : end;
        kernels->stream(out, c->buffer + from, stop - from);
        out += stop - from;
        kept = end - stop;
        from = 0;
        memcpy(c->buffer, c->buffer + stop, (size_t)kept);
    }
}

void stria__stream_chunks(const struct nest *nest, void (*run)(const struct nest *chunk))
{
    struct chunks c;
    struct nest outer;
    int dense, d = 0;
    (void)stria__nest_run(nest, &dense);
    c.run = run;
    c.bytes = nest->item;
    c.n = c.block = 1;
    c.blocked = (struct nest_dim){1, 0, 0};
    c.inner.item = nest->item;
    for (; d < dense && nest->d[d].n * c.bytes <= CHUNK; d++) {
        c.inner.d[d] = nest->d[d];
        c.bytes *= nest->d[d].n;
    }
    c.inner.ndim = d;
    if (d < dense && CHUNK / c.bytes > 0) {
        c.blocked = nest->d[d];
        c.n = c.blocked.n;
        c.block = CHUNK / c.bytes;
        c.inner.d[c.inner.ndim++] = c.blocked;
        d++;
    }
    outer.out = nest->out;
    outer.in = nest->in;
    outer.item = nest->item;
    outer.ndim = nest->ndim;
    for (int k = d; k < nest->ndim; k++)
        outer.d[k] = nest->d[k];
    stria__nest_walk(&outer, d, walk_blocks, &c);
}
