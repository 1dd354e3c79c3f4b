/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: new arrays of several, or of one several times. */
#include "lang/rows/rows.h"

/* Tells whether the dtypes differ, and stores the dtype that NumPy gives them together. */
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

/* How arrays are changed before they are joined. */
struct preparation {
    const stria_dtype *dtype; /* Dtype of all arrays; NULL: each keeps its own. */
    stria_cast_policy policy;
    bool flat; /* Makes each array flat, in C order. */
};

static stria_status prepare_views(struct invocation *c, const stria_view *const **out,
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
 * Joins arrays. The library promotes by PyTorch's rule; for NumPy's, or for a given dtype (argument
 * `as`), the arrays are converted first.
 */
stria_status stria__row_join(struct invocation *c, joiner *by, int as)
{
    const stria_view *const *views;
    stria_dtype dtype = {0};
    bool converts = as && GIVEN(as);
    struct preparation how = {0};
    if (as) {
        STRIA_TRY(stria__call_policy(c, as + 1));
        how.policy = (stria_cast_policy)c->args[as + 1].integer;
    }
    if (converts)
        dtype = DTYPE(as);
    else if (c->numpy)
        STRIA_TRY(common_dtype(&dtype, &converts, &c->args[0]));
    if (converts) how.dtype = &dtype;
    STRIA_TRY(prepare_views(c, &views, how));
    return by(NEW, (int)c->args[0].count, views, EXEC);
}

/*
 * Joins arrays along a dim. The arguments are arrays, dim, out, dtype, casting; only NumPy's form
 * has the last two. numpy.concatenate(axis=None) joins the elements of all arrays, in C order.
 */
stria_status stria__row_join_along(struct invocation *c, bool stacks)
{
    const struct arg *const dim = &c->args[1], *const out = &c->args[2], *const dtype = &c->args[3];
    const int n = (int)c->args[0].count, along = dim->dim;
    struct preparation how = {.flat = !dim->given};
    const stria_view *const *views;
    STRIA_TRY(stria__call_policy(c, 4));
    how.policy = (stria_cast_policy)INT(4);
    if (out->given && dtype->given)
        return REFUSE(ARGUMENT, "%.*s takes out or dtype, not both: out has a dtype", NAME);
    if (out->given && how.policy != STRIA_CAST_SAME_KIND) how.dtype = &out->view->dtype;
    if (dtype->given) how.dtype = &dtype->dtype;
    STRIA_TRY(prepare_views(c, &views, how));
    if (!out->given) {
        STRIA_TRY((stacks ? stria_stack_as_new : stria_cat_as_new)(NEW, n, views, along, NULL,
                                                                   stria__call_rule(c), EXEC));
        if (!dtype->given || stria_dtype_equal(dtype->dtype, VIEW->dtype)) return STRIA_OK;
        stria_array native = c->out; /* in the machine's order of bytes */
        c->out = (stria_array){0};
        const stria_status status = stria_astype(NEW, &native.view, dtype->dtype, STRIA_CAST_SAFE,
                                                 STRIA_COPY_ALWAYS, NULL, EXEC);
        stria_array_release(&native);
        return status;
    }
    return stria__call_wrote(c, out->view,
                             (stacks ? stria_stack : stria_cat)(out->view, n, views, along, EXEC));
}

/* Repeats all elements by one number or, if `each` is not NULL, each by a number of its own. */
static stria_status repeat_along(struct invocation *c, const stria_view *each, const stria_view *a,
                                 int dim)
{
    return each ? stria_repeat_each_new(NEW, a, each, dim, NULL)
                : stria_repeat_interleave_new(NEW, a, INT(1), dim, NULL);
}

/* Repeats elements along a dim; without a dim the array is flattened first, in both worlds. */
stria_status stria__row_repeat_interleave(struct invocation *c, const stria_view *each)
{
    const stria_view *flat;
    if (GIVEN(2)) return repeat_along(c, each, A, DIM(2));
    STRIA_TRY(stria__call_flat(c, &flat, A));
    return repeat_along(c, each, flat, 0);
}

/* Checks the result against PyTorch's output_size, which is the size along the dim. */
stria_status stria__row_repeat_to_size(struct invocation *c, const stria_view *each)
{
    const struct arg *size = &c->args[3];
    STRIA_TRY(stria__row_repeat_interleave(c, each));
    const int dim = DIM(2);
    const int64_t made = c->out.view.shape[dim < 0 ? dim + c->out.view.ndim : dim];
    if (!size->given || size->integer == made) return STRIA_OK;
    return REFUSE(SHAPE, "repeat_interleave: output_size is %lld, the repeats come to %lld",
                  (long long)size->integer, (long long)made);
}

stria_status stria__row_roll(struct invocation *c)
{
    const struct arg *shifts = &c->args[1], *dims = &c->args[2];
    const bool flat = !dims->given || (dims->count == 0 && shifts->count == 1);
    if (!flat && dims->count != shifts->count)
        return REFUSE(ARGUMENT, "roll: %lld shifts for %lld dims", (long long)shifts->count,
                      (long long)dims->count);
    return stria_roll_new(NEW, A, (int)shifts->count, shifts->ints, flat ? NULL : dims->dims, NULL);
}

/* One shift serves all axes, and one axis takes all shifts: numpy.roll(a, 1, axis=(0, 1)). */
stria_status stria__row_roll_axes(struct invocation *c)
{
    const struct arg *shifts = &c->args[1], *axes = &c->args[2];
    const int64_t n = shifts->count > axes->count ? shifts->count : axes->count;
    if (!axes->given || shifts->count == axes->count || (shifts->count != 1 && axes->count != 1))
        return stria__row_roll(c);
    int64_t *by = stria__pool_array(c->pool, (size_t)n, sizeof *by);
    TRY_MEMORY(by);
    int *along = stria__pool_array(c->pool, (size_t)n, sizeof *along);
    TRY_MEMORY(along);
    for (int64_t i = 0; i < n; i++) {
        by[i] = shifts->ints[shifts->count == 1 ? 0 : i];
        along[i] = axes->dims[axes->count == 1 ? 0 : i];
    }
    return stria_roll_new(NEW, A, (int)n, by, along, NULL);
}

/* Sums a diagonal of each matrix of two axes, as NumPy does: of unsigned numbers an unsigned sum.
 */
stria_status stria__row_trace_numpy(struct invocation *c)
{
    enum { OFFSET = 1, AXIS1, AXIS2, TYPE, OUT };
    const struct arg *const args = c->args;
    const stria_reduce_options options = {.dtype = args[TYPE].given ? &args[TYPE].dtype : NULL};
    stria_view diagonal;
    STRIA_TRY(stria_diagonal(&diagonal, A, args[OFFSET].integer, args[AXIS1].dim, args[AXIS2].dim));
    const int last = diagonal.ndim - 1;
    if (!args[OUT].given)
        return stria_reduce_dims_new(NEW, STRIA_SUM, &diagonal, 1, &last, &options, EXEC);
    return stria__call_wrote(
        c, ARRAY(OUT),
        stria_reduce_dims(ARRAY(OUT), STRIA_SUM, &diagonal, 1, &last, &options, EXEC));
}
