/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of functions.def: writes by index arrays and masks. As in PyTorch each has two forms: with
 * an underscore it writes into the array itself, without into a clone of it.
 */
#include <math.h>
#include <string.h>

#include "lang/index_items.h"
#include "lang/rows/rows.h"

/* The result is the array itself, or a copy of it in that order. */
static stria_status begin_ordered(struct invocation *c, stria_order order)
{
    return c->in_place ? stria__call_wrote(c, c->self, STRIA_OK)
                       : stria_clone_ordered(&c->out, c->self, order);
}

static stria_status begin(struct invocation *c)
{
    return begin_ordered(c, STRIA_ORDER_PRESERVE);
}

/* What PyTorch lays out in C order, whatever the array is like. */
static stria_status begin_dense(struct invocation *c)
{
    return begin_ordered(c, STRIA_ORDER_C);
}

/* Numbers and lists are converted, other arrays must have the dtype of the array already. */
static stria_status check_dtype(struct invocation *c, const struct arg *arg)
{
    char own[64], other[64];
    if (!arg->value || arg->value->kind != VALUE_ARRAY ||
        stria_dtype_equal(arg->view->dtype, c->self->dtype))
        return STRIA_OK;
    (void)stria_dtype_format(c->self->dtype, own, sizeof own);
    (void)stria_dtype_format(arg->view->dtype, other, sizeof other);
    return stria__call_refuse(c, STRIA_ERR_DTYPE,
                              "items of %s are written into items of %s; .to(%s) first", other, own,
                              own);
}

/*
 * The sizes of source beside those of the array, dim left out, which the index speaks for; a view
 * of 0 dims stands for one of size 1.
 */
static stria_status check_slices(struct invocation *c, const stria_view *source)
{
    const stria_view *a = c->self;
    const int wanted = a->ndim ? a->ndim : 1, given = source->ndim ? source->ndim : 1;
    bool same = wanted == given;
    for (int d = 0; same && d < wanted; d++)
        same = d == c->args[1].dim || d - wanted == c->args[1].dim ||
               (a->ndim ? a->shape[d] : 1) == (source->ndim ? source->shape[d] : 1);
    if (same) return STRIA_OK;
    return stria__call_refuse(c, STRIA_ERR_SHAPE,
                              "the source must have the sizes of the array except in dim %d, where "
                              "it has one for each index",
                              c->args[1].dim);
}

/* A copy has the shape of array and mask together, which may have more dims, in C order. */
static stria_status begin_masked(struct invocation *c)
{
    const stria_view *a = c->self, *mask = c->args[1].view;
    if (c->in_place) return begin(c);
    const int ndim = a->ndim > mask->ndim ? a->ndim : mask->ndim;
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < ndim; d++) {
        const int da = d - (ndim - a->ndim), dm = d - (ndim - mask->ndim);
        shape[d] = da < 0 || (a->shape[da] == 1 && dm >= 0) ? mask->shape[dm] : a->shape[da];
    }
    stria_view wide;
    STRIA_TRY(stria_expand(&wide, a, ndim, shape));
    return stria_clone(&c->out, &wide);
}

static stria_status reduce_of(struct invocation *c, const struct arg *arg, stria_reduce *reduce)
{
    static const stria_reduce reductions[] = {
        STRIA_REDUCE_SUM, STRIA_REDUCE_SUM, STRIA_REDUCE_PROD, STRIA_REDUCE_PROD,
        STRIA_REDUCE_MIN, STRIA_REDUCE_MAX, STRIA_REDUCE_MEAN};
    *reduce = STRIA_REDUCE_NONE;
    if (!arg->given || !arg->text) return STRIA_OK;
    const int named = stria__choice("sum|add|prod|multiply|amin|amax|mean", arg->text);
    if (named < 0)
        return stria__call_refuse(
            c, STRIA_ERR_ARGUMENT,
            "reduce must be 'sum', 'prod', 'amin', 'amax' or 'mean', not '%.40s'", arg->text);
    *reduce = reductions[named];
    return STRIA_OK;
}

/* ---- what is written ------------------------------------------------------------------------- */

/* Tells whether a conversion of a scalar lost it: wrapped around, or beyond the largest float. */
static stria_status check_fits(struct invocation *call, const struct value *value,
                               const stria_view *given, const stria_view *converted)
{
    double before, after;
    STRIA_TRY(stria__call_number(&before, given));
    STRIA_TRY(stria__call_number(&after, converted));
    const bool integers = value->kind == VALUE_INT && converted->dtype.kind != STRIA_BOOL &&
                          converted->dtype.kind <= STRIA_U64;
    if ((value->kind == VALUE_INT && value->huge) || (integers && before != after) ||
        (isfinite(before) && !isfinite(after))) {
        char name[32];
        (void)stria_dtype_format(converted->dtype, name, sizeof name);
        return stria__call_refuse(call, STRIA_ERR_OVERFLOW, "the number %g does not fit in %s",
                                  before, name);
    }
    return STRIA_OK;
}

static stria_status converted(const stria_view **out, struct invocation *c, const struct arg *arg)
{
    stria_array made = {0};
    STRIA_TRY(stria_empty(&made, c->self->dtype, 0, NULL));
    STRIA_TRY(stria__call_hold(c, out, made));
    STRIA_TRY(stria_copy(*out, arg->view));
    return check_fits(c, arg->value, arg->view, *out);
}

/*
 * The array itself, or a 0-d one of a number that is written into items of the dtype of c->self.
 * OVERFLOW when the number does not fit there, DTYPE for complex into real items.
 */
static stria_status read_source(const stria_view **out, struct invocation *c, const struct arg *arg)
{
    const stria_dtype dtype = c->self->dtype;
    *out = arg->view;
    if (stria_dtype_is_complex(arg->view->dtype) && !stria_dtype_is_complex(dtype))
        return stria__call_refuse(c, STRIA_ERR_DTYPE,
                                  "a complex value does not fit in real items; take its real part");
    const bool number = arg->value && stria__value_is_number(arg->value);
    return number && dtype.kind <= STRIA_C128 ? converted(out, c, arg) : STRIA_OK;
}

/* The same of an array that must have the dtype already. */
static stria_status read_alike(const stria_view **out, struct invocation *c, const struct arg *arg)
{
    STRIA_TRY(check_dtype(c, arg));
    return read_source(out, c, arg);
}

/* The same of slices, one for each index. */
static stria_status read_slices(const stria_view **out, struct invocation *c)
{
    STRIA_TRY(check_dtype(c, &c->args[3]));
    STRIA_TRY(check_slices(c, c->args[3].view));
    return read_source(out, c, &c->args[3]);
}

static stria_status read_items(struct invocation *c, struct index_items *out,
                               const struct value *list)
{
    return stria__call_told(c, stria__index_items_read(out, list, c->pool, c->failure));
}

/* ---- the writes ------------------------------------------------------------------------------ */

/* Adds elements, or combines them as an argument says; with_self: another one says whether self
 * counts. */
stria_status stria__row_scatter(struct invocation *c, bool combines, bool with_self)
{
    const stria_view *src;
    stria_reduce reduce = STRIA_REDUCE_SUM;
    STRIA_TRY(begin_dense(c));
    if (combines) STRIA_TRY(reduce_of(c, &c->args[4], &reduce));
    STRIA_TRY(read_alike(&src, c, &c->args[3]));
    return stria_scatter_reduce(&c->out.view, c->args[1].dim, c->args[2].view, src, reduce,
                                !with_self || c->args[5].truth);
}

stria_status stria__row_index_fill(struct invocation *c)
{
    const stria_view *src;
    STRIA_TRY(begin(c));
    STRIA_TRY(read_source(&src, c, &c->args[3]));
    return stria_index_copy(&c->out.view, c->args[1].dim, c->args[2].view, src, STRIA_REDUCE_NONE);
}

stria_status stria__row_index_copy(struct invocation *c)
{
    const stria_view *src;
    STRIA_TRY(begin_dense(c));
    STRIA_TRY(read_slices(&src, c));
    return stria_index_copy(&c->out.view, c->args[1].dim, c->args[2].view, src, STRIA_REDUCE_NONE);
}

stria_status stria__row_index_add(struct invocation *c)
{
    const stria_view *src;
    STRIA_TRY(begin_dense(c));
    STRIA_TRY(read_slices(&src, c));
    return stria_index_add(&c->out.view, c->args[1].dim, c->args[2].view, src, c->args[4].view);
}

stria_status stria__row_index_reduce(struct invocation *c)
{
    const stria_view *src;
    stria_reduce reduce;
    STRIA_TRY(begin_dense(c));
    STRIA_TRY(reduce_of(c, &c->args[4], &reduce));
    STRIA_TRY(read_slices(&src, c));
    return stria_index_reduce(&c->out.view, c->args[1].dim, c->args[2].view, src, reduce,
                              c->args[5].truth);
}

stria_status stria__row_masked_fill(struct invocation *c)
{
    const stria_view *value;
    STRIA_TRY(begin_masked(c));
    STRIA_TRY(read_source(&value, c, &c->args[2]));
    if (value->ndim)
        return stria__call_refuse(c, STRIA_ERR_SHAPE, "masked_fill: the value has %d dims, not 0",
                                  value->ndim);
    return stria_masked_fill(&c->out.view, c->args[1].view, value);
}

stria_status stria__row_masked_scatter(struct invocation *c)
{
    STRIA_TRY(begin_masked(c));
    STRIA_TRY(check_dtype(c, &c->args[2]));
    return stria_masked_scatter(&c->out.view, c->args[1].view, c->args[2].view);
}

stria_status stria__row_index_put(struct invocation *c)
{
    struct index_items index;
    const stria_view *values;
    const struct value *list = c->args[1].value;
    STRIA_TRY(begin(c));
    if (!list || !stria__value_is_sequence(list))
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT, "index_put: indices must be a tuple");
    STRIA_TRY(read_items(c, &index, list));
    STRIA_TRY(read_alike(&values, c, &c->args[2]));
    return stria_index_put(&c->out.view, index.count, index.items, values, STRIA_PLACE_TORCH,
                           c->args[3].truth ? STRIA_REDUCE_SUM : STRIA_REDUCE_NONE);
}

/* Writes as x[key] = value does: values of another dtype are converted. */
stria_status stria__row_set_item(struct invocation *c)
{
    struct index_items index;
    struct value key = *c->args[1].value;
    const struct value list = stria__index_key(&key);
    const stria_view *values;
    STRIA_TRY(begin(c));
    if (stria__index_is_field(&list)) {
        stria_view fields;
        STRIA_TRY(stria__index_fields(&fields, c, &c->out.view, &list));
        return stria_copy(&fields, c->args[2].view);
    }
    STRIA_TRY(read_items(c, &index, &list));
    STRIA_TRY(read_source(&values, c, &c->args[2]));
    return stria_index_put(&c->out.view, index.count, index.items, values,
                           c->numpy ? STRIA_PLACE_NUMPY : STRIA_PLACE_TORCH, STRIA_REDUCE_NONE);
}

stria_status stria__row_put(struct invocation *c)
{
    const stria_view *values;
    STRIA_TRY(begin(c));
    STRIA_TRY(read_source(&values, c, &c->args[2]));
    return stria_put(&c->out.view, c->args[1].view, values, STRIA_INDEX_RAISE,
                     c->args[3].truth ? STRIA_REDUCE_SUM : STRIA_REDUCE_NONE);
}

/* NumPy's writes into the array itself. */
stria_status stria__row_fill(struct invocation *c)
{
    c->in_place = c->in_place || c->row->world == WORLD_NUMPY;
    STRIA_TRY(begin(c));
    return stria_fill_value(&c->out.view, c->args[1].view, NULL);
}

stria_status stria__row_copy_from(struct invocation *c)
{
    STRIA_TRY(begin(c));
    return stria_copy(&c->out.view, c->args[1].view);
}

stria_status stria__row_copyto(struct invocation *c)
{
    stria_cast_policy policy;
    STRIA_TRY(stria__call_policy(c, c->args[2].text, &policy));
    return stria__call_wrote(c, c->self, stria_copy_cast(c->self, c->args[1].view, policy, NULL));
}
