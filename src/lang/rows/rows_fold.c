/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: folds, scans and groups by an operation that is given by its name. */
#include <math.h>
#include <string.h>

#include "lang/rows/rows.h"
#include "stria/fold.h"

/* Finds the operation that argument i names, of `inputs` operands; 0: of one or two. */
static stria_status find_op(struct invocation *c, stria_op *op, int i, int inputs)
{
    const char *const name = c->args[i].text;
    const stria_function *const function = stria__lookup(name, strlen(name));
    const int operation = function ? function->operation : -1,
              takes = operation < 0 ? 0 : stria_op_inputs((stria_op)operation);
    *op = (stria_op)operation;
    if (inputs ? takes == inputs : takes == 1 || takes == 2) return STRIA_OK;
    return REFUSE(ARGUMENT, "%.*s: '%.40s' is no operation of %s", NAME, name,
                  inputs ? "two operands" : "one or two operands");
}

static stria_reduce_options options_of(struct invocation *c, int initial, int dtype)
{
    return (stria_reduce_options){.initial = ARRAY(initial), .dtype = TYPE(dtype)};
}

stria_status stria__row_fold_op(struct invocation *c)
{
    enum { OP = 1, DIMS, KEEP, INITIAL, WHERE, TYPE, OUT };
    stria_reduce_options options = options_of(c, INITIAL, TYPE);
    stria_op op;
    options.keepdims = TRUTH(KEEP);
    options.mask = ARRAY(WHERE);
    STRIA_TRY(find_op(c, &op, OP, 2));
    return INTO_OR_NEW(OUT, stria_fold_op, stria_fold_op_new, op, A, REDUCED(DIMS), &options, EXEC);
}

stria_status stria__row_scan_op(struct invocation *c)
{
    const stria_scan_options options = {.dtype = TYPE(3)};
    stria_op op;
    STRIA_TRY(find_op(c, &op, 1, 2));
    return INTO_OR_NEW(4, stria_scan_op, stria_scan_op_new, op, A, DIM(2), &options, EXEC);
}

stria_status stria__row_segment_op(struct invocation *c)
{
    const stria_reduce_options options = options_of(c, 4, 5);
    stria_op op;
    STRIA_TRY(find_op(c, &op, 1, 2));
    return INTO_OR_NEW(6, stria_segment_op, stria_segment_op_new, op, A, ARRAY(2), DIM(3), &options,
                       EXEC);
}

stria_status stria__row_outer_op(struct invocation *c)
{
    stria_op op;
    STRIA_TRY(find_op(c, &op, 1, 2));
    return INTO_OR_NEW(3, stria_outer_op, stria_outer_op_new, op, A, ARRAY(2), EXEC);
}

stria_status stria__row_inner_op(struct invocation *c)
{
    stria_op f, g;
    STRIA_TRY(find_op(c, &f, 1, 2));
    STRIA_TRY(find_op(c, &g, 2, 2));
    return INTO_OR_NEW(4, stria_inner_op, stria_inner_op_new, f, g, A, ARRAY(3), EXEC);
}

stria_status stria__row_op_at(struct invocation *c)
{
    const stria_index_item item = {.kind = STRIA_INDEX_ARRAY, .array = ARRAY(2)};
    stria_op op;
    STRIA_TRY(find_op(c, &op, 1, 0));
    STRIA_TRY(c->in_place ? stria__call_wrote(c, A, STRIA_OK)
                          : stria_clone_ordered_new(NEW, A, STRIA_ORDER_C, NULL));
    return stria_op_at(VIEW, op, 1, &item, ARRAY(3), STRIA_PLACE_NUMPY, EXEC);
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Finds how many labels there are: argument i, or one more than the largest one. */
static stria_status count_labels(struct invocation *c, int64_t *bins, const stria_view *labels,
                                 int i)
{
    stria_view most;
    *bins = GIVEN(i) ? INT(i) : 0;
    if (GIVEN(i) || stria_numel(labels) == 0) return STRIA_OK;
    STRIA_TRY(stria_view_foreign(&most, bins, stria_dtype_of(STRIA_I64), 0, NULL, NULL, 0));
    STRIA_TRY(stria_reduce_dims(&most, STRIA_MAX, labels, STRIA_ALL_DIMS, NULL, NULL, EXEC));
    *bins += *bins < INT64_MAX;
    return STRIA_OK;
}

stria_status stria__row_label_op(struct invocation *c)
{
    const stria_reduce_options options = options_of(c, 5, 6);
    int64_t bins;
    stria_op op;
    STRIA_TRY(find_op(c, &op, 1, 2));
    STRIA_TRY(count_labels(c, &bins, ARRAY(2), 3));
    return stria_label_op_new(NEW, op, A, ARRAY(2), DIM(4), bins, &options, EXEC);
}

/* The extreme of no elements: the end of the range of a dtype, or an infinity. */
struct range_end {
    stria_view view;
    union {
        int64_t whole;
        uint64_t natural;
        double real;
    } item;
};

/* Returns the view of the end that goes before the elements of an extreme; NULL for others. */
static const stria_view *initial_of(struct range_end *out, stria_op op, stria_dtype dtype)
{
    const bool highest = op == STRIA_MINIMUM;
    const stria_kind kind = (stria_kind)dtype.kind;
    const int unused = 64 - (kind == STRIA_BOOL ? 1 : 8 * dtype.itemsize);
    if (op != STRIA_MAXIMUM && op != STRIA_MINIMUM) return NULL;
    stria_kind as = STRIA_F64;
    if (kind > STRIA_U64) {
        out->item.real = highest ? (double)INFINITY : -(double)INFINITY;
    } else if (kind == STRIA_BOOL || kind >= STRIA_U8) {
        as = kind == STRIA_BOOL ? STRIA_BOOL : STRIA_U64;
        out->item.natural = highest ? UINT64_MAX >> unused : 0;
        if (kind == STRIA_BOOL) memcpy(&out->item, &highest, sizeof highest);
    } else {
        as = STRIA_I64;
        out->item.whole = highest ? INT64_MAX >> unused : INT64_MIN >> unused;
    }
    return stria_view_foreign(&out->view, &out->item, stria_dtype_of(as), 0, NULL, NULL, 0)
               ? NULL
               : &out->view;
}

/* Combines the elements of each label along dim 0, as jax.ops.segment_sum and its like do. */
stria_status stria__row_segment_of(struct invocation *c, stria_op op)
{
    struct range_end end;
    int64_t bins;
    STRIA_TRY(count_labels(c, &bins, ARRAY(1), 2));
    const stria_reduce_options options = {.initial = initial_of(&end, op, A->dtype)};
    return stria_label_op_new(NEW, op, A, ARRAY(1), 0, bins, &options, EXEC);
}

/* ---- torch.segment_reduce -------------------------------------------------------------------- */

/* Makes offsets of lengths: 0 and their sums. */
static stria_status offsets_of(struct invocation *c, const stria_view **out,
                               const stria_view *lengths)
{
    const stria_dtype i64 = stria_dtype_of(STRIA_I64);
    stria_array made = {0};
    if (lengths->ndim != 1)
        return REFUSE(SHAPE, "segment_reduce: lengths have %d dims, must have 1", lengths->ndim);
    STRIA_TRY(stria_scan_dim_new(&made, STRIA_CUMSUM, lengths, 0,
                                 &(stria_scan_options){.include_initial = true, .dtype = &i64},
                                 EXEC));
    return stria__call_hold(c, out, made);
}

/* Divides sums by the number of elements of each segment, which is a mean; of none NaN. */
static stria_status divide_sums(struct invocation *c, const stria_view *offsets, int dim)
{
    stria_array lengths = {0};
    const stria_view *counts;
    stria_view wide;
    STRIA_TRY(stria_diff_new(&lengths, offsets, 1, 0, EXEC));
    STRIA_TRY(stria__call_hold(c, &counts, lengths));
    wide = *counts;
    for (int d = (dim < 0 ? dim + A->ndim : dim) + 1; d < A->ndim; d++)
        STRIA_TRY(stria_unsqueeze(&wide, &wide, wide.ndim));
    return stria_divide(VIEW, VIEW, &wide, EXEC);
}

stria_status stria__row_segment_reduce(struct invocation *c)
{
    enum { REDUCE = 1, LENGTHS, OFFSETS, DIM_, INITIAL };
    static const stria_op ops[] = {STRIA_ADD, STRIA_ADD, STRIA_MAXIMUM, STRIA_MINIMUM,
                                   STRIA_MULTIPLY};
    enum { MEAN = 0 };
    struct range_end end;
    const stria_view *offsets = ARRAY(OFFSETS);
    STRIA_TRY(stria__call_choice(c, REDUCE, "mean|sum|max|min|prod",
                                 "reduce must be 'sum', 'mean', 'max', 'min' or 'prod', not "
                                 "'%.40s'"));
    if (GIVEN(OFFSETS) == GIVEN(LENGTHS))
        return REFUSE(ARGUMENT, "segment_reduce: it takes lengths or offsets");
    if (GIVEN(LENGTHS)) STRIA_TRY(offsets_of(c, &offsets, ARRAY(LENGTHS)));
    const stria_op op = ops[INT(REDUCE)];
    const stria_reduce_options options = {
        .initial = GIVEN(INITIAL) ? ARRAY(INITIAL) : initial_of(&end, op, A->dtype)};
    if (INT(REDUCE) == MEAN && A->dtype.kind <= STRIA_U64)
        return REFUSE(DTYPE, "segment_reduce: means of integers; .to(f64) first");
    STRIA_TRY(stria_segment_op_new(NEW, op, A, offsets, DIM(DIM_), &options, EXEC));
    return INT(REDUCE) == MEAN ? divide_sums(c, offsets, DIM(DIM_)) : STRIA_OK;
}
