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

static stria_status run_tensor_split(stria_view *out, int64_t room, struct call *c)
{
    return stria_tensor_split(out, room, &c->count, c->self, c->args[1].integer, c->args[2].dim);
}

static stria_status tensor_split(struct call *c)
{
    return run(c, run_tensor_split);
}

static stria_status run_split_equal(stria_view *out, int64_t room, struct call *c)
{
    return stria_split_equal(out, room, &c->count, c->self, c->args[1].integer, c->args[2].dim);
}

static stria_status split_equal(struct call *c)
{
    return run(c, run_split_equal);
}

static stria_status run_tensor_split_at(stria_view *out, int64_t room, struct call *c)
{
    const struct arg *indices = &c->args[1];
    return stria_tensor_split_at(out, room, &c->count, c->self, indices->count, indices->ints,
                                 c->args[2].dim);
}

static stria_status tensor_split_at(struct call *c)
{
    return run(c, run_tensor_split_at);
}

static stria_status run_hsplit(stria_view *out, int64_t room, struct call *c)
{
    return stria_hsplit(out, room, &c->count, c->self, c->args[1].integer);
}

static stria_status run_hsplit_at(stria_view *out, int64_t room, struct call *c)
{
    return stria_hsplit_at(out, room, &c->count, c->self, c->args[1].count, c->args[1].ints);
}

static stria_status hsplit(struct call *c)
{
    return run(c, run_hsplit);
}

static stria_status hsplit_at(struct call *c)
{
    return run(c, run_hsplit_at);
}

static stria_status run_vsplit(stria_view *out, int64_t room, struct call *c)
{
    return stria_vsplit(out, room, &c->count, c->self, c->args[1].integer);
}

static stria_status run_vsplit_at(stria_view *out, int64_t room, struct call *c)
{
    return stria_vsplit_at(out, room, &c->count, c->self, c->args[1].count, c->args[1].ints);
}

static stria_status vsplit(struct call *c)
{
    return run(c, run_vsplit);
}

static stria_status vsplit_at(struct call *c)
{
    return run(c, run_vsplit_at);
}

static stria_status run_dsplit(stria_view *out, int64_t room, struct call *c)
{
    return stria_dsplit(out, room, &c->count, c->self, c->args[1].integer);
}

static stria_status run_dsplit_at(stria_view *out, int64_t room, struct call *c)
{
    return stria_dsplit_at(out, room, &c->count, c->self, c->args[1].count, c->args[1].ints);
}

static stria_status dsplit(struct call *c)
{
    return run(c, run_dsplit);
}

static stria_status dsplit_at(struct call *c)
{
    return run(c, run_dsplit_at);
}

static const struct op ops[] = {
    {"split(self, split_size|split_size_or_sections:int, dim:dim=0)", split, WORLD_TORCH},
    {"split(self, split_size|split_sizes|split_size_or_sections:ints, dim:dim=0)", split_sizes,
     WORLD_TORCH},
    {"split_with_sizes(self, split_sizes:ints, dim:dim=0)", split_sizes, WORLD_ANY},
    {"chunk(self, chunks:int, dim|axis:dim=0)", chunk, WORLD_ANY},
    {"unbind|unstack(self, dim|axis:dim=0)", unbind, WORLD_ANY},
    {"tensor_split|array_split(self, indices_or_sections|sections:int, dim|axis:dim=0)",
     tensor_split, WORLD_ANY},
    {"tensor_split|array_split(self, indices_or_sections|indices|tensor_indices_or_sections:ints, "
     "dim|axis:dim=0)",
     tensor_split_at, WORLD_ANY},
    {"split(self, indices_or_sections:int, axis:dim=0)", split_equal, WORLD_NUMPY},
    {"split(self, indices_or_sections:ints, axis:dim=0)", tensor_split_at, WORLD_NUMPY},
    {"hsplit(self, indices_or_sections|sections:int)", hsplit, WORLD_ANY},
    {"hsplit(self, indices_or_sections|indices:ints)", hsplit_at, WORLD_ANY},
    {"vsplit(self, indices_or_sections|sections:int)", vsplit, WORLD_ANY},
    {"vsplit(self, indices_or_sections|indices:ints)", vsplit_at, WORLD_ANY},
    {"dsplit(self, indices_or_sections|sections:int)", dsplit, WORLD_ANY},
    {"dsplit(self, indices_or_sections|indices:ints)", dsplit_at, WORLD_ANY},
};

const struct op_group split_ops = {ops, sizeof ops / sizeof *ops};
