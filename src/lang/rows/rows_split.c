/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: one array as several views. */
#include "lang/eval.h"
#include "lang/registry.h"

/* A splitting function of the library, one member of these, by the arguments it takes. */
struct splitter {
    stria_status (*dim)(stria_view *, int64_t, int64_t *, const stria_view *, int);
    stria_status (*number)(stria_view *, int64_t, int64_t *, const stria_view *, int64_t);
    stria_status (*numbers)(stria_view *, int64_t, int64_t *, const stria_view *, int64_t,
                            const int64_t *);
    stria_status (*number_dim)(stria_view *, int64_t, int64_t *, const stria_view *, int64_t, int);
    stria_status (*numbers_dim)(stria_view *, int64_t, int64_t *, const stria_view *, int64_t,
                                const int64_t *, int);
};

static stria_status apply(struct splitter by, stria_view *out, int64_t room, struct invocation *c)
{
    const struct arg *first = &c->args[1], *second = &c->args[2];
    if (by.dim) return by.dim(out, room, &c->count, c->self, first->dim);
    if (by.number) return by.number(out, room, &c->count, c->self, first->integer);
    if (by.numbers) return by.numbers(out, room, &c->count, c->self, first->count, first->ints);
    if (by.number_dim)
        return by.number_dim(out, room, &c->count, c->self, first->integer, second->dim);
    return by.numbers_dim(out, room, &c->count, c->self, first->count, first->ints, second->dim);
}

/* Counting comes first: a dim of any length must not cost memory before it is refused. */
static stria_status run(struct invocation *c, struct splitter by)
{
    c->many = true;
    STRIA_TRY(apply(by, NULL, 0, c));
    if (c->count > EVAL_MAX_ARRAYS)
        return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED,
                                  "%lld pieces are too many; one EXPR makes at most %d arrays",
                                  (long long)c->count, EVAL_MAX_ARRAYS);
    STRIA_TRY(stria__call_pieces(c, c->count));
    return apply(by, c->pieces, c->count, c);
}

static stria_status split(struct invocation *c)
{
    return run(c, (struct splitter){.number_dim = stria_split});
}

static stria_status split_sizes(struct invocation *c)
{
    return run(c, (struct splitter){.numbers_dim = stria_split_sizes});
}

static stria_status chunk(struct invocation *c)
{
    return run(c, (struct splitter){.number_dim = stria_chunk});
}

static stria_status unbind(struct invocation *c)
{
    return run(c, (struct splitter){.dim = stria_unbind});
}

static stria_status tensor_split(struct invocation *c)
{
    return run(c, (struct splitter){.number_dim = stria_tensor_split});
}

static stria_status tensor_split_at(struct invocation *c)
{
    return run(c, (struct splitter){.numbers_dim = stria_tensor_split_at});
}

static stria_status split_equal(struct invocation *c)
{
    return run(c, (struct splitter){.number_dim = stria_split_equal});
}

static stria_status hsplit(struct invocation *c)
{
    return run(c, (struct splitter){.number = stria_hsplit});
}

static stria_status hsplit_at(struct invocation *c)
{
    return run(c, (struct splitter){.numbers = stria_hsplit_at});
}

static stria_status vsplit(struct invocation *c)
{
    return run(c, (struct splitter){.number = stria_vsplit});
}

static stria_status vsplit_at(struct invocation *c)
{
    return run(c, (struct splitter){.numbers = stria_vsplit_at});
}

static stria_status dsplit(struct invocation *c)
{
    return run(c, (struct splitter){.number = stria_dsplit});
}

static stria_status dsplit_at(struct invocation *c)
{
    return run(c, (struct splitter){.numbers = stria_dsplit_at});
}

static const struct function ops[] = {
    {"split|unsafe_split(self, split_size|split_size_or_sections:int, dim:dim=0)", split,
     WORLD_TORCH, "stria_split",
     "Splits a dim into pieces of one size; the last one may be smaller."},
    {"split(self, split_size|split_sizes|split_size_or_sections:ints, dim:dim=0)", split_sizes,
     WORLD_TORCH, "stria_split_sizes", "Splits a dim into pieces of these sizes."},
    {"split_with_sizes|unsafe_split_with_sizes(self, split_sizes:ints, dim:dim=0)", split_sizes,
     WORLD_ANY, "stria_split_sizes", "Splits a dim into pieces of these sizes."},
    {"chunk|unsafe_chunk(self, chunks:int, dim|axis:dim=0)", chunk, WORLD_ANY, "stria_chunk",
     "Splits a dim into so many pieces, or fewer; the last one may be smaller."},
    {"unbind|unstack(self, dim|axis:dim=0)", unbind, WORLD_ANY, "stria_unbind",
     "Takes every index of a dim, which goes; returns one view for each."},
    {"tensor_split|array_split(self, indices_or_sections|sections:int, dim|axis:dim=0)",
     tensor_split, WORLD_ANY, "stria_tensor_split",
     "Splits a dim into so many pieces, whose sizes differ by 1 at most."},
    {"tensor_split|array_split(self, indices_or_sections|indices|tensor_indices_or_sections:ints, "
     "dim|axis:dim=0)",
     tensor_split_at, WORLD_ANY, "stria_tensor_split_at", "Splits a dim at these indices."},
    {"split(self, indices_or_sections:int, axis:dim=0)", split_equal, WORLD_NUMPY,
     "stria_split_equal",
     "Splits a dim into so many pieces of one size; refuses what is left over."},
    {"split(self, indices_or_sections:ints, axis:dim=0)", tensor_split_at, WORLD_NUMPY,
     "stria_tensor_split_at", "Splits a dim at these indices."},
    {"hsplit(self, indices_or_sections|sections:int)", hsplit, WORLD_ANY, "stria_hsplit",
     "Splits dim 1, or 0 where there is only one, into so many pieces of one size."},
    {"hsplit(self, indices_or_sections|indices:ints)", hsplit_at, WORLD_ANY, "stria_hsplit_at",
     "Splits dim 1, or 0 where there is only one, at these indices."},
    {"vsplit(self, indices_or_sections|sections:int)", vsplit, WORLD_ANY, "stria_vsplit",
     "Splits dim 0 into so many pieces of one size."},
    {"vsplit(self, indices_or_sections|indices:ints)", vsplit_at, WORLD_ANY, "stria_vsplit_at",
     "Splits dim 0 at these indices."},
    {"dsplit(self, indices_or_sections|sections:int)", dsplit, WORLD_ANY, "stria_dsplit",
     "Splits dim 2 into so many pieces of one size."},
    {"dsplit(self, indices_or_sections|indices:ints)", dsplit_at, WORLD_ANY, "stria_dsplit_at",
     "Splits dim 2 at these indices."},
};

const struct function_group stria__rows_split = {ops, sizeof ops / sizeof *ops};
