/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: one array as several views. */
#include <string.h>

#include "lang/eval.h"
#include "lang/registry.h"

/* A splitting function of the library, one member of these, by the arguments it takes. */
struct splitter {
    const char *c; /* its name */
    stria_status (*dim)(stria_view *, int64_t, int64_t *, const stria_view *, int);
    stria_status (*number)(stria_view *, int64_t, int64_t *, const stria_view *, int64_t);
    stria_status (*numbers)(stria_view *, int64_t, int64_t *, const stria_view *, int64_t,
                            const int64_t *);
    stria_status (*number_dim)(stria_view *, int64_t, int64_t *, const stria_view *, int64_t, int);
    stria_status (*numbers_dim)(stria_view *, int64_t, int64_t *, const stria_view *, int64_t,
                                const int64_t *, int);
};

#define SPLITTER(by, name)                                                                         \
    {                                                                                              \
        .c = "stria_" #name, .by = stria_##name                                                    \
    }
static const struct splitter splitters[] = {
    SPLITTER(number_dim, split),        SPLITTER(numbers_dim, split_sizes),
    SPLITTER(number_dim, chunk),        SPLITTER(dim, unbind),
    SPLITTER(number_dim, tensor_split), SPLITTER(numbers_dim, tensor_split_at),
    SPLITTER(number_dim, split_equal),  SPLITTER(number, hsplit),
    SPLITTER(numbers, hsplit_at),       SPLITTER(number, vsplit),
    SPLITTER(numbers, vsplit_at),       SPLITTER(number, dsplit),
    SPLITTER(numbers, dsplit_at),
};

static stria_status apply(stria_view *out, int64_t room, struct invocation *c)
{
    const struct splitter *by = splitters; /* what the row names */
    while (strcmp(by->c, c->row->c) != 0)
        by++;
    const struct arg *first = &c->args[1], *second = &c->args[2];
    if (by->dim) return by->dim(out, room, &c->count, c->self, first->dim);
    if (by->number) return by->number(out, room, &c->count, c->self, first->integer);
    if (by->numbers) return by->numbers(out, room, &c->count, c->self, first->count, first->ints);
    if (by->number_dim)
        return by->number_dim(out, room, &c->count, c->self, first->integer, second->dim);
    return by->numbers_dim(out, room, &c->count, c->self, first->count, first->ints, second->dim);
}

/* Counting comes first: a dim of any length must not cost memory before it is refused. */
static stria_status run(struct invocation *c)
{
    c->many = true;
    STRIA_TRY(apply(NULL, 0, c));
    if (c->count > EVAL_MAX_ARRAYS)
        return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED,
                                  "%lld pieces are too many; one EXPR makes at most %d arrays",
                                  (long long)c->count, EVAL_MAX_ARRAYS);
    STRIA_TRY(stria__call_pieces(c, c->count));
    return apply(c->pieces, c->count, c);
}

static const struct function ops[] = {
    {"split|unsafe_split(self, split_size|split_size_or_sections:int, dim:dim=0)", run, WORLD_TORCH,
     "stria_split", "Splits a dim into pieces of one size; the last one may be smaller."},
    {"split(self, split_size|split_sizes|split_size_or_sections:ints, dim:dim=0)", run, WORLD_TORCH,
     "stria_split_sizes", "Splits a dim into pieces of these sizes."},
    {"split_with_sizes|unsafe_split_with_sizes(self, split_sizes:ints, dim:dim=0)", run, WORLD_ANY,
     "stria_split_sizes", "Splits a dim into pieces of these sizes."},
    {"chunk|unsafe_chunk(self, chunks:int, dim|axis:dim=0)", run, WORLD_ANY, "stria_chunk",
     "Splits a dim into so many pieces, or fewer; the last one may be smaller."},
    {"unbind|unstack(self, dim|axis:dim=0)", run, WORLD_ANY, "stria_unbind",
     "Takes every index of a dim, which goes; returns one view for each."},
    {"tensor_split|array_split(self, indices_or_sections|sections:int, dim|axis:dim=0)", run,
     WORLD_ANY, "stria_tensor_split",
     "Splits a dim into so many pieces, whose sizes differ by 1 at most."},
    {"tensor_split|array_split(self, indices_or_sections|indices|tensor_indices_or_sections:ints, "
     "dim|axis:dim=0)",
     run, WORLD_ANY, "stria_tensor_split_at", "Splits a dim at these indices."},
    {"split(self, indices_or_sections:int, axis:dim=0)", run, WORLD_NUMPY, "stria_split_equal",
     "Splits a dim into so many pieces of one size; refuses what is left over."},
    {"split(self, indices_or_sections:ints, axis:dim=0)", run, WORLD_NUMPY, "stria_tensor_split_at",
     "Splits a dim at these indices."},
    {"hsplit(self, indices_or_sections|sections:int)", run, WORLD_ANY, "stria_hsplit",
     "Splits dim 1, or 0 where there is only one, into so many pieces of one size."},
    {"hsplit(self, indices_or_sections|indices:ints)", run, WORLD_ANY, "stria_hsplit_at",
     "Splits dim 1, or 0 where there is only one, at these indices."},
    {"vsplit(self, indices_or_sections|sections:int)", run, WORLD_ANY, "stria_vsplit",
     "Splits dim 0 into so many pieces of one size."},
    {"vsplit(self, indices_or_sections|indices:ints)", run, WORLD_ANY, "stria_vsplit_at",
     "Splits dim 0 at these indices."},
    {"dsplit(self, indices_or_sections|sections:int)", run, WORLD_ANY, "stria_dsplit",
     "Splits dim 2 into so many pieces of one size."},
    {"dsplit(self, indices_or_sections|indices:ints)", run, WORLD_ANY, "stria_dsplit_at",
     "Splits dim 2 at these indices."},
};

const struct function_group stria__rows_split = {ops, sizeof ops / sizeof *ops};
