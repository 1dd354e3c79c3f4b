/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of functions.def: writes by index arrays and masks. As in PyTorch each has two forms:
 * with an underscore it writes into the array itself, without into a clone of it.
 */
#include <math.h>
#include <string.h>

#include "lang/index_items.h"
#include "lang/rows/rows.h"

/* Checks that an array has the dtype of the target; numbers and lists are converted instead. */
static stria_status check_dtype(struct invocation *c, const struct arg *arg)
{
    char own[64], other[64];
    if (!arg->value || arg->value->kind != VALUE_ARRAY ||
        stria_dtype_equal(arg->view->dtype, A->dtype))
        return STRIA_OK;
    (void)stria_dtype_format(own, sizeof own, NULL, A->dtype);
    (void)stria_dtype_format(other, sizeof other, NULL, arg->view->dtype);
    return REFUSE(DTYPE, "items of %s are written into items of %s; .to(%s) first", other, own,
                  own);
}

/*
 * Checks that the source has the sizes of the array except along the indexed dim. A view of 0 dims
 * stands for one of size 1.
 */
static stria_status check_slices(struct invocation *c, const stria_view *source)
{
    const stria_view *a = A;
    const int wanted = a->ndim ? a->ndim : 1, given = source->ndim ? source->ndim : 1;
    bool same = wanted == given;
    for (int d = 0; same && d < wanted; d++)
        same = d == DIM(1) || d - wanted == DIM(1) ||
               (a->ndim ? a->shape[d] : 1) == (source->ndim ? source->shape[d] : 1);
    if (same) return STRIA_OK;
    return REFUSE(SHAPE,
                  "the source must have the sizes of the array except in dim %d, where "
                  "it has one for each index",
                  DIM(1));
}

/* Makes a copy in C order that has the common shape of array and mask, which may have more dims. */
static stria_status begin_masked(struct invocation *c)
{
    const stria_view *a = A, *mask = ARRAY(1);
    const int ndim = a->ndim > mask->ndim ? a->ndim : mask->ndim;
    int64_t shape[STRIA_MAX_NDIM];
    for (int d = 0; d < ndim; d++) {
        const int da = d - (ndim - a->ndim), dm = d - (ndim - mask->ndim);
        shape[d] = da < 0 || (a->shape[da] == 1 && dm >= 0) ? mask->shape[dm] : a->shape[da];
    }
    stria_view wide;
    STRIA_TRY(stria_expand(&wide, a, ndim, shape));
    return stria_clone_new(NEW, &wide, NULL);
}

/* ---- what is written ------------------------------------------------------------------------- */

/* Checks that converting a scalar did not wrap it around or exceed the largest float. */
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
        (void)stria_dtype_format(name, sizeof name, NULL, converted->dtype);
        return stria__call_refuse(call, STRIA_ERR_OVERFLOW, "the number %g does not fit in %s",
                                  before, name);
    }
    return STRIA_OK;
}

/*
 * Converts a number to the dtype of the array. OVERFLOW if it does not fit there, DTYPE for a
 * complex number and real items.
 */
static stria_status convert_source(struct invocation *c, struct arg *source)
{
    const stria_dtype dtype = A->dtype;
    const stria_view *const given = source->view;
    stria_array made = {0};
    if (stria_dtype_is_complex(given->dtype) && !stria_dtype_is_complex(dtype))
        return REFUSE(DTYPE, "a complex value does not fit in real items; take its real part");
    if (!source->value || !stria__value_is_number(source->value) || dtype.kind > STRIA_C128)
        return STRIA_OK;
    STRIA_TRY(stria_empty(&made, dtype, 0, NULL));
    STRIA_TRY(stria__call_hold(c, &source->view, made));
    STRIA_TRY(stria_copy(source->view, given, NULL));
    return check_fits(c, source->value, given, source->view);
}

/* Replaces the text of an argument, if it is given, by the stria_reduce of that name. */
static stria_status read_reduction(struct invocation *c, int i)
{
    static const stria_reduce reductions[] = {
        STRIA_REDUCE_SUM, STRIA_REDUCE_SUM, STRIA_REDUCE_PROD, STRIA_REDUCE_PROD,
        STRIA_REDUCE_MIN, STRIA_REDUCE_MAX, STRIA_REDUCE_MEAN};
    INT(i) = STRIA_REDUCE_NONE;
    if (!GIVEN(i) || !c->args[i].text) return STRIA_OK;
    STRIA_TRY(
        stria__call_choice(c, i, "sum|add|prod|multiply|amin|amax|mean",
                           "reduce must be 'sum', 'prod', 'amin', 'amax' or 'mean', not '%.40s'"));
    INT(i) = reductions[INT(i)];
    return STRIA_OK;
}

/* Makes the array that is written into: the array itself, or a copy of it. */
static stria_status begin_scatter(struct invocation *c, unsigned how)
{
    if (c->in_place) return stria__call_wrote(c, A, STRIA_OK);
    if (how & MASKED) return begin_masked(c);
    return stria_clone_ordered_new(NEW, A, how & IN_C_ORDER ? STRIA_ORDER_C : STRIA_ORDER_PRESERVE,
                                   NULL);
}

stria_status stria__row_writes(struct invocation *c, unsigned how, int source, int reduction)
{
    struct arg *const from = &c->args[source];
    STRIA_TRY(begin_scatter(c, how));
    if (reduction) STRIA_TRY(read_reduction(c, reduction));
    if (!source) return STRIA_OK;
    if (how & (ALIKE | SLICES)) STRIA_TRY(check_dtype(c, from));
    if (how & SLICES) STRIA_TRY(check_slices(c, from->view));
    STRIA_TRY(convert_source(c, from));
    if (how & POINT && from->view->ndim)
        return REFUSE(SHAPE, "masked_fill: the value has %d dims, not 0", from->view->ndim);
    return STRIA_OK;
}

static stria_status read_items(struct invocation *c, struct index_items *out,
                               const struct value *list)
{
    return stria__call_told(c, stria__index_items_read(out, list, c->pool, c->failure));
}

/* ---- the writes ------------------------------------------------------------------------------ */

stria_status stria__row_masked_scatter(struct invocation *c)
{
    STRIA_TRY(begin_scatter(c, MASKED));
    STRIA_TRY(check_dtype(c, &c->args[2]));
    return stria_masked_scatter(VIEW, ARRAY(1), ARRAY(2), NULL);
}

stria_status stria__row_index_put(struct invocation *c)
{
    struct index_items index;
    const struct value *list = c->args[1].value;
    STRIA_TRY(begin_scatter(c, IN_ORDER));
    if (!list || !stria__value_is_sequence(list))
        return REFUSE(ARGUMENT, "index_put: indices must be a tuple");
    STRIA_TRY(read_items(c, &index, list));
    STRIA_TRY(check_dtype(c, &c->args[2]));
    STRIA_TRY(convert_source(c, &c->args[2]));
    return stria_index_put(VIEW, index.count, index.items, ARRAY(2), STRIA_PLACE_TORCH,
                           TRUTH(3) ? STRIA_REDUCE_SUM : STRIA_REDUCE_NONE, NULL);
}

/* Writes as x[key] = value does; values of another dtype are converted. */
stria_status stria__row_set_item(struct invocation *c)
{
    struct index_items index;
    struct value key = *c->args[1].value;
    const struct value list = stria__index_key(&key);
    STRIA_TRY(begin_scatter(c, IN_ORDER));
    if (stria__index_is_field(&list)) {
        stria_view fields;
        STRIA_TRY(stria__index_fields(&fields, c, VIEW, &list));
        return stria_copy(&fields, ARRAY(2), NULL);
    }
    STRIA_TRY(read_items(c, &index, &list));
    STRIA_TRY(convert_source(c, &c->args[2]));
    return stria_index_put(VIEW, index.count, index.items, ARRAY(2),
                           c->numpy ? STRIA_PLACE_NUMPY : STRIA_PLACE_TORCH, STRIA_REDUCE_NONE,
                           NULL);
}
