/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of functions.def: elements picked by index arrays and masks. x[...] is in
 * eval_subscript.c.
 */
#include <string.h>

#include "lang/index_items.h"
#include "lang/rows/rows.h"

/* PyTorch wants an out of the dtype of the result; NumPy one to which that casts. */
stria_status stria__row_check_out(struct invocation *c, int i)
{
    const struct arg *const out = &c->args[i];
    if (!out->given || c->numpy || stria_dtype_equal(out->view->dtype, c->self->dtype))
        return STRIA_OK;
    return stria__call_refuse(c, STRIA_ERR_DTYPE, "%.*s: out has another dtype than the array",
                              (int)c->name.length, c->name.text);
}

/* Argument 3 is out. */
static stria_status take_dim(struct invocation *c, const stria_view *index, int dim,
                             stria_index_mode mode)
{
    return INTO_OR_NEW(3, stria_take_dim_into(c->args[3].view, c->self, index, dim, mode),
                       stria_take_dim(&c->out, c->self, index, dim, mode));
}

static stria_status take_flat(struct invocation *c, const stria_view *index, stria_index_mode mode)
{
    return INTO_OR_NEW(3, stria_take_into(c->args[3].view, c->self, index, mode),
                       stria_take(&c->out, c->self, index, mode));
}

stria_status stria__row_take_elements(struct invocation *c)
{
    static const stria_index_mode modes[] = {STRIA_INDEX_RAISE, STRIA_INDEX_WRAP, STRIA_INDEX_CLIP};
    const stria_view *const index = c->args[1].view;
    STRIA_TRY(stria__call_choice(c, 4, "raise|wrap|clip",
                                 "mode must be 'raise', 'wrap' or 'clip', not '%.40s'"));
    STRIA_TRY(stria__row_check_out(c, 3));
    const stria_index_mode mode = modes[c->args[4].integer];
    return c->args[2].given ? take_dim(c, index, c->args[2].dim, mode) : take_flat(c, index, mode);
}

/* torch.index_select of 0 dims has 0 dims. */
static stria_status index_point(struct invocation *c, const stria_view *index)
{
    const int64_t n = stria_numel(index);
    stria_view point;
    if (n != 1)
        return stria__call_refuse(
            c, STRIA_ERR_SHAPE,
            "index_select: %lld indices of an array of 0 dims, which has 1 element", (long long)n);
    STRIA_TRY(stria_view_shape(&point, index, 0, NULL));
    return take_dim(c, &point, c->args[1].dim, STRIA_INDEX_STRICT);
}

stria_status stria__row_index_select(struct invocation *c)
{
    const stria_view *index = c->args[2].view;
    stria_view line;
    STRIA_TRY(stria__row_check_out(c, 3));
    if (index->ndim > 1)
        return stria__call_refuse(c, STRIA_ERR_SHAPE,
                                  "index_select: the index has %d dims, not 0 or 1", index->ndim);
    if (index->ndim == 0 && c->self->ndim > 0) {
        STRIA_TRY(stria_unsqueeze(&line, index, 0));
        index = &line;
    }
    if (c->self->ndim == 0) return index_point(c, index);
    return take_dim(c, index, c->args[1].dim, STRIA_INDEX_STRICT);
}

/* Without a dim both are flat. */
stria_status stria__row_take_along(struct invocation *c)
{
    const stria_view *const index = c->args[1].view, *flat;
    const int dim = c->args[2].dim;
    STRIA_TRY(stria__row_check_out(c, 3));
    if (c->args[2].given)
        return INTO_OR_NEW(3, stria_take_along_dim_into(c->args[3].view, c->self, index, dim),
                           stria_take_along_dim(&c->out, c->self, index, dim));
    STRIA_TRY(stria__call_flat(c, &flat, index));
    return take_flat(c, flat, STRIA_INDEX_RAISE);
}

/* Gives a column of the list of indices for each dim; a 0-d array counts as 1-d. */
stria_status stria__row_columns(struct invocation *c)
{
    stria_view line;
    const stria_view *a = c->self;
    if (a->ndim == 0) {
        STRIA_TRY(stria_unsqueeze(&line, a, 0));
        a = &line;
    }
    STRIA_TRY(stria_nonzero(&c->out, a));
    STRIA_TRY(stria__call_pieces(c, a->ndim));
    return stria_unbind(c->pieces, a->ndim, &c->count, &c->out.view, 1);
}

/* NumPy's refuses an array without dims. */
stria_status stria__row_nonzero_columns(struct invocation *c)
{
    if (c->self->ndim == 0)
        return stria__call_refuse(c, STRIA_ERR_SHAPE,
                                  "nonzero: an array of 0 dims has no "
                                  "indices; use .reshape(1)");
    return stria__row_columns(c);
}

stria_status stria__row_get_item(struct invocation *c)
{
    struct value one = *c->args[1].value;
    const struct value list = stria__index_key(&one);
    return stria__index_run(c, &list);
}
