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

static stria_status keep(struct invocation *c, const stria_view **out, stria_array made)
{
    const stria_array *const kept = stria__pool_keep(c->pool, made);
    TRY_MEMORY(kept);
    *out = &kept->view;
    return STRIA_OK;
}

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
            STRIA_TRY(keep(c, &views[i], made));
        }
        if (!how.flat) continue;
        made = (stria_array){0};
        const int64_t size = stria_numel(views[i]);
        STRIA_TRY(stria_reshape(&made, views[i], 1, &size, STRIA_COPY_IF_NEEDED, NULL));
        STRIA_TRY(keep(c, &views[i], made));
    }
    *out = views;
    return STRIA_OK;
}

/*
 * The library promotes by PyTorch's rule; by NumPy's, or to the dtype of the first of two
 * arguments, the arrays are converted before.
 */
static stria_status join(struct invocation *c, joiner *function, const struct arg *as)
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
    return function(&c->out, (int)c->args[0].count, views);
}

/* The arguments: arrays, dim, out, dtype, casting; the last two are NumPy's. */
static stria_status join_along(struct invocation *c, bool stacks)
{
    const struct arg *const dim = &c->args[1], *const out = &c->args[2], *const dtype = &c->args[3];
    const int n = (int)c->args[0].count, along = dim->given ? dim->dim : 0;
    const stria_promotion rule = c->numpy ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
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
        return (stacks ? stria_stack_as : stria_cat_as)(&c->out, n, views, along, NULL, rule);
    STRIA_TRY((stacks ? stria_stack_into : stria_cat_into)(out->view, n, views, along));
    c->out = stria_array_share(out->view);
    return STRIA_OK;
}

/* numpy.concatenate(axis=None) joins the elements of all, in C order. */
static stria_status cat(struct invocation *c)
{
    return join_along(c, false);
}

static stria_status stack(struct invocation *c)
{
    return join_along(c, true);
}

static stria_status hstack(struct invocation *c)
{
    return join(c, stria_hstack, &c->args[1]);
}

static stria_status vstack(struct invocation *c)
{
    return join(c, stria_vstack, &c->args[1]);
}

static stria_status dstack(struct invocation *c)
{
    return join(c, stria_dstack, NULL);
}

static stria_status column_stack(struct invocation *c)
{
    return join(c, stria_column_stack, NULL);
}

static stria_status block_diag(struct invocation *c)
{
    return join(c, stria_block_diag, NULL);
}

static stria_status repeat(struct invocation *c)
{
    const struct arg *repeats = &c->args[1];
    return stria_repeat(&c->out, c->self, (int)repeats->count, repeats->ints);
}

static stria_status tile(struct invocation *c)
{
    const struct arg *repeats = &c->args[1];
    return stria_tile(&c->out, c->self, (int)repeats->count, repeats->ints);
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
    const int64_t whole = -1, none = 0;
    if (c->args[2].given) return repeat_along(c, c->self, c->args[2].dim);
    stria_array flat = {0};
    const int64_t *shape = stria_numel(c->self) ? &whole : &none;
    STRIA_TRY(stria_reshape(&flat, c->self, 1, shape, STRIA_COPY_IF_NEEDED, NULL));
    const stria_status status = repeat_along(c, &flat.view, 0);
    stria_array_release(&flat);
    return status;
}

/* PyTorch's output_size is the size that the repeats come to. */
static stria_status repeat_to_size(struct invocation *c)
{
    const struct arg *size = &c->args[3];
    STRIA_TRY(repeat_interleave(c));
    const int dim = c->args[2].given ? c->args[2].dim : 0;
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

static stria_status tril(struct invocation *c)
{
    return stria_tril(&c->out, c->self, c->args[1].integer);
}

static stria_status triu(struct invocation *c)
{
    return stria_triu(&c->out, c->self, c->args[1].integer);
}

static stria_status diag(struct invocation *c)
{
    return stria_diag(&c->out, c->self, c->args[1].integer);
}

static stria_status diag_embed(struct invocation *c)
{
    return stria_diag_embed(&c->out, c->self, c->args[1].integer, c->args[2].dim, c->args[3].dim);
}

static stria_status trace(struct invocation *c)
{
    return stria_trace(&c->out, c->self);
}

/* NumPy's of 2 dims is the diagonal itself. */
static stria_status diag_numpy(struct invocation *c)
{
    if (c->self->ndim == 2) return stria_diagonal(&c->out.view, c->self, c->args[1].integer, 0, 1);
    return diag(c);
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
    STRIA_TRY(stria_reduce_dims(STRIA_SUM, out->view, &diagonal, 1, &last, &options, &exec));
    c->out = stria_array_share(out->view);
    return STRIA_OK;
}

#define AS   "dtype:dtype?=None, casting:text='same_kind')"
#define INTO "out:array?=None, " AS

static const struct function ops[] = {
    {"cat|concat|concatenate(self|tensors|arrays:arrays, dim|axis:dim?=0, " INTO, cat, WORLD_ANY,
     "stria_cat", "Joins arrays along a dim that they have."},
    {"stack(self|tensors|arrays:arrays, dim|axis:dim=0, " INTO, stack, WORLD_ANY, "stria_stack",
     "Joins arrays along a new dim."},
    {"hstack(self|tensors|tup:arrays, " AS, hstack, WORLD_ANY, "stria_hstack",
     "Joins arrays side by side: along dim 1, or 0 where there is only one."},
    {"vstack|row_stack(self|tensors|tup:arrays, " AS, vstack, WORLD_ANY, "stria_vstack",
     "Joins arrays one below the other: along dim 0, each with at least 2 dims."},
    {"dstack(self|tensors|tup:arrays)", dstack, WORLD_ANY, "stria_dstack",
     "Joins arrays along dim 2, each with at least 3 dims."},
    {"column_stack(self|tensors|tup:arrays)", column_stack, WORLD_ANY, "stria_column_stack",
     "Joins arrays along dim 1, those of one dim as columns."},
    {"block_diag(*self|tensors:arrays)", block_diag, WORLD_ANY, "stria_block_diag",
     "Makes a matrix with the arrays as blocks along its diagonal."},
    {"repeat(self, *repeats|sizes:ints)", repeat, WORLD_TORCH, "stria_repeat",
     "Repeats the whole array along each dim."},
    {"repeat(self, repeats:int, axis:dim?=None)", repeat_interleave, WORLD_NUMPY,
     "stria_repeat_interleave", "Repeats each element along an axis, or of all in C order."},
    {"repeat(self, repeats:data, axis:dim?=None)", repeat_interleave, WORLD_NUMPY,
     "stria_repeat_interleave", "Repeats each element along an axis, or of all in C order."},
    {"repeat_interleave(self, repeats:int, dim:dim?=None, output_size:int?=None)", repeat_to_size,
     WORLD_ANY, "stria_repeat_interleave",
     "Repeats each element along a dim, or of all in C order."},
    {"repeat_interleave(self, repeats:data, dim:dim?=None, output_size:int?=None)", repeat_to_size,
     WORLD_ANY, "stria_repeat_interleave",
     "Repeats each element along a dim, or of all in C order."},
    {"tile(self, *dims|reps:ints)", tile, WORLD_ANY, "stria_tile",
     "Repeats the whole array along each dim."},
    {"roll(self, shifts|shift:ints, dims|axis:dims?=None)", roll, WORLD_TORCH, "stria_roll",
     "Shifts elements along dims; those shifted out come in at the other end."},
    {"roll(self|a:array, shift:ints, axis:dims?=None)", roll_axes, WORLD_NUMPY, "stria_roll",
     "Shifts elements along axes; those shifted out come in at the other end."},
    {"tril(self, diagonal|k:int=0)", tril, WORLD_ANY, "stria_tril",
     "Copies what lies at and below a diagonal; 0 elsewhere."},
    {"triu(self, diagonal|k:int=0)", triu, WORLD_ANY, "stria_triu",
     "Copies what lies at and above a diagonal; 0 elsewhere."},
    {"diag(self, diagonal|k:int=0)", diag, WORLD_TORCH, "stria_diag",
     "Takes the diagonal of a matrix, or makes a matrix of a diagonal."},
    {"diag(self|v:array, k:int=0)", diag_numpy, WORLD_NUMPY, "stria_diag",
     "Takes the diagonal of a matrix, or makes a matrix of a diagonal."},
    {"trace(self)", trace, WORLD_TORCH, "stria_trace", "Sums the diagonal of a matrix."},
    {"trace(self|a:array, offset:int=0, axis1:dim=0, axis2:dim=1, dtype:dtype?=None, "
     "out:array?=None)",
     trace_numpy, WORLD_NUMPY, "stria_sum", "Sums a diagonal of the matrices of two axes."},
    {"diag_embed(self, offset:int=0, dim1:dim=-2, dim2:dim=-1)", diag_embed, WORLD_ANY,
     "stria_diag_embed", "Makes matrices of the last dim, which becomes their diagonal."},
};

const struct function_group stria__rows_join = {ops, sizeof ops / sizeof *ops};
