/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: elements picked by index arrays and masks. x[...] is in
 * eval_subscript.c.
 */
#include <string.h>

#include "lang/index_items.h"
#include "lang/rows/rows.h"

/* Checks the dtype of out: PyTorch requires that of the result, NumPy one to which the result
 * casts. */
stria_status stria__row_check_out(struct invocation *c, int i)
{
    const struct arg *const out = &c->args[i];
    if (!out->given || c->numpy || stria_dtype_equal(out->view->dtype, A->dtype)) return STRIA_OK;
    return REFUSE(DTYPE, "%.*s: out has another dtype than the array", NAME);
}

/* Takes slices along a dim; argument 3 is out. */
static stria_status take_dim(struct invocation *c, const stria_view *index, int dim,
                             stria_index_mode mode)
{
    return INTO_OR_NEW(3, stria_take_dim, stria_take_dim_new, A, index, dim, mode, NULL);
}

static stria_status take_flat(struct invocation *c, const stria_view *index, stria_index_mode mode)
{
    return INTO_OR_NEW(3, stria_take, stria_take_new, A, index, mode, NULL);
}

stria_status stria__row_take_elements(struct invocation *c)
{
    static const stria_index_mode modes[] = {STRIA_INDEX_RAISE, STRIA_INDEX_WRAP, STRIA_INDEX_CLIP};
    const stria_view *const index = ARRAY(1);
    STRIA_TRY(stria__call_choice(c, 4, "raise|wrap|clip",
                                 "mode must be 'raise', 'wrap' or 'clip', not '%.40s'"));
    STRIA_TRY(stria__row_check_out(c, 3));
    const stria_index_mode mode = modes[INT(4)];
    return GIVEN(2) ? take_dim(c, index, DIM(2), mode) : take_flat(c, index, mode);
}

/* Selects from an array of 0 dims; the result of torch.index_select has 0 dims, too. */
static stria_status index_point(struct invocation *c, const stria_view *index)
{
    const int64_t n = stria_numel(index);
    stria_view point;
    if (n != 1)
        return REFUSE(SHAPE,
                      "index_select: %lld indices of an array of 0 dims, which has 1 element",
                      (long long)n);
    STRIA_TRY(stria_view_shape(&point, index, 0, NULL));
    return take_dim(c, &point, DIM(1), STRIA_INDEX_STRICT);
}

stria_status stria__row_index_select(struct invocation *c)
{
    const stria_view *index = ARRAY(2);
    stria_view line;
    STRIA_TRY(stria__row_check_out(c, 3));
    if (index->ndim > 1)
        return REFUSE(SHAPE, "index_select: the index has %d dims, not 0 or 1", index->ndim);
    if (index->ndim == 0 && A->ndim > 0) {
        STRIA_TRY(stria_unsqueeze(&line, index, 0));
        index = &line;
    }
    if (A->ndim == 0) return index_point(c, index);
    return take_dim(c, index, DIM(1), STRIA_INDEX_STRICT);
}

/* Takes elements along a dim; without a dim, both arrays are flat. */
stria_status stria__row_take_along(struct invocation *c)
{
    const stria_view *const index = ARRAY(1), *flat;
    const int dim = DIM(2);
    STRIA_TRY(stria__row_check_out(c, 3));
    if (GIVEN(2))
        return INTO_OR_NEW(3, stria_take_along_dim, stria_take_along_dim_new, A, index, dim, NULL);
    STRIA_TRY(stria__call_flat(c, &flat, index));
    return take_flat(c, flat, STRIA_INDEX_RAISE);
}

/* Makes each column of the list of indices an array for its dim; a 0-d array counts as 1-d. */
stria_status stria__row_columns(struct invocation *c)
{
    stria_view line;
    const stria_view *a = A;
    if (a->ndim == 0) {
        STRIA_TRY(stria_unsqueeze(&line, a, 0));
        a = &line;
    }
    STRIA_TRY(stria_nonzero_new(NEW, a, NULL));
    STRIA_TRY(stria__call_pieces(c, a->ndim));
    return stria_unbind(c->pieces, a->ndim, &c->count, VIEW, 1);
}

/* Does the same, but refuses an array without dims, as NumPy does. */
stria_status stria__row_nonzero_columns(struct invocation *c)
{
    if (A->ndim == 0)
        return REFUSE(SHAPE, "nonzero: an array of 0 dims has no "
                             "indices; use .reshape(1)");
    return stria__row_columns(c);
}

stria_status stria__row_get_item(struct invocation *c)
{
    struct value one = *c->args[1].value;
    const struct value list = stria__index_key(&one);
    return stria__index_run(c, &list);
}
