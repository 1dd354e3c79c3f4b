/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: new arrays of several, or of one several times. */
#include "lang/registry.h"

/* The arrays of a call and where their join goes. */
typedef stria_status joiner(stria_array *out, int n, const stria_view *const *views);

/* Tells whether the dtypes differ; then *out is the one that NumPy gives them all. */
static stria_status common_dtype(stria_dtype *out, bool *mixed, const struct arg *arrays)
{
    *mixed = false;
    if (arrays->count == 0) return STRIA_OK;
    *out = arrays->views[0]->dtype;
    for (int64_t i = 1; i < arrays->count; i++) {
        if (stria_dtype_equal(*out, arrays->views[i]->dtype)) continue;
        *mixed = true;
        STRIA_TRY(stria_promote(out, *out, arrays->views[i]->dtype, STRIA_PROMOTE_NUMPY));
    }
    return STRIA_OK;
}

enum { JOINS, STACKS };

/* How arrays are changed before they are joined. */
struct preparation {
    const stria_dtype *dtype; /* of all; NULL: their own */
    stria_cast_policy policy;
    bool flat; /* to one dim, in C order */
};

static stria_status prepare(struct invocation *c, const stria_view *const **out,
                            struct preparation how)
{
    const struct arg *const arrays = &c->args[0];
    *out = arrays->views;
    if (!how.dtype && !how.flat) return STRIA_OK;
    const stria_view **const views =
        stria__pool_array(c->pool, (size_t)arrays->count, sizeof *views);
    TRY_MEMORY(views);
    for (int64_t i = 0; i < arrays->count; i++) {
        stria_array made = {0};
        views[i] = arrays->views[i];
        if (how.dtype && !stria_dtype_equal(views[i]->dtype, *how.dtype)) {
            STRIA_TRY(stria_astype(&made, views[i], *how.dtype, how.policy, STRIA_COPY_IF_NEEDED,
                                   NULL, NULL));
            STRIA_TRY(stria__call_hold(c, &views[i], made));
        }
        if (how.flat) STRIA_TRY(stria__call_flat(c, &views[i], views[i]));
    }
    *out = views;
    return STRIA_OK;
}

/*
 * The library promotes by PyTorch's rule; by NumPy's, or to the dtype of the first of two
 * arguments, the arrays are converted before.
 */
static stria_status join(struct invocation *c, const struct arg *as)
{
    const stria_view *const *views;
    stria_dtype dtype = {0};
    bool converts = as && as->given;
    struct preparation how = {0};
    if (as) STRIA_TRY(stria__call_policy(c, as[1].text, &how.policy));
    if (converts)
        dtype = as->dtype;
    else if (c->numpy)
        STRIA_TRY(common_dtype(&dtype, &converts, &c->args[0]));
    if (converts) how.dtype = &dtype;
    STRIA_TRY(prepare(c, &views, how));
    return ((joiner *)c->row->function)(&c->out, (int)c->args[0].count, views);
}

static stria_status join_as_is(struct invocation *c)
{
    return join(c, NULL);
}

static stria_status join_as(struct invocation *c)
{
    return join(c, &c->args[1]);
}

/*
 * The arguments: arrays, dim, out, dtype, casting; the last two are NumPy's.
 * numpy.concatenate(axis=None) joins the elements of all, in C order.
 */
static stria_status join_along(struct invocation *c)
{
    const bool stacks = c->row->what == STACKS;
    const struct arg *const dim = &c->args[1], *const out = &c->args[2], *const dtype = &c->args[3];
    const int n = (int)c->args[0].count, along = dim->dim;
    struct preparation how = {.flat = !dim->given};
    const stria_view *const *views;
    STRIA_TRY(stria__call_policy(c, c->args[4].text, &how.policy));
    if (out->given && dtype->given)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "%.*s takes out or dtype, not both: out has a dtype",
                                  (int)c->name.length, c->name.text);
    if (out->given && how.policy != STRIA_CAST_SAME_KIND) how.dtype = &out->view->dtype;
    if (dtype->given) how.dtype = &dtype->dtype;
    STRIA_TRY(prepare(c, &views, how));
    if (!out->given)
        return (stacks ? stria_stack_as : stria_cat_as)(&c->out, n, views, along, NULL,
                                                        stria__call_rule(c));
    return stria__call_wrote(
        c, out->view, (stacks ? stria_stack_into : stria_cat_into)(out->view, n, views, along));
}

/* One number for all elements, or one for each. */
static stria_status repeat_along(struct invocation *c, const stria_view *a, int dim)
{
    const struct arg *repeats = &c->args[1];
    return repeats->view ? stria_repeat_each(&c->out, a, repeats->view, dim)
                         : stria_repeat_interleave(&c->out, a, repeats->integer, dim);
}

/* Without a dim the array is flat first, in both worlds. */
static stria_status repeat_interleave(struct invocation *c)
{
    const stria_view *flat;
    if (c->args[2].given) return repeat_along(c, c->self, c->args[2].dim);
    STRIA_TRY(stria__call_flat(c, &flat, c->self));
    return repeat_along(c, flat, 0);
}

/* PyTorch's output_size is the size that the repeats come to. */
static stria_status repeat_to_size(struct invocation *c)
{
    const struct arg *size = &c->args[3];
    STRIA_TRY(repeat_interleave(c));
    const int dim = c->args[2].dim;
    const int64_t made = c->out.view.shape[dim < 0 ? dim + c->out.view.ndim : dim];
    if (!size->given || size->integer == made) return STRIA_OK;
    return stria__call_refuse(c, STRIA_ERR_SHAPE,
                              "repeat_interleave: output_size is %lld, the repeats come to %lld",
                              (long long)size->integer, (long long)made);
}

static stria_status roll(struct invocation *c)
{
    const struct arg *shifts = &c->args[1], *dims = &c->args[2];
    const bool flat = !dims->given || (dims->count == 0 && shifts->count == 1);
    if (!flat && dims->count != shifts->count)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "roll: %lld shifts for %lld dims",
                                  (long long)shifts->count, (long long)dims->count);
    return stria_roll(&c->out, c->self, (int)shifts->count, shifts->ints, flat ? NULL : dims->dims);
}

/* One shift serves all axes, and one axis takes all shifts: numpy.roll(a, 1, axis=(0, 1)). */
static stria_status roll_axes(struct invocation *c)
{
    const struct arg *shifts = &c->args[1], *axes = &c->args[2];
    const int64_t n = shifts->count > axes->count ? shifts->count : axes->count;
    if (!axes->given || shifts->count == axes->count || (shifts->count != 1 && axes->count != 1))
        return roll(c);
    int64_t *by = stria__pool_array(c->pool, (size_t)n, sizeof *by);
    TRY_MEMORY(by);
    int *along = stria__pool_array(c->pool, (size_t)n, sizeof *along);
    TRY_MEMORY(along);
    for (int64_t i = 0; i < n; i++) {
        by[i] = shifts->ints[shifts->count == 1 ? 0 : i];
        along[i] = axes->dims[axes->count == 1 ? 0 : i];
    }
    return stria_roll(&c->out, c->self, (int)n, by, along);
}

/* NumPy's of 2 dims is the diagonal itself. */
static stria_status diag_numpy(struct invocation *c)
{
    if (c->self->ndim == 2) return stria_diagonal(&c->out.view, c->self, c->args[1].integer, 0, 1);
    return stria_diag(&c->out, c->self, c->args[1].integer);
}

/* Sums a diagonal of each matrix of two axes, as NumPy does: of unsigned numbers an unsigned sum.
 */
static stria_status trace_numpy(struct invocation *c)
{
    enum { OFFSET = 1, AXIS1, AXIS2, TYPE, OUT };
    const stria_exec exec = stria__call_exec(c);
    const struct arg *const out = &c->args[OUT], *const type = &c->args[TYPE];
    const stria_reduce_options options = {.dtype = type->given ? &type->dtype : NULL};
    stria_view diagonal;
    STRIA_TRY(stria_diagonal(&diagonal, c->self, c->args[OFFSET].integer, c->args[AXIS1].dim,
                             c->args[AXIS2].dim));
    const int last = diagonal.ndim - 1;
    if (!out->given)
        return stria_reduce_dims_new(&c->out, STRIA_SUM, &diagonal, 1, &last, &options, &exec);
    return stria__call_wrote(
        c, out->view,
        stria_reduce_dims(STRIA_SUM, out->view, &diagonal, 1, &last, &options, &exec));
}

#define AS   "dtype:dtype?=None, casting:text='same_kind')"
#define INTO "out:array?=None, " AS

static const struct function ops[] = {
    ROW_AS(ANY, "cat|concat|concatenate(self|tensors|arrays:arrays, dim|axis:dim?=0, " INTO,
           join_along, JOINS, cat, "Joins arrays along a dim that they have."),
    ROW_AS(ANY, "stack(self|tensors|arrays:arrays, dim|axis:dim=0, " INTO, join_along, STACKS,
           stack, "Joins arrays along a new dim."),
    ROW_OF(ANY, "hstack(self|tensors|tup:arrays, " AS, join_as, stria_hstack, hstack,
           "Joins arrays side by side: along dim 1, or 0 where there is only one."),
    ROW_OF(ANY, "vstack|row_stack(self|tensors|tup:arrays, " AS, join_as, stria_vstack, vstack,
           "Joins arrays one below the other: along dim 0, each with at least 2 dims."),
    ROW_OF(ANY, "dstack(self|tensors|tup:arrays)", join_as_is, stria_dstack, dstack,
           "Joins arrays along dim 2, each with at least 3 dims."),
    ROW_OF(ANY, "column_stack(self|tensors|tup:arrays)", join_as_is, stria_column_stack,
           column_stack, "Joins arrays along dim 1, those of one dim as columns."),
    ROW_OF(ANY, "block_diag(*self|tensors:arrays)", join_as_is, stria_block_diag, block_diag,
           "Makes a matrix with the arrays as blocks along its diagonal."),
    ROW(TORCH, "repeat(self, *repeats|sizes:ints)", repeat,
        "Repeats the whole array along each dim."),
    ROW_BY(NUMPY, "repeat(self, repeats:int, axis:dim?=None)", repeat_interleave, repeat_interleave,
           "Repeats each element along an axis, or of all in C order."),
    ROW_BY(NUMPY, "repeat(self, repeats:data, axis:dim?=None)", repeat_interleave,
           repeat_interleave, "Repeats each element along an axis, or of all in C order."),
    ROW_BY(ANY, "repeat_interleave(self, repeats:int, dim:dim?=None, output_size:int?=None)",
           repeat_to_size, repeat_interleave,
           "Repeats each element along a dim, or of all in C order."),
    ROW_BY(ANY, "repeat_interleave(self, repeats:data, dim:dim?=None, output_size:int?=None)",
           repeat_to_size, repeat_interleave,
           "Repeats each element along a dim, or of all in C order."),
    ROW(ANY, "tile(self, *dims|reps:ints)", tile, "Repeats the whole array along each dim."),
    ROW_BY(TORCH, "roll(self, shifts|shift:ints, dims|axis:dims?=None)", roll, roll,
           "Shifts elements along dims; those shifted out come in at the other end."),
    ROW_BY(NUMPY, "roll(self|a:array, shift:ints, axis:dims?=None)", roll_axes, roll,
           "Shifts elements along axes; those shifted out come in at the other end."),
    ROW(ANY, "tril(self, diagonal|k:int=0)", tril,
        "Copies what lies at and below a diagonal; 0 elsewhere."),
    ROW(ANY, "triu(self, diagonal|k:int=0)", triu,
        "Copies what lies at and above a diagonal; 0 elsewhere."),
    ROW(TORCH, "diag(self, diagonal|k:int=0)", diag,
        "Takes the diagonal of a matrix, or makes a matrix of a diagonal."),
    ROW_BY(NUMPY, "diag(self|v:array, k:int=0)", diag_numpy, diag,
           "Takes the diagonal of a matrix, or makes a matrix of a diagonal."),
    ROW(TORCH, "trace(self)", trace, "Sums the diagonal of a matrix."),
    ROW_BY(NUMPY,
           "trace(self|a:array, offset:int=0, axis1:dim=0, axis2:dim=1, dtype:dtype?=None, "
           "out:array?=None)",
           trace_numpy, sum, "Sums a diagonal of the matrices of two axes."),
    ROW(ANY, "diag_embed(self, offset:int=0, dim1:dim=-2, dim2:dim=-1)", diag_embed,
        "Makes matrices of the last dim, which becomes their diagonal."),
};

const struct function_group stria__rows_join = {ops, sizeof ops / sizeof *ops};
