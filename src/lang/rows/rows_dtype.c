/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: the same bytes as items of another dtype, or another class of array. */
#include "lang/dtype_value.h"
#include "lang/registry.h"

static stria_status view_dtype(struct invocation *c)
{
    return stria_view_dtype(&c->out.view, c->self, c->args[1].dtype);
}

static stria_status view_dtype_axis(struct invocation *c)
{
    return stria_view_dtype_dim(&c->out.view, c->self, c->args[1].dtype, c->args[2].dim);
}

static stria_status view_class(struct invocation *c)
{
    return stria_view_as_class(&c->out.view, c->self, c->args[1].class_bits);
}

static stria_status view_dtype_class(struct invocation *c)
{
    STRIA_TRY(view_dtype(c));
    return stria_view_as_class(&c->out.view, &c->out.view, c->args[2].class_bits);
}

static stria_status asmatrix(struct invocation *c)
{
    return stria_view_as_class(&c->out.view, c->self, STRIA_CLASS_MATRIX);
}

/* A record in the other byte order is another dtype. */
static stria_status newbyteorder(struct invocation *c)
{
    stria_dtype swapped;
    if (c->self->dtype.kind != STRIA_RECORD) return stria_newbyteorder(&c->out.view, c->self);
    STRIA_TRY(stria_record_swap(&swapped, c->self->dtype));
    STRIA_TRY(stria__pool_keep_dtype(c->pool, swapped));
    return stria_view_dtype(&c->out.view, c->self, swapped);
}

static stria_status getfield(struct invocation *c)
{
    return stria_getfield(&c->out.view, c->self, c->args[1].dtype, c->args[2].integer);
}

static stria_status unstructured(struct invocation *c)
{
    return stria_view_fields(&c->out.view, c->self);
}

static stria_status storage(struct invocation *c)
{
    return stria_storage(&c->out.view, c->self);
}

static const struct function ops[] = {
    {"view(self, dtype:dtype)", view_dtype, WORLD_ANY, "stria_view_dtype",
     "Views the bytes as another dtype; of another size it changes the last dim."},
    {"view(self, dtype:dtype, axis|dim:dim)", view_dtype_axis, WORLD_ANY, "stria_view_dtype_dim",
     "Views the bytes as another dtype; of another size it changes the dim that is named."},
    {"view(self, type:class)", view_class, WORLD_NUMPY, "stria_view_as_class",
     "Views the array as a class of NumPy; a matrix has 2 dims."},
    {"view(self, dtype:dtype, type:class)", view_dtype_class, WORLD_NUMPY, "stria_view_as_class",
     "Views the bytes as another dtype, and the array as a class of NumPy."},
    {"asmatrix(self|data:array)", asmatrix, WORLD_NUMPY, "stria_view_as_class",
     "Views the array as a matrix, of 2 dims."},
    {"structured_to_unstructured(self)", unstructured, WORLD_NUMPY, "stria_view_fields",
     "Views records of fields of one dtype as numbers, in a new last dim."},
    {"newbyteorder(self)", newbyteorder, WORLD_ANY, "stria_newbyteorder",
     "Views the bytes in the other byte order; values change."},
    {"storage|untyped_storage(self)", storage, WORLD_TORCH, "stria_storage",
     "Views all memory of the array, in one dim."},
    {"getfield(self, dtype:dtype, offset:int=0)", getfield, WORLD_ANY, "stria_getfield",
     "Views a part of each element: a dtype at an offset in bytes."},
};

const struct function_group stria__rows_dtype = {ops, sizeof ops / sizeof *ops};
