/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: one array as several views. */
#include "lang/eval.h"
#include "lang/registry.h"

/* The splitting functions of the library by the arguments that they take. */
#define SPLITTERS(SPLITTER)                                                                        \
    SPLITTER(dim, (int), (a[1].dim))                                                               \
    SPLITTER(number, (int64_t), (a[1].integer))                                                    \
    SPLITTER(numbers, (int64_t, const int64_t *), (a[1].count, a[1].ints))                         \
    SPLITTER(number_dim, (int64_t, int), (a[1].integer, a[2].dim))                                 \
    SPLITTER(numbers_dim, (int64_t, const int64_t *, int), (a[1].count, a[1].ints, a[2].dim))

typedef stria_status apply(stria_view *out, int64_t room, struct invocation *c);

/* Counting comes first: a dim of any length must not cost memory before it is refused. */
static stria_status split(struct invocation *c, apply *by)
{
    c->many = true;
    STRIA_TRY(by(NULL, 0, c));
    if (c->count > EVAL_MAX_ARRAYS)
        return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED,
                                  "%lld pieces are too many; one EXPR makes at most %d arrays",
                                  (long long)c->count, EVAL_MAX_ARRAYS);
    STRIA_TRY(stria__call_pieces(c, c->count));
    return by(c->pieces, c->count, c);
}

#define DEFINE(name, parameters, arguments)                                                        \
    typedef stria_status splitter_##name(stria_view *, int64_t, int64_t *, const stria_view *,     \
                                         ITEMS parameters);                                        \
    static stria_status apply_##name(stria_view *out, int64_t room, struct invocation *c)          \
    {                                                                                              \
        const struct arg *const a = c->args;                                                       \
        return ((splitter_##name *)c->row->function)(out, room, &c->count, a->view,                \
                                                     ITEMS arguments);                             \
    }                                                                                              \
    static stria_status split_##name(struct invocation *c)                                         \
    {                                                                                              \
        return split(c, apply_##name);                                                             \
    }
SPLITTERS(DEFINE)

#define TAKEN_BY(name, parameters, arguments) , splitter_##name * : split_##name
#define SPLIT(of, called, name, doc)                                                               \
    ROW_OF(of, called, _Generic(&stria_##name SPLITTERS(TAKEN_BY)), stria_##name, name, doc)

static const struct function ops[] = {
    SPLIT(TORCH, "split|unsafe_split(self, split_size|split_size_or_sections:int, dim:dim=0)",
          split, "Splits a dim into pieces of one size; the last one may be smaller."),
    SPLIT(TORCH, "split(self, split_size|split_sizes|split_size_or_sections:ints, dim:dim=0)",
          split_sizes, "Splits a dim into pieces of these sizes."),
    SPLIT(ANY, "split_with_sizes|unsafe_split_with_sizes(self, split_sizes:ints, dim:dim=0)",
          split_sizes, "Splits a dim into pieces of these sizes."),
    SPLIT(ANY, "chunk|unsafe_chunk(self, chunks:int, dim|axis:dim=0)", chunk,
          "Splits a dim into so many pieces, or fewer; the last one may be smaller."),
    SPLIT(ANY, "unbind|unstack(self, dim|axis:dim=0)", unbind,
          "Takes every index of a dim, which goes; returns one view for each."),
    SPLIT(ANY, "tensor_split|array_split(self, indices_or_sections|sections:int, dim|axis:dim=0)",
          tensor_split, "Splits a dim into so many pieces, whose sizes differ by 1 at most."),
    SPLIT(ANY,
          "tensor_split|array_split(self, "
          "indices_or_sections|indices|tensor_indices_or_sections:ints, "
          "dim|axis:dim=0)",
          tensor_split_at, "Splits a dim at these indices."),
    SPLIT(NUMPY, "split(self, indices_or_sections:int, axis:dim=0)", split_equal,
          "Splits a dim into so many pieces of one size; refuses what is left over."),
    SPLIT(NUMPY, "split(self, indices_or_sections:ints, axis:dim=0)", tensor_split_at,
          "Splits a dim at these indices."),
    SPLIT(ANY, "hsplit(self, indices_or_sections|sections:int)", hsplit,
          "Splits dim 1, or 0 where there is only one, into so many pieces of one size."),
    SPLIT(ANY, "hsplit(self, indices_or_sections|indices:ints)", hsplit_at,
          "Splits dim 1, or 0 where there is only one, at these indices."),
    SPLIT(ANY, "vsplit(self, indices_or_sections|sections:int)", vsplit,
          "Splits dim 0 into so many pieces of one size."),
    SPLIT(ANY, "vsplit(self, indices_or_sections|indices:ints)", vsplit_at,
          "Splits dim 0 at these indices."),
    SPLIT(ANY, "dsplit(self, indices_or_sections|sections:int)", dsplit,
          "Splits dim 2 into so many pieces of one size."),
    SPLIT(ANY, "dsplit(self, indices_or_sections|indices:ints)", dsplit_at,
          "Splits dim 2 at these indices."),
};

const struct function_group stria__rows_split = {ops, sizeof ops / sizeof *ops};
