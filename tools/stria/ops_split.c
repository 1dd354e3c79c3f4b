/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: one array as several views. */
#include "registry.h"

#include "eval.h"

/* One splitting function of the library: counts with out NULL, then fills. */
typedef stria_status split_function(stria_view *out, int64_t room, struct call *c);

/* Counting comes first: a dim of any length must not cost memory before it is refused. */
static stria_status run(struct call *c, split_function *split)
{
    c->many = true;
    TRY(split(NULL, 0, c));
    if (c->count > EVAL_MAX_ARRAYS)
        return call_refuse(c, STRIA_ERR_UNSUPPORTED,
                           "%lld pieces are too many; one EXPR makes at "
                           "most %d arrays",
                           (long long)c->count, EVAL_MAX_ARRAYS);
    c->pieces = arena_take_array(c->arena, (size_t)c->count, sizeof *c->pieces);
    return split(c->pieces, c->count, c);
}

static stria_status into_size(stria_view *out, int64_t room, struct call *c)
{
    return stria_split(out, room, &c->count, c->self, c->args[1].integer, c->args[2].dim);
}

static stria_status into_sizes(stria_view *out, int64_t room, struct call *c)
{
    const struct arg *sizes = &c->args[1];
    return stria_split_sizes(out, room, &c->count, c->self, sizes->count, sizes->ints,
                             c->args[2].dim);
}

static stria_status into_chunks(stria_view *out, int64_t room, struct call *c)
{
    return stria_chunk(out, room, &c->count, c->self, c->args[1].integer, c->args[2].dim);
}

static stria_status into_indices(stria_view *out, int64_t room, struct call *c)
{
    return stria_unbind(out, room, &c->count, c->self, c->args[1].dim);
}

static stria_status split(struct call *c)
{
    return run(c, into_size);
}

static stria_status split_sizes(struct call *c)
{
    return run(c, into_sizes);
}

static stria_status chunk(struct call *c)
{
    return run(c, into_chunks);
}

static stria_status unbind(struct call *c)
{
    return run(c, into_indices);
}

static const struct op ops[] = {
    {"split(self, split_size|split_size_or_sections:int, dim:dim=0)", split, WORLD_TORCH},
    {"split(self, split_size|split_sizes|split_size_or_sections:ints, dim:dim=0)", split_sizes,
     WORLD_TORCH},
    {"split_with_sizes(self, split_sizes:ints, dim:dim=0)", split_sizes, WORLD_ANY},
    {"chunk(self, chunks:int, dim|axis:dim=0)", chunk, WORLD_ANY},
    {"unbind|unstack(self, dim|axis:dim=0)", unbind, WORLD_ANY},
};

const struct op_group split_ops = {ops, sizeof ops / sizeof *ops};
