/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of kernels, made from nests. */
#ifndef STRIA_SRC_ENGINE_MOVE_KERNEL_ARGS_H
#define STRIA_SRC_ENGINE_MOVE_KERNEL_ARGS_H

#include "lines.h"
#include "nest.h"
#include "simd/kernels.h"

static inline enum size_class stria__size_class(int64_t item)
{
    switch (item) {
    case 1: return SIZE_1;
    case 2: return SIZE_2;
    case 4: return SIZE_4;
    case 8: return SIZE_8;
    case 16: return SIZE_16;
    default: return SIZE_ANY;
    }
}

/* Describes the two innermost dims of a nest; a dim that it does not have is one of size 1. */
static inline struct strided stria__strided_args(const struct nest *nest, bool stream)
{
    struct strided t = {.out = nest->out, .in = nest->in, .n = {1, 1}};
    for (int d = 0; d < 2 && d < nest->ndim; d++) {
        t.n[d] = nest->d[d].n;
        t.so[d] = nest->d[d].so;
        t.si[d] = nest->d[d].si;
    }
    t.item = nest->item;
    t.stream = stream;
    t.gaps = stria__has_far_gaps(nest);
    return t;
}

static inline bool stria__next_two_dims(struct strided *t)
{
    struct nest_walk *walk = t->walk;
    if (!stria__nest_next(walk)) return false;
    t->out = walk->out;
    t->in = walk->in;
    return true;
}

/*
 * Runs the whole nest by a kernel that continues by itself, so that it makes its preparations once.
 */
static inline void stria__run_prepared(const struct nest *nest, bool stream,
                                       void (*kernel)(const struct strided *t))
{
    struct nest_walk walk;
    struct strided t = stria__strided_args(nest, stream);
    if (nest->ndim > 2) {
        stria__nest_start(&walk, nest, 2);
        t.next = stria__next_two_dims;
        t.walk = &walk;
    }
    kernel(&t);
}

#endif
