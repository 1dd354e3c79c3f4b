/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: the same bytes as items of another dtype, or another class of array. */
#include "lang/registry.h"

static stria_status view_dtype_class(struct invocation *c)
{
    STRIA_TRY(stria_view_dtype(&c->out.view, c->self, c->args[1].dtype));
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

static const struct function ops[] = {
    ROW(ANY, "view(self, dtype:dtype)", view_dtype,
        "Views the bytes as another dtype; of another size it changes the last dim."),
    ROW(ANY, "view(self, dtype:dtype, axis|dim:dim)", view_dtype_dim,
        "Views the bytes as another dtype; of another size it changes the dim that is named."),
    ROW(NUMPY, "view(self, type:class)", view_as_class,
        "Views the array as a class of NumPy; a matrix has 2 dims."),
    ROW_BY(NUMPY, "view(self, dtype:dtype, type:class)", view_dtype_class, view_as_class,
           "Views the bytes as another dtype, and the array as a class of NumPy."),
    ROW_BY(NUMPY, "asmatrix(self|data:array)", asmatrix, view_as_class,
           "Views the array as a matrix, of 2 dims."),
    ROW(NUMPY, "structured_to_unstructured(self)", view_fields,
        "Views records of fields of one dtype as numbers, in a new last dim."),
    ROW_BY(ANY, "newbyteorder(self)", newbyteorder, newbyteorder,
           "Views the bytes in the other byte order; values change."),
    ROW(TORCH, "storage|untyped_storage(self)", storage,
        "Views all memory of the array, in one dim."),
    ROW(ANY, "getfield(self, dtype:dtype, offset:int=0)", getfield,
        "Views a part of each element: a dtype at an offset in bytes."),
};

const struct function_group stria__rows_dtype = {ops, sizeof ops / sizeof *ops};
